// verdict: TRUE
// bounded: TRUE
#include <assert.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);
int main(void)
{
  char s[5], t[12];
  for (int i = 0; i < 4; i++)
    s[i] = __VERIFIER_nondet_char();
  s[4] = 0;
  strcpy(t, s);
  assert(strcmp(s, t) == 0 && strlen(s) == strlen(t) && strlen(s) <= 4);
  strcat(t, "!");
  assert(strlen(t) == strlen(s) + 1 && strcmp(s, t) != 0 && t[strlen(s)] == '!');
  char *at = strchr(s, 'x');
  assert(!at || (*at == 'x' && at - s < 4));
  return 0;
}
