// verdict: TRUE
// bounded: TRUE
// What fgets reads ends with a zero, and has a line's end only before it.
#include <assert.h>
#include <stdio.h>
int main(void)
{
  char text[4];
  text[3] = 'x';
  if (fgets(text, sizeof text, stdin)) {
    assert(text[0] == 0 || text[1] == 0 || text[2] == 0 || text[3] == 0);
    assert(text[0] != '\n' || text[1] == 0);
  }
  return 0;
}
