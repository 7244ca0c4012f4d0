// verdict: FALSE
// bounded: FALSE
// check: signed-overflow
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int x = __VERIFIER_nondet_int();
  if (x > 0)
    x = x - 1;
  x = -x; // error: overflow
  return x;
}
