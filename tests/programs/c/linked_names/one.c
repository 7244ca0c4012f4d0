// expect: exit 0
// A static of one file is not what another file means by the same name, whichever comes first.
#include <assert.h>
#include <stdio.h>
#include <string.h>

static int helper(void) { return 1; }
static int value = 5;
static size_t strlen_calls;
size_t other_length(const char *s);
int other_helper(void);
int other_value(void);
int third(void);

int main(void)
{
  assert(helper() == 1 && value == 5 && other_helper() == 2 && other_value() == 7);
  assert(other_length("four") == 104 && strlen("four") == 4 && third() == 37 && strlen_calls == 0);
  printf("%d %d\n", other_helper(), other_value());
  return 0;
}
