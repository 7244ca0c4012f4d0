// verdict: FALSE
// bounded: FALSE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
  unsigned x = __VERIFIER_nondet_uint();
  unsigned char *p = (unsigned char *)&x;
  p[1] ^= 0x80;
  assert(x != 0xcafe8000); // error: assertion failed: x != 0xcafe8000
  return 0;
}
