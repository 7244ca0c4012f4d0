// verdict: FALSE
// bounded: FALSE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct pair { int a, b; };
int later = 0;
static const int five = 5;
int copy = five;
static const struct pair first = {1, 2};
struct pair second = first;
int main(void)
{
  if (copy == 5 && second.a == 1 && second.b == 2 && __VERIFIER_nondet_int() == 123456)
    reach_error(); // error: reach_error() is called
  return 0;
}
