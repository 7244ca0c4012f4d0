// verdict: FALSE
// bounded: UNKNOWN
// An array of 8 GB: more than the interpreter has memory for.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a[2000000000];
int main(void)
{
  int i = __VERIFIER_nondet_int();
  if (i < 0)
    return 0;
  a[i] = 3;
  if (a[1999999999] == 3)
    reach_error(); // error: reach_error
  return 0;
}
