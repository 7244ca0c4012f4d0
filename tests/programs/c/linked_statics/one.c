// expect: exit 0
// Statics of the same name in two files are different objects; so are types of the same name.
#include <assert.h>
#include <stdio.h>

static int state = 1;
static const char text[] = "one";
static int step(void)
{
  static int calls;
  return state += 10 + calls++;
}
int other_step(void);
int other_state(void);
const char *other_text(void);
int *other_local(void);

int main(void)
{
  assert(step() == 11 && other_step() == 200 && step() == 22 && other_step() == 400);
  assert(state == 22 && other_state() == 400 && text[0] == 'o' && other_text()[0] == 't');
  assert(*other_local() == 2);
  printf("%d %d\n", state, other_state());
  return 0;
}
