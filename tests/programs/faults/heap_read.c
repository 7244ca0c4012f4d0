#include <stdlib.h>
int main(void)
{
  int *p = calloc(3, sizeof(int));
  return p[3]; // expect: fault read of 4 bytes
}
