// verdict: TRUE
// bounded: TRUE
// A write through a pointer from outside cannot change a local that nobody points to.
#include <assert.h>
int *get(void);
int main(void)
{
  int x = 1;
  int *p = get();
  if (p)
    *p = 7;
  assert(x == 1);
  return 0;
}
