// expect: exit 0
// typeof, __auto_type and _Generic.
#include <assert.h>
#include <stdio.h>

#define KIND(x)                                                                                    \
  _Generic((x), _Bool: "bool", char: "char", signed char: "schar", unsigned char: "uchar",         \
           short: "short", unsigned short: "ushort", int: "int", unsigned: "unsigned",             \
           long: "long", unsigned long: "ulong", long long: "llong", unsigned long long: "ullong", \
           float: "float", double: "double", char *: "string", const char *: "cstring",            \
           int *: "intp", default: "other")
#define swap(a, b)                                                                                 \
  do {                                                                                             \
    typeof(a) t = (a);                                                                             \
    (a) = (b);                                                                                     \
    (b) = t;                                                                                       \
  } while (0)

static int f(int x) { return x; }
static int evaluated;

int main(void)
{
  char c = 1;
  short s = 2;
  unsigned u = 3;
  float fl = 1;
  int a[3] = {1, 2, 3};
  const char *cs = "x";
  puts(KIND(c));
  puts(KIND(s));
  puts(KIND(u));
  puts(KIND(fl));
  puts(KIND(1.0));
  puts(KIND(+c));
  puts(KIND(c + s));
  puts(KIND(1L));
  puts(KIND(1ULL));
  puts(KIND(s + u));
  puts(KIND(a));
  puts(KIND(cs));
  puts(KIND(&cs));
  puts(KIND((_Bool)1));
  puts(KIND(1 == 2));
  puts(KIND('a'));
  puts(KIND(1u + 1L));
  puts(KIND(1.0f * 2));
  int n = _Generic(evaluated++, int: 5, default: 6);
  assert(n == 5 && evaluated == 0 && _Generic(c, char: f, default: 0)(4) == 4);
  typeof(a) b = {4, 5, 6};
  typeof(a[0]) *p = b;
  typeof(f) *g = f;
  typeof(int[2]) pair = {1, 2};
  typeof(1 + 1LL) wide = 1LL << 40;
  assert(b[2] == 6 && p[1] == 5 && g(3) == 3 && sizeof pair == 8 && wide >> 40 == 1);
  swap(a[0], a[2]);
  assert(a[0] == 3 && a[2] == 1);
  __auto_type d = 2.5;
  assert(sizeof d == 8 && d * 2 == 5);
  const typeof(u) fixed = -1;
  assert(fixed == ~0u && sizeof(typeof(evaluated++)) == 4 && evaluated == 0);
  struct {
    int x;
  } anonymous = {1};
  typeof(anonymous) copy = anonymous;
  assert(copy.x == 1);
  return 0;
}
