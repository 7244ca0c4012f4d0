#include <string.h>
int main(void)
{
  char a[4] = "abc", b[16];
  memcpy(b, a, 5); // expect: fault 5 bytes
  return 0;
}
