// verdict: FALSE
// bounded: FALSE
// What getenv gives is null, or a text from outside.
#include <assert.h>
#include <stdlib.h>
int main(void)
{
  char *home = getenv("HOME");
  if (home && home[0] == 'a')
    assert(home[1] == 'b'); // error: home[1] == 'b'
  return 0;
}
