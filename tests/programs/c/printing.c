// expect: exit 0
// printf, puts and putchar: flags, widths, all integer sizes, strings, results.
#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

int main(void)
{
  int n = printf("%d|%5d|%-5d|%05d|%+d|% d|%x|%X|%#x|%o|%#o|%u\n", -42, 42, 42, 42, 42, 42, 255, 255,
                 255, 8, 8, -1);
  printf("%d\n", n);
  printf("%hhd %hd %ld %lld %hhu %hu %lu %llu\n", 300, 70000, -5L, -6LL, 300, 70000, 5UL, ~0ULL);
  printf("%zu %td %jd\n", sizeof(int), (ptrdiff_t)-3, (intmax_t)-9);
  printf("%c%c%c %s %.2s %8s|%-8s| %%\n", 'a', 98, 'c', "text", "text", "right", "left");
  printf("%*d|%-*d|%.*s|%.3d|%8.3d|%-8.3x|\n", 6, 1, 6, 2, 3, "abcdef", 7, 7, 255);
  printf("%" PRId64 " %" PRIx32 " %" PRIu8 "\n", (int64_t)1 << 40, (uint32_t)0xabc, (uint8_t)9);
  printf("%lld %lld\n", (long long)0x7fffffffffffffff, -0x7fffffffffffffffLL - 1);
  printf("no arguments\n");
  printf("%s%s\n", "", "empty");
  assert(puts("line") >= 0);
  assert(putchar('A') == 'A' && putchar(256 + 'B') == 'B');
  putchar('\n');
  fprintf(stdout, "%d to stdout\n", 1);
  fputs("fputs\n", stdout);
  fputc('x', stdout);
  putc('\n', stdout);
  printf("%i %5.2f %g %g %e\n", 3, 2.345, 1e20, 0.0001, 1.5);
  char zero[] = {'a', 0, 'b'};
  printf("%s %c|\n", zero, 'z');
  return 0;
}
