#include <stdlib.h>
int main(void)
{
  char *p = malloc(4);
  free(p + 1); // expect: fault free
  return 0;
}
