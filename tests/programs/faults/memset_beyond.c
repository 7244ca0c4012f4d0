#include <string.h>
int main(void)
{
  int a[2];
  memset(a, 0, 9); // expect: fault 9 bytes
  return 0;
}
