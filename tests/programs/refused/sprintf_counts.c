#include <stdio.h>
int main(void)
{
  char text[10];
  int n = 0;
  sprintf(text, "ab%n", &n); // refused: 3 the format '%n' is not supported
  return n;
}
