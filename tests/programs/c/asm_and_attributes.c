// expect: exit 0
// Inline assembly without outputs and odd attributes do not disturb what is around them.
#include <assert.h>
#include <stdio.h>

static int x = 4;
int aliased(int n) __asm__("real_name");
int aliased(int n) { return n + 1; }
static inline void barrier(void) { __asm__ volatile("" ::: "memory"); }

int main(void)
{
  x++;
  barrier();
  asm("");
  __asm__ __volatile__("nop");
  int y __attribute__((aligned(16), unused)) = x;
  __extension__ int z = __extension__(y + 1);
  assert(aliased(1) == 2 && x == 5 && y == 5 && z == 6);
  _Static_assert(sizeof(int) == 4, "int has four bytes");

  goto local;
local:;
  switch (x) {
  case 5: y = 1; __attribute__((fallthrough));
  case 6: y++;
  }
  assert(y == 2);
  printf("%d\n", y);
  return 0;
}
