// verdict: TRUE
// bounded: TRUE
// check: signed-overflow
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int x = __VERIFIER_nondet_int();
  unsigned u = x;
  u = u * 3 + 1;
  if (x > -1000 && x < 1000)
    x = x * x + (int)(u & 7);
  short s = x;
  s++;
  return (char)(s + x / 2) - 1;
}
