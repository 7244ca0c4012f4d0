// expect: exit 0
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
int main(void)
{
  static const char *numbers[] = {"12", " -7x", "+3.5e2z", "0x1p3", "0x", "1e", "1e+", ".5", ".", "nan(ab)c", "nan(ab", "INFINITYx", "infin", "-", "", "e5", "123456789012345", "1.", "0x.8p", "0x.", "00012"};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    char *end;
    strtod(numbers[i], &end);
    printf("%d %s\n", (int)(end - numbers[i]), end);
  }
  char *end;
  printf("%.1f %.1f %.1f %.1f\n", strtod("12", &end), atof(" -70"), (double)strtof("00012", 0), strtod("+123456789012345", 0));
  char text[] = "a,b;;c", *rest = text, *piece;
  while ((piece = strsep(&rest, ",;")) != NULL)
    printf("<%s>", piece);
  puts("");
  puts(strcasestr("Hello World", "WORLD"));
  printf("%d\n", strcasestr("Hello", "x") == NULL);
  puts(strchrnul("abc=d", '='));
  printf("[%s]\n", strchrnul("abc", '='));
  char to[8];
  char *p = memccpy(to, "abcdef", 'c', 6);
  printf("%d %.3s %d\n", (int)(p - to), to, memccpy(to, "abc", 'x', 3) == NULL);
  puts((char *)memrchr("abcabc", 'b', 6));
  puts((char *)rawmemchr("abcabc", 'c'));
  puts((char *)memmem("abcabd", 6, "abd", 3));
  printf("%d %d\n", memmem("abc", 3, "x", 1) == NULL, memmem("abc", 3, "", 0) != NULL);
  char *made;
  printf("%d ", asprintf(&made, "%d-%s", 12, "x"));
  puts(made);
  free(made);
  assert(strerror(2) != NULL && strlen(strerror(2)) < 64);
  time_t now = 0;
  struct tm date, *where = gmtime(&now);
  if (where != NULL)
    assert(gmtime_r(&now, &date) == &date || 1);
  return 0;
}
