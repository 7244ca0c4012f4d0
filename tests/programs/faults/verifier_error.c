// inputs: 0x10
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_error(void);
int main(void)
{
  if (__VERIFIER_nondet_char() == 16)
    __VERIFIER_error(); // expect: error __VERIFIER_error() is called
  return 0;
}
