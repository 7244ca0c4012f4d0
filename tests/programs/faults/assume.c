// inputs: 3
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void)
{
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > 2);
  __VERIFIER_assume(x > 5); // expect: assume
  return 0;
}
