#include <stdio.h>
int main(void)
{
  int n = 0;
  printf("abc%n\n", &n); // refused: 3 the format '%n' is not supported
  return n;
}
