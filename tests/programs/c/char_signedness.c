// expect: exit 0
// Plain char is signed; strings and comparisons follow from that.
#include <assert.h>
#include <stdio.h>

int main(void)
{
  char c = 200;
  unsigned char u = 200;
  signed char s = 200;
  assert(c == -56 && s == -56 && u == 200);
  assert(c < 0 && c != u && c == s);
  assert((unsigned char)c == u);
  const char *text = "\xe9\x7f\x80";
  assert(text[0] == -23 && text[1] == 127 && text[2] == -128);
  const unsigned char *bytes = (const unsigned char *)text;
  assert(bytes[0] == 0xe9 && bytes[2] == 0x80);
  c = 127;
  c++;
  assert(c == -128);
  u = 0;
  u--;
  assert(u == 255);
  int table[256] = {0};
  table[(unsigned char)text[0]]++;
  assert(table[0xe9] == 1);
  printf("%d %d %u %c\n", c, u, (unsigned)(char)-2, 'z');
  return 0;
}
