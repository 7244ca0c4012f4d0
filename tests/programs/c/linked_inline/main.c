// expect: exit 0
// Two files with the same inline functions; the other one has the external definitions.
#include "shared.h"
#include <assert.h>

#define QUICK inline
QUICK int plus(int x) { return x + 1; }

int main(void)
{
  assert(twice(2) == 4 && thrice(2) == 6 && twice_there(5) == 10);
  assert(half(7) == 3 && plus(1) == 2);
  assert(address_there() == thrice);
  return 0;
}
