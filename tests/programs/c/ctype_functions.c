// expect: exit 0
// The character classes in the "C" locale, for all characters.
#include <assert.h>
#include <ctype.h>
#include <stdio.h>

int main(void)
{
  unsigned sum = 0;
  for (int c = -1; c < 256; c++) {
    int bits = !!isalpha(c) | !!isdigit(c) << 1 | !!isalnum(c) << 2 | !!isspace(c) << 3 |
               !!isupper(c) << 4 | !!islower(c) << 5 | !!ispunct(c) << 6 | !!isprint(c) << 7 |
               !!isgraph(c) << 8 | !!iscntrl(c) << 9 | !!isxdigit(c) << 10 | !!isblank(c) << 11;
    sum = sum * 31 + bits;
    if (c % 16 == 0 && c)
      printf("%u %d %d\n", sum, toupper(c), tolower(c));
  }
  for (const char *s = "aZ5_ \n"; *s; s++)
    printf("%c%c", toupper(*s), tolower(*s));
  assert(isdigit('7') && !isdigit('a') && toupper('q') == 'Q' && tolower('!') == '!');
  int (*classify)(int) = isspace;
  assert(classify(' ') && !classify('x'));
  return 0;
}
