/* A worker that takes a lock in each round, and gives it back before the next. */
extern int __VERIFIER_nondet_int(void);
extern void lock(void);
extern void unlock(void);

int main(void)
{
  int requests = 0, seen;
  do {
    lock();
    seen = requests;
    if (__VERIFIER_nondet_int()) {
      requests++;
      unlock();
    }
  } while (requests != seen);
  unlock();
  return 0;
}
