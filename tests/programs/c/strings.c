// expect: exit 0
// String literals: escapes, concatenation, embedded zeros, wide ones, as arrays and as pointers.
#include <assert.h>
#include <stddef.h>
#include <stdio.h>

static char escapes[] = "\a\b\f\n\r\t\v\\\'\"\?\0\1\12\377\x7f\xAb";
static char joined[] = "ab" "cd"
                       "\x41" "B" "";
static char exact[3] = "xyz";
static char padded[6] = "ab";
static char braced[] = {"in braces"};
static const wchar_t wide[] = L"w\u00e9\x1234";
static const char utf[] = u8"é€";
static const unsigned short sixteen[] = u"\u20ac\U0001f600";
static const unsigned thirtytwo[] = U"\U0001f600";
static const char *pointer = "pointed" + 2;

int main(void)
{
  for (unsigned i = 0; i < sizeof escapes; i++)
    printf("%d ", escapes[i]);
  printf("%d\n", (int)sizeof escapes);
  assert(sizeof joined == 7 && joined[4] == 'A' && joined[5] == 'B' && joined[6] == 0);
  assert(exact[2] == 'z' && padded[1] == 'b' && padded[2] == 0 && padded[5] == 0);
  assert(sizeof braced == 10 && braced[3] == 'b');
  assert(sizeof wide == 4 * sizeof(wchar_t) && wide[1] == 0xe9 && wide[2] == 0x1234 && !wide[3]);
  assert(sizeof utf == 6 && (unsigned char)utf[0] == 0xc3 && (unsigned char)utf[4] == 0xac);
  assert(sizeof sixteen == 8 && sixteen[0] == 0x20ac && sixteen[1] == 0xd83d);
  assert(sizeof thirtytwo == 8 && thirtytwo[0] == 0x1f600);
  assert(*pointer == 'i' && pointer[-1] == 'o');
  const char *zero = "ab\0cd";
  assert(zero[2] == 0 && zero[3] == 'c' && sizeof "ab\0cd" == 6);
  assert("index"[2] == 'd' && *"first" == 'f' && 1 ["xy"] == 'y' && *("abc" + 1) == 'b');
  char local[] = "local";
  local[0] = 'v';
  assert(local[0] == 'v' && local[4] == 'l' && sizeof local == 6);
  char *p = local;
  while (*p)
    p++;
  assert(p - local == 5);
  const char(*whole)[4] = &"abc";
  assert((*whole)[2] == 'c' && sizeof *whole == 4);
  assert(sizeof __func__ == 5 && __func__[0] == 'm');
  assert("\1012"[0] == 'A' && "\1012"[1] == '2');
  wchar_t wlocal[4] = L"ab";
  assert(wlocal[1] == 'b' && wlocal[3] == 0);
  printf("%s %s %s %s\n", joined, local, pointer, __FUNCTION__);
  return 0;
}
