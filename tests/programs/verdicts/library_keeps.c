// verdict: TRUE
// bounded: TRUE
// Only what a function may write becomes unknown, and the limits of results are known.
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
  char text[8];
  int other = 5;
  text[6] = 3;
  int n = read(0, text, 4);
  assert(n >= -1 && n <= 4);
  assert(text[6] == 3 && other == 5);
  assert(rand() >= 0);
  return 0;
}
