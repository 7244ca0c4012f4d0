// verdict: TRUE
// bounded: TRUE
// A function without a body that is declared never to return does not.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void die(void) __attribute__((noreturn));
_Noreturn void stop(int);
[[noreturn]] void cease(void);
int main(void)
{
  int x = __VERIFIER_nondet_int();
  if (x == 1)
    die();
  if (x == 2)
    stop(x);
  if (x == 3)
    cease();
  if (x == 1 || x == 2 || x == 3)
    reach_error();
  return 0;
}
