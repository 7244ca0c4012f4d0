// verdict: FALSE
// bounded: FALSE
// A pointer goes back step by step from an end that is not known.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
  int y1, y2, y3, *q[3] = {&y1, &y2, &y3}, a[60];
  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), count = 0;
  if (n < 0 || n > 59 || m < 0 || m > 2)
    return 0;
  y1 = y2 = y3 = 0;
  *q[m] = 33;
  for (int *p = a + n; p > a; count++)
    *--p = 1;
  if (count == 25 && a[3] == 1 && y2 == 33 && y1 != 33 && y3 != 33)
    reach_error(); // error: reach_error() is called
  return 0;
}
