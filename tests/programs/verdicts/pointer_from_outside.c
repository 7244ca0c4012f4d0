// verdict: FALSE
// bounded: UNKNOWN
// What a pointer from outside leads to is not known, but the run goes on.
#include <assert.h>
struct settings {
  int mode;
  struct settings *next;
};
struct settings *get_settings(void);
int main(void)
{
  struct settings *s = get_settings();
  s->mode = 1;
  assert(s->next == 0 || s->next->mode != 5); // error: assertion failed
  return 0;
}
