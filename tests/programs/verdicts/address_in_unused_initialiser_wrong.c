// verdict: FALSE
// bounded: FALSE
// extern: any
// Nothing here mentions `outer`, but another file can: it leads to x, so a pointer from outside may.
extern int *get(void);
extern void reach_error(void);
static int x;
static int *inner = &x;
int **outer = &inner;
int main(void)
{
  *get() = 1;
  if (x)
    reach_error(); // error: reach_error() is called
  return 0;
}
