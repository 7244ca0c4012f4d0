#include <stdlib.h>
int main(void)
{
  char *p = malloc(4);
  free(p);
  free(0);
  p = realloc(0, 2);
  p[2] = 1; // expect: fault write of 1 byte
  return 0;
}
