// verdict: TRUE
// bounded: TRUE
// check: null
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int x = 0, *p = 0;
  if (__VERIFIER_nondet_int())
    p = &x;
  if (p)
    *p = 1;
  return p ? *p : 0;
}
