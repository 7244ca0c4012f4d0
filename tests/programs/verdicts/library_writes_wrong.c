// verdict: FALSE
// bounded: UNKNOWN
// snprintf writes its buffer, and strtod the pointer.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
  char text[10] = "";
  char *end = 0;
  snprintf(text, sizeof text, "%d", 42);
  strtod(text, &end);
  assert(end == 0 || text[0] == 0); // error: assertion failed
  return 0;
}
