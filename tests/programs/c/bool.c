// expect: exit 0
// _Bool: every scalar converts to 0 or 1 by comparison with zero.
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>

struct flags {
  _Bool a;
  _Bool b : 1;
  bool c[3];
};

static _Bool from_pointer(void *p) { return p; }
static _Bool from_double(double d) { return d; }
static bool low_byte_zero(int x) { return x; }

int main(void)
{
  _Bool b = 2;
  assert(b == 1 && sizeof b == 1);
  b = 256;
  assert(b == 1);
  b = 0.5;
  assert(b == 1);
  b = 0.0;
  assert(b == 0);
  b = &b;
  assert(b);
  assert(!from_pointer(0) && from_pointer(&b));
  assert(from_double(0.1) && from_double(-0.5) && !from_double(-0.0));
  assert(low_byte_zero(1 << 16));
  b = true;
  b++;
  assert(b == 1);
  b--;
  assert(b == 0);
  b--;
  assert(b == 1);
  b += 5;
  assert(b == 1);
  b -= 1;
  assert(b == 0);
  b |= 4;
  assert(b == 1);
  b <<= 3;
  assert(b == 1);
  b ^= 1;
  assert(b == 0);
  b = ~b;
  assert(b == 1);
  b *= 0;
  assert(!b);
  assert(b++ == 0 && b == 1 && --b == 0 && b-- == 0 && b == 1);
  struct flags f = {3, 2, {7, 0, -1}};
  assert(f.a == 1 && f.b == 1 && f.c[0] + f.c[1] + f.c[2] == 2);
  f.b += 1;
  assert(f.b == 1);
  f.b = 0;
  f.b--;
  assert(f.b == 1);
  assert(sizeof((_Bool)1 + (_Bool)1) == sizeof(int) && (_Bool)3 + (_Bool)4 == 2);
  _Bool *p = f.c;
  *++p = 8;
  assert(f.c[1] == 1);
  int big = 0x100;
  assert((_Bool)big == 1 && (char)big == 0 && !!big == 1);
  printf("%d %d %d\n", b, f.a, (bool)'a');
  return 0;
}
