// verdict: FALSE
// bounded: FALSE
// The constant part of an index may lie far outside of the array.
extern long __VERIFIER_nondet_long(void);
extern void reach_error(void);
char a[26], b[26], c[26];
int main(void)
{
  long x = __VERIFIER_nondet_long(), y = __VERIFIER_nondet_long();
  if (y < 0 || y > 25 || x < 1000 || x > 1025)
    return 0;
  a[y] = 33;
  b[y] = 44;
  c[x - 1000] = 55;
  if (a[17] == 33 && b[17] == 44 && c[25] == 55)
    reach_error(); // error: reach_error() is called
  return 0;
}
