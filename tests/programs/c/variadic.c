// expect: exit 0
// Variadic functions: va_arg of every kind of type, va_copy, va_lists passed on.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

struct pair {
  int a, b;
};
struct big {
  long long v[3];
};
struct tiny {
  char c;
};

struct typed { int n; };

static int sum_of_typed(struct typed *to, int n, ...)
{
  va_list ap;
  int s = 0;
  va_start(ap, n);
  while (n--) {
    to->n = va_arg(ap, __typeof__(to->n));
    s += to->n;
  }
  va_end(ap);
  return s;
}

static int sum(int n, ...)
{
  va_list ap;
  int s = 0;
  va_start(ap, n);
  while (n--)
    s += va_arg(ap, int);
  va_end(ap);
  return s;
}

static long long mixed(const char *kinds, ...)
{
  va_list ap;
  long long h = 0;
  va_start(ap, kinds);
  for (; *kinds; kinds++) {
    h *= 3;
    switch (*kinds) {
    case 'i': h += va_arg(ap, int); break;
    case 'u': h += va_arg(ap, unsigned); break;
    case 'l': h += va_arg(ap, long); break;
    case 'L': h += va_arg(ap, long long); break;
    case 'd': h += (long long)(va_arg(ap, double) * 2); break;
    case 's': h += va_arg(ap, char *)[1]; break;
    case 'p': h += va_arg(ap, struct pair).b; break;
    case 'P': h += va_arg(ap, struct pair *)->a; break;
    case 'b': h += va_arg(ap, struct big).v[2]; break;
    case 't': h += va_arg(ap, struct tiny).c; break;
    case 'f': h += va_arg(ap, int (*)(int, ...))(2, 30, 4); break;
    }
  }
  va_end(ap);
  return h;
}

static int from_list(int n, va_list ap)
{
  int s = 0;
  while (n--)
    s = s * 10 + va_arg(ap, int);
  return s;
}

static int twice(int n, ...)
{
  va_list ap, copy;
  va_start(ap, n);
  (void)va_arg(ap, int);
  va_copy(copy, ap);
  int first = from_list(n - 1, ap);
  int second = from_list(n - 1, copy);
  va_end(copy);
  va_end(ap);
  va_start(ap, n);
  int third = va_arg(ap, int);
  va_end(ap);
  return first == second ? first * 10 + third : -1;
}

static int through_pointer(va_list *ap) { return va_arg(*ap, int); }
static int pointed(int n, ...)
{
  va_list ap;
  va_start(ap, n);
  int a = through_pointer(&ap), b = through_pointer(&ap), c = va_arg(ap, int);
  va_end(ap);
  return a * 100 + b * 10 + c;
}

static int nested(int depth, ...)
{
  va_list ap;
  va_start(ap, depth);
  int mine = va_arg(ap, int);
  int below = depth ? nested(depth - 1, mine + 1) : 0;
  int more = depth ? 0 : mine;
  va_end(ap);
  return mine + below + more;
}

int main(void)
{
  char c = -1;
  unsigned char uc = 200;
  short s = -300;
  float f = 1.5f;
  _Bool b = 1;
  assert(sum(0) == 0 && sum(3, 1, 2, 3) == 6 && sum(4, c, uc, s, b) == -1 + 200 - 300 + 1);
  struct typed typed;
  assert(sum_of_typed(&typed, 3, 1, 2, 4) == 7 && typed.n == 4);
  struct pair p = {3, 4};
  struct big g = {{5, 6, 7}};
  struct tiny t = {8};
  printf("%lld\n", mixed("iulLdspPbtfi", -1, 4000000000u, -5L, 1LL << 40, 2.5, "xyz", p, &p, g, t,
                         sum, 11));
  assert(mixed("dd", f, -f) == 6 && mixed("LiL", 1LL, 2, 3LL) == 18);
  assert(twice(4, 1, 2, 3, 4) == 2341 && pointed(3, 4, 5, 6) == 456);
  assert(nested(3, 10) == 10 + 11 + 12 + 13 + 13);
  int (*pointer)(int, ...) = sum;
  assert(pointer(2, 40, 2) == 42 && sum(sum(1, 2), sum(2, 1, 1), 3) == 5);
  return 0;
}
