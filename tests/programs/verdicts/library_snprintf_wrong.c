// verdict: FALSE
// bounded: FALSE
// The run computes what snprintf writes.
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
  char b[10] = "";
  int n = snprintf(b, sizeof b, "%d", 42);
  assert(strlen(b) == 0 || n != 2); // error: strlen(b) == 0
  return 0;
}
