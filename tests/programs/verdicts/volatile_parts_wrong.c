// verdict: FALSE
// bounded: FALSE
// volatile: any
// Members and parameters can be volatile, too.
extern void reach_error(void);
struct port {
  volatile int in;
  int out;
};
static int both(volatile int x)
{
  volatile int *p = &x;
  return *p == 1 && *p == 2;
}
int main(void)
{
  struct port port = {0, 0}, *p = &port;
  volatile int *in = &p->in;
  if (both(0) && *in == 3 && *in == 4)
    reach_error(); // error: reach_error() is called
  return 0;
}
