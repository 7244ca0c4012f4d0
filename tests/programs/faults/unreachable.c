// inputs: 7
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  switch (__VERIFIER_nondet_int()) {
  case 1: return 1;
  default: __builtin_unreachable(); // expect: stop unreachable
  }
}
