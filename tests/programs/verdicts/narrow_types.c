// verdict: TRUE
// bounded: TRUE
// Inputs of narrow types stay in their ranges; promotions keep the value.
#include <assert.h>
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern _Bool __VERIFIER_nondet_bool(void);
int main(void)
{
  char c = __VERIFIER_nondet_char();
  unsigned char uc = __VERIFIER_nondet_uchar();
  short s = __VERIFIER_nondet_short();
  unsigned short us = __VERIFIER_nondet_ushort();
  _Bool b = __VERIFIER_nondet_bool();
  assert(c >= -128 && c <= 127 && uc <= 255 && b <= 1);
  assert(s >= -32768 && s <= 32767 && us <= 65535);
  assert(uc + uc < 511 && us * 2 == us + us && c + s > -40000 && -c <= 128);
  assert((char)uc == uc || (char)uc == uc - 256);
  assert((b ? 5 : 6) == 6 - b);
  return 0;
}
