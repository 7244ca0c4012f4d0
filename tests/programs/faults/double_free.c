#include <stdlib.h>
int main(void)
{
  char *p = malloc(4), *q = p;
  free(p);
  free(q); // expect: fault free
  return 0;
}
