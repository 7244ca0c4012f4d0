// verdict: FALSE
// bounded: FALSE
// A bit-field that begins inside a byte has parts of two of the bytes.
#include <string.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct { unsigned : 4, b : 8, : 20; } s;
int main(void)
{
  memset(&s, 0x12, sizeof s);
  if (__VERIFIER_nondet_int() == 123456 && s.b == 0x21)
    reach_error(); // error: reach_error() is called
  return 0;
}
