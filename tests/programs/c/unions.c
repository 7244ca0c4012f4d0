// expect: exit 0
// Unions: one memory seen as different types, little-endian.
#include <assert.h>
#include <stdio.h>
#include <string.h>

union word {
  unsigned u;
  int i;
  unsigned short h[2];
  unsigned char b[4];
  struct {
    unsigned low : 12, high : 20;
  } f;
  float real;
};
struct tagged {
  int kind;
  union {
    int number;
    const char *text;
    struct {
      short x, y;
    };
  };
};
union both {
  struct {
    char c;
    int i;
  } s;
  char raw[8];
};

static union word global = {.b = {1, 2, 3, 4}};

static union word swapped(union word w)
{
  union word r;
  for (int i = 0; i < 4; i++)
    r.b[i] = w.b[3 - i];
  return r;
}

int main(void)
{
  assert(global.u == 0x04030201);
  union word w = {0x89abcdef};
  assert(w.b[0] == 0xef && w.h[1] == 0x89ab && w.i < 0 && w.f.low == 0xdef && w.f.high == 0x89abc);
  w.b[3] = 0;
  assert(w.u == 0x00abcdef);
  w.h[0] = 0x1234;
  assert(w.u == 0x00ab1234);
  w.f.low = 0xfff;
  assert(w.u == 0x00ab1fff);
  assert(swapped(w).u == 0xff1fab00u);
  w.real = 1.0f;
  assert(w.u == 0x3f800000);
  w.u = 0x40490fdb;
  printf("%.6f\n", w.real);
  struct tagged t = {1, {42}};
  assert(t.number == 42);
  t.x = 5, t.y = -1;
  assert(t.number == (int)0xffff0005);
  t.text = "hello";
  assert(t.text[4] == 'o');
  union both z;
  memset(&z, 0, sizeof z);
  z.s.i = 0x01020304;
  assert(z.raw[4] == 4 && z.raw[7] == 1 && z.raw[0] == 0);
  union both other = z;
  other.raw[5] = 9;
  assert(other.s.i == 0x01020904 && z.s.i == 0x01020304);
  union word *p = &w;
  p->u = 0xffffffff;
  p->b[1]++;
  assert(p->u == 0xffff00ff);
  printf("%x %x %d\n", w.u, w.h[1], t.kind);
  return 0;
}
