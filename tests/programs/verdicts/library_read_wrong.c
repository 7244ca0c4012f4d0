// verdict: FALSE
// bounded: FALSE
// What read gives is an input: a run with these very bytes can be replayed.
#include <assert.h>
#include <unistd.h>
int main(void)
{
  char b[6] = "abcde";
  long n = read(0, b, sizeof b);
  if (n == 4 && b[0] == 'x')
    assert(b[3] == 'd' || b[4] != 'e'); // error: b[3] == 'd'
  return 0;
}
