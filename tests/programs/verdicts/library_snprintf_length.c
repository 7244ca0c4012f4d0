// verdict: TRUE
// bounded: UNKNOWN
// It is not wrong to say nothing of what snprintf writes, but it must not be called a violation.
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
  char b[10] = "";
  assert(snprintf(b, sizeof b, "%d", 42) == 2 && strlen(b) == 2);
  return 0;
}
