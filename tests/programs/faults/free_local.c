#include <stdlib.h>
int main(void)
{
  int x = 1;
  free(&x); // expect: fault free
  return x;
}
