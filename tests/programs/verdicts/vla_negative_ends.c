// verdict: TRUE
// bounded: TRUE
// C leaves a negative length undefined: the run ends, which is said.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
  int n = __VERIFIER_nondet_int();
  int a[n];
  if (n < 0)
    reach_error();
  return 0;
}
