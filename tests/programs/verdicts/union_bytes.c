// verdict: TRUE
// bounded: TRUE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
union word {
  unsigned u;
  unsigned char b[4];
  short h[2];
};
int main(void)
{
  union word w;
  w.u = __VERIFIER_nondet_uint();
  unsigned old = w.u, i = __VERIFIER_nondet_uint() & 3;
  assert(w.b[i] == (old >> 8 * i & 255));
  w.b[i] = 0;
  assert((w.u & ~(255u << 8 * i)) == (old & ~(255u << 8 * i)) && w.u <= old);
  w.h[1] = -1;
  assert(w.u >= 0xffff0000u && w.b[3] == 255);
  return 0;
}
