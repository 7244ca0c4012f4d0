// verdict: FALSE
// bounded: FALSE
// check: memory
// As many bytes are moved and filled as the numbers say, but one too many is allowed.
#include <assert.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void);
int main(void)
{
  char text[6], old[6];
  for (int i = 0; i < 6; i++)
    text[i] = old[i] = __VERIFIER_nondet_char();
  unsigned from = __VERIFIER_nondet_uint(), length = __VERIFIER_nondet_uint();
  if (from > 5 || length > 7 - from)
    return 0;
  memmove(text, text + from, length); // error: invalid read
  assert(length == 0 || text[length - 1] == old[from + length - 1]);
  assert(length == 6 || text[5] == old[5] || length > 5);
  memset(text + length, 0, 6 - length);
  assert(length == 6 || (text[5] == 0 && text[length] == 0));
  assert(length == 0 || text[0] == old[from]);
  return 0;
}
