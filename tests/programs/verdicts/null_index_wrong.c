// verdict: FALSE
// bounded: FALSE
// check: null
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int *p = 0, i = __VERIFIER_nondet_int();
  if (i == 1)
    p[i] = 3; // error: null pointer
  return 0;
}
