// expect: exit 0
// Integer and character constants and the types they have.
#include <assert.h>
#include <stdio.h>

int main(void)
{
  assert(10 == 0xA && 012 == 10 && 0b1010 == 10);
  assert(sizeof 2147483647 == 4 && sizeof 2147483648 == 8 && sizeof 0xffffffff == 4);
  assert(sizeof 1L == sizeof(long) && sizeof 1ll == 8 && sizeof 1ULL == 8);
  assert(0xffffffff > 0 && 4294967295 > 0 && -1 < 0xffffffffLL);
  assert((0xffffffff == -1) == 1);
  assert('a' == 97 && '\n' == 10 && '\0' == 0 && '\x41' == 65 && '\101' == 'A');
  assert('\'' == 39 && '"' == 34 && '\\' == 92 && '\?' == 63);
  assert('\a' == 7 && '\b' == 8 && '\f' == 12 && '\r' == 13 && '\t' == 9 && '\v' == 11);
  assert('\377' == -1 && '\xff' == -1 && '\x80' == -128);
  assert('ab' == 24930);
  assert(L'x' == 120 && sizeof L'x' == 4 && L'\xff' == 255 && u'\xffff' == 65535);
  assert(1e2 == 100 && 0x1p4 == 16 && .5 + .5 == 1 && 1.f == 1.0);
  printf("%d %d %d\n", 'ab', '\e', L'\u20ac');
  return 0;
}
