// verdict: TRUE
// bounded: TRUE
// read writes as many bytes as it says, and no others.
#include <assert.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
  char b[6] = "abcde";
  short s[3] = {1, 2, 3};
  long n = read(0, b, sizeof b);
  assert(n <= 6 && (n > 3 || b[3] == 'd'));
  if (fread(s, sizeof *s, 2, stdin) < 3)
    assert(s[2] == 3);
  return 0;
}
