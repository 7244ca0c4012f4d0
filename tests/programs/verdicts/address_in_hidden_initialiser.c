// verdict: TRUE
// bounded: TRUE
// No other file can name `inner`, and nothing here does: nobody has the address of x.
extern int *get(void);
extern void reach_error(void);
static int x;
static int *inner = &x;
int main(void)
{
  *get() = 1;
  if (x)
    reach_error();
  return 0;
}
