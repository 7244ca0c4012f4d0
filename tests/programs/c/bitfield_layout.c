// expect: exit 0
// Where bit-fields lie: units, straddling, zero width, packed, in unions; the bytes are printed.
#include <assert.h>
#include <stdio.h>
#include <string.h>

struct straddle {
  unsigned a : 20, b : 20, c : 20;
};
struct chars {
  unsigned char a : 3, b : 3, c : 3;
  char d;
};
struct mixed {
  char first;
  int a : 4;
  short b : 9;
  long long c : 50;
  int : 0;
  char last : 1;
};
struct __attribute__((packed)) packed {
  unsigned a : 3;
  unsigned b : 30;
  unsigned long long c : 60;
  char d;
  int e;
  unsigned f : 9;
};
union u {
  unsigned a : 5;
  int b : 3;
  unsigned char whole;
};
struct after {
  int x : 7;
  struct {
    int y : 7;
  } in;
  int z : 7;
};

#define DUMP(T, ...)                                                                               \
  do {                                                                                             \
    union {                                                                                        \
      T value;                                                                                     \
      unsigned char raw[sizeof(T)];                                                                \
    } v;                                                                                           \
    memset(&v, 0, sizeof v);                                                                       \
    T *p = &v.value;                                                                               \
    __VA_ARGS__;                                                                                   \
    for (unsigned i = 0; i < sizeof v; i++)                                                        \
      printf("%02x", v.raw[i]);                                                                    \
    printf(" %d\n", (int)sizeof v);                                                                \
  } while (0)

int main(void)
{
  DUMP(struct straddle, p->a = 0xabcde, p->b = 0x12345, p->c = 0xfffff);
  DUMP(struct chars, p->a = 5, p->b = 6, p->c = 7, p->d = 1);
  DUMP(struct mixed, p->first = 1, p->a = -1, p->b = 0x155, p->c = -2, p->last = 1);
  DUMP(struct packed, p->a = 5, p->b = 0x2aaaaaaa, p->c = 0xfedcba987654321, p->d = -1,
       p->e = 0x01020304, p->f = 0x1ff);
  DUMP(union u, p->a = 0x1b);
  DUMP(struct after, p->x = 33, p->in.y = -3, p->z = 63);
  struct packed q = {1, 2, 3, 4, 5, 6};
  q.b += q.a, q.c -= q.e, q.f <<= 2;
  assert(q.a == 1 && q.b == 3 && q.c == 0xffffffffffffffe && q.d == 4 && q.e == 5 && q.f == 24);
  union u v = {.whole = 0xff};
  assert(v.a == 31 && v.b == -1);
  v.b = 0;
  assert(v.whole == 0xf8);
  struct straddle s = {~0u, 0, ~0u};
  assert(s.a == 0xfffff && s.b == 0 && s.c == 0xfffff);
  s.b--;
  assert(s.b == 0xfffff && s.a == 0xfffff);
  return 0;
}
