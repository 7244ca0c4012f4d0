// verdict: FALSE
// bounded: FALSE
// check: div-by-zero
// Nobody wants the quotient, but it is computed.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int x = __VERIFIER_nondet_int();
  1 / x; // error: division by zero
  return 0;
}
