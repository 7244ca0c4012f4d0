// verdict: FALSE
// bounded: UNKNOWN
// The call says more bytes than there are: it may still be right, if fewer are written.
#include <assert.h>
#include <unistd.h>
int main(void)
{
  char text[4] = "abc";
  if (read(0, text, 1000) == 1)
    assert(text[0] == 'a'); // error: assertion failed: text[0] == 'a'
  return 0;
}
