// verdict: TRUE
// bounded: TRUE
// The same memory written as bytes and halves, read as words across borders.
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void)
{
  unsigned char a[8] = {0};
  unsigned char v = __VERIFIER_nondet_uchar(), i = __VERIFIER_nondet_uchar() % 7;
  a[i] = v;
  unsigned short *h = (unsigned short *)(a + i);
  assert(*h == v);
  *h = 0x1234;
  assert(a[i] == 0x34 && a[i + 1] == 0x12);
  unsigned long long all = *(unsigned long long *)a;
  assert((all >> 8 * i & 0xffff) == 0x1234 && all == 0x1234ULL << 8 * i);
  return 0;
}
