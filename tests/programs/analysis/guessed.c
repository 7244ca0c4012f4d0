/* numbers from outside used as addresses, and an address told from numbers */
unsigned long __VERIFIER_nondet_ulong(void);
long long wide;
int narrow;
int *p = &narrow;
char *q = (char *)&wide;
int main(void)
{
  unsigned long n = __VERIFIER_nondet_ulong();
  unsigned long twice = n + n / 2 - n / 2;
  int *guess = (int *)(twice - n);
  if (guess)
    *guess = 7;
  unsigned char *part = (unsigned char *)0 + __VERIFIER_nondet_ulong();
  if (part)
    *part = 9;
  return *p + q[3] + (int)wide;
}
