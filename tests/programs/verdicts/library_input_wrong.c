// verdict: FALSE
// bounded: FALSE
// Numbers from outside are inputs.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(void)
{
  time_t now = 0;
  time(&now);
  if (now == 12345 && rand() == 77 && getchar() == 'y')
    assert(fopen("file", "r") == 0); // error: assertion failed
  return 0;
}
