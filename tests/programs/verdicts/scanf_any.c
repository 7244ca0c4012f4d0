// verdict: FALSE
// bounded: FALSE
#include <assert.h>
#include <stdio.h>

int main(void)
{
  int x = 0;
  scanf("%d", &x);
  assert(x != 42); // error: x != 42
  return 0;
}
