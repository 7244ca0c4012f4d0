// verdict: FALSE
// bounded: FALSE
#include <assert.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);
int main(void)
{
  char s[6] = "hello";
  s[1] = __VERIFIER_nondet_char();
  s[3] = __VERIFIER_nondet_char();
  assert(strcmp(s, "hippo") >= 0 || strlen(s) != 5 || s[1] < 'i' || s[3] != 'q'); // error: assertion failed
  return 0;
}
