// expect: exit 0
// sprintf and its kin write to memory; also through a va_list and behind a pointer.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct record { char name[8]; char path[20]; };

static int wrapped(char *to, size_t n, const char *format, ...)
{
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(to, n, format, args);
  assert(vsnprintf(NULL, 0, format, again) == length);
  va_end(again);
  va_end(args);
  return length;
}

static void report(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  va_start(args, format);
  vfprintf(stdout, format, args);
  va_end(args);
}

int main(void)
{
  char text[60] = "0123456789";
  struct record r;
  strcpy(r.path, "abc");
  printf("%d ", snprintf(text, 4, "%d-%s", 4242, "x"));
  printf("%s %d\n", text, text[4]);
  printf("%d ", sprintf(r.name, "%s", r.path)); // what lies behind it stays as it is
  printf("%s %s\n", r.name, r.path);
  int n = wrapped(text, sizeof text, "%c %ld %5.2f %s %p|%-4hhd|%*d %llx", 'q', -7L, 2.5, "str",
                  (void *)0, 300, 6, 12, 1ull << 40);
  printf("%d %s\n", n, text);
  report("%s %d %u\n", "hello", -7, 8u);
  int (*function)(char *, size_t, const char *, ...) = snprintf;
  assert(function(text, 10, "%03d", 7) == 3 && strcmp(text, "007") == 0);
  int (*unlimited)(char *, const char *, ...) = sprintf;
  assert(unlimited(text, "%s/%s", "a", "b") == 3 && strcmp(text, "a/b") == 0);
  assert(snprintf(NULL, 0, "%s%s", "abc", "def") == 6);
  text[0] = 'z';
  assert(snprintf(text, 0, "abc") == 3 && text[0] == 'z' && snprintf(text, 1, "abc") == 3);
  assert(text[0] == 0);
  return 0;
}
