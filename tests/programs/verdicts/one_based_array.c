// verdict: FALSE
// bounded: FALSE
// A pointer to just before an array, as those use who count from one: C forbids it, yet it works.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int before[4], numbers[4];
int main(void)
{
  int *from_one = numbers - 1;
  int i = __VERIFIER_nondet_int();
  if (i < 1 || i > 4)
    return 0;
  from_one[i] = 5;
  assert(before[i - 1] == 0);
  assert(numbers[2] != 5); // error: assertion failed: numbers[2] != 5
  return 0;
}
