// verdict: FALSE
// bounded: FALSE
// The error function counts as one even where the program gives it a body.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
static void check(int cond)
{
  if (!cond)
    reach_error(); // error: reach_error() is called
}
int main(void)
{
  int x = __VERIFIER_nondet_int();
  check(x * x != 1681);
  return 0;
}
