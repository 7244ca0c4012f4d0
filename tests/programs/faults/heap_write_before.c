#include <stdlib.h>
int main(void)
{
  char *p = malloc(3);
  p[2] = 1;
  p[-1] = 1; // expect: fault write of 1 byte
  return 0;
}
