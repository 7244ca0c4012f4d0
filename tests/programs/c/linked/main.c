// expect: exit 0
// Three files: extern variables and functions, a header with inlines, structs shared.
#include "shared.h"
#include <assert.h>
#include <stdio.h>

extern int counter;
extern int array[];
extern const char *const names[3];
int from_main = 11;
static int helper(int x) { return x + 1; }

int main(void)
{
  assert(counter == 5 && next() == 6 && counter == 6);
  counter = 20;
  assert(next() == 21 && array[3] == 4 && names[1][0] == 'b');
  struct shared s = make(3);
  s.next = &s;
  assert(total(&s) == 3 && callback(helper, 4) == 5 && squared(5) == 25 && read_main() == 11);
  assert(&counter == counter_address() && table[1](3) == 9);
  printf("%d %s %d\n", counter, names[2], LIMIT);
  return 0;
}
