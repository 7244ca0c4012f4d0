// verdict: FALSE
// bounded: FALSE
// fgets gives any line.
#include <assert.h>
#include <stdio.h>
int main(void)
{
  char text[4] = "";
  if (fgets(text, sizeof text, stdin))
    assert(text[0] != 'o' || text[1] != 'k'); // error: assertion failed
  return 0;
}
