// verdict: FALSE
// bounded: FALSE
// The distance from the null pointer is the address.
extern void reach_error(void);
char a[16];
int main(void)
{
  char *p = a + 3;
  long n = p - (char *)0;
  char *q = (char *)0 + n;
  *q = 1;
  if (a[3])
    reach_error(); // error: reach_error() is called
  return 0;
}
