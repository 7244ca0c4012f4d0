// verdict: FALSE
// bounded: FALSE
// extern: any
// A pointer from outside may be the one that only an initialiser has taken.
extern int *get(void);
extern void reach_error(void);
int x;
int *p = &x;
int main(void)
{
  int *q = get();
  *q = 1;
  int unused = *p;
  if (x)
    reach_error(); // error: reach_error() is called
  return 0;
}
