// verdict: FALSE
// bounded: FALSE
// extern: any
// A function without a body has seen the address that another one returns.
extern void put(int *);
extern int *get(void);
extern void reach_error(void);
int x;
int main(void)
{
  put(&x);
  int *q = get();
  *q = 1;
  if (x)
    reach_error(); // error: reach_error() is called
  return 0;
}
