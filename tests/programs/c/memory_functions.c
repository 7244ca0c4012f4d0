// expect: exit 0
// memset, memcpy, memmove, memcmp, memchr: overlapping, odd sizes, parts of structs.
#include <assert.h>
#include <stdio.h>
#include <string.h>

struct pair {
  int a;
  char text[6];
  short b;
};

int main(void)
{
  char buffer[12] = "abcdefghij";
  assert(memmove(buffer + 2, buffer, 8) == buffer + 2 && !strcmp(buffer, "ababcdefgh"));
  memmove(buffer, buffer + 2, 8);
  assert(!strcmp(buffer, "abcdefghgh"));
  assert(memset(buffer, 'x', 3) == buffer && !memcmp(buffer, "xxxd", 4));
  memset(buffer + 1, 0x141, 1);
  assert(buffer[1] == 'A');
  int array[4];
  memset(array, 0xff, sizeof array);
  assert(array[0] == -1 && array[3] == -1);
  memset(array, 1, 5);
  assert(array[0] == 0x01010101 && array[1] == (int)0xffffff01);
  struct pair p = {1, "hello", 2}, q;
  memcpy(&q, &p, sizeof p);
  assert(q.a == 1 && q.b == 2 && !strcmp(q.text, "hello"));
  memcpy(q.text + 1, p.text, 2);
  assert(!strcmp(q.text, "hhelo"));
  memset(&p, 0, sizeof p);
  assert(p.a == 0 && p.text[4] == 0 && p.b == 0);
  unsigned u = 0x01020304;
  unsigned char bytes[4];
  memcpy(bytes, &u, 4);
  assert(bytes[0] == 4 && bytes[3] == 1);
  memcpy((char *)&u + 1, bytes + 2, 2);
  assert(u == 0x01010204);
  memcpy(&u, &u, 0);
  double d = 1.0;
  unsigned long long bits;
  memcpy(&bits, &d, 8);
  assert(bits == 0x3ff0000000000000);
  assert(memcmp("abc", "abd", 3) < 0 && memcmp("abc", "abd", 2) == 0 && memcmp("\xff", "a", 1) > 0);
  assert(memcmp(&q, &q, sizeof q) == 0 && memcmp("x", "y", 0) == 0);
  char *found = memchr("hello", 'l', 5);
  assert(found && *found == 'l' && found[1] == 'l' && !memchr("hello", 'z', 5) && !memchr("ab", 'b', 1));
  int *pointers[2] = {array, array + 1}, *copies[2];
  memcpy(copies, pointers, sizeof copies);
  assert(*copies[1] == array[1] && copies[0] == array);
  for (int n = 0; n < 5; n++) {
    char a[8] = "1234567";
    memmove(a + 1, a, n);
    printf("%s ", a);
  }
  printf("\n");
  return 0;
}
