/* The worker leaves the lock taken when there is no more work, and then takes it once more. */
extern int __VERIFIER_nondet_int(void);
extern void lock(void);
extern void unlock(void);

static int work(int requests)
{
  lock();
  if (requests == 0)
    return 0;
  unlock();
  return 1;
}

int main(void)
{
  work(__VERIFIER_nondet_int());
  lock();
  unlock();
  return 0;
}
