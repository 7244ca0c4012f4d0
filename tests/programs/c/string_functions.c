// expect: exit 0
// The str* functions.
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void)
{
  char b[32];
  assert(strlen("") == 0 && strlen("hello") == 5 && strlen("a\0b") == 1);
  assert(strnlen("hello", 3) == 3 && strnlen("hi", 10) == 2);
  assert(strcpy(b, "first") == b && !strcmp(b, "first"));
  assert(strcat(b, " second") == b && !strcmp(b, "first second"));
  assert(!strcmp(strncpy(b, "xyz", 2), "xyrst second"));
  strncpy(b, "ab", 6);
  assert(!memcmp(b, "ab\0\0\0\0second", 12));
  strcpy(b, "one");
  assert(!strcmp(strncat(b, "twothree", 3), "onetwo") && !strcmp(strncat(b, "x", 9), "onetwox"));
  assert(stpcpy(b, "end") == b + 3);
  const char *words[] = {"", "a", "ab", "abc", "b", "\xe9", "A"};
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 7; j++)
      printf("%d%d%d ", sign(strcmp(words[i], words[j])), sign(strncmp(words[i], words[j], 2)),
             sign(strcasecmp(words[i], words[j])));
  printf("\n");
  const char *s = "hello world";
  assert(strchr(s, 'o') == s + 4 && strrchr(s, 'o') == s + 7 && !strchr(s, 'z') && !strrchr(s, 'z'));
  assert(strchr(s, 0) == s + 11 && strrchr(s, 0) == s + 11 && strchr(s, 'h' + 256) == s);
  assert(strstr(s, "wor") == s + 6 && !strstr(s, "word") && strstr(s, "") == s && strstr("aab", "ab"));
  assert(strspn(s, "ehl") == 4 && strcspn(s, " ") == 5 && strspn(s, "") == 0 && strcspn(s, "") == 11);
  assert(strpbrk(s, "xyo") == s + 4 && !strpbrk(s, "xyz"));
  char *copy = strdup(s);
  copy[0] = 'j';
  assert(!strcmp(copy, "jello world") && s[0] == 'h');
  free(copy);
  copy = strndup(s, 5);
  assert(!strcmp(copy, "hello"));
  free(copy);
  assert(strncasecmp("HELLO", "help", 3) == 0 && strncasecmp("HELLO", "help", 4) < 0);
  assert(atoi("42") == 42 && atoi("  -17x") == -17 && atoi("+5") == 5 && atoi("x") == 0);
  assert(atol("123456") == 123456 && atoll("-99999999999") == -99999999999LL);
  char *end;
  assert(strtol("0x1f!", &end, 16) == 31 && *end == '!' && strtol("077", 0, 0) == 63);
  assert(strtoul("101", 0, 2) == 5 && strtoll("-12", 0, 10) == -12);
  assert(strtol("  -z", &end, 36) == -35 && !*end && strtol("", &end, 0) == 0 && strtol("0x", &end, 0) == 0);
  assert(*end == 'x' && strtoul("-1", 0, 10) == ~0ul && strtol("9", &end, 8) == 0 && *end == '9');
  assert(strtoll("9223372036854775808", 0, 10) == ~0ull >> 1);
  assert(strtoll("-9223372036854775809", 0, 10) == (long long)(1ull << 63));
  assert(strtoll("-9223372036854775808", 0, 10) == (long long)(1ull << 63));
  assert(strtoull("18446744073709551616", 0, 10) == ~0ull && strtoul("-0x2", 0, 0) == -2ul);
  assert(strtol("2147483648", 0, 10) == (sizeof(long) == 4 ? 2147483647 : 2147483648));
  char text[] = "a,b;;c";
  char *t = strtok(text, ",;");
  while (t) {
    printf("%s.", t);
    t = strtok(0, ",;");
  }
  printf("\n");
  assert(abs(-3) == 3 && labs(-3L) == 3 && llabs(-3LL) == 3);
  return 0;
}
