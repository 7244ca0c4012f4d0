// verdict: FALSE
// bounded: FALSE
// An atomic counter as the kernel has it: the second user finds that it is not the first.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int users;
static int add_return(int i, int *counter)
{
  int given = i;
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(i), "+m"(*counter) : : "memory");
  return i + given;
}
int main(void)
{
  if (add_return(1, &users) != 1)
    return 0;
  if (__VERIFIER_nondet_int() == 3 && add_return(1, &users) == 2)
    reach_error(); // error: reach_error
  return 0;
}
