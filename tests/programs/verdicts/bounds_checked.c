// verdict: FALSE
// bounded: FALSE
// check: bounds
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int a[10] = {0}, i = __VERIFIER_nondet_int();
  if (i >= 0 && i <= 10)
    a[i] = 1; // error: bounds
  return a[0];
}
