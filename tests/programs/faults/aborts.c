#include <stdlib.h>
int main(void)
{
  if (sizeof(int) == 4)
    abort(); // expect: stop abort
  return 0;
}
