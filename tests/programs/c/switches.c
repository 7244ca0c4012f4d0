// expect: exit 0
// switch: fall-through, default anywhere, ranges, nesting, all types, declarations, empty.
#include <assert.h>
#include <stdio.h>

static int fall(int n)
{
  int r = 0;
  switch (n) {
  case 1: r += 1;
  case 2: r += 2; break;
  case 3:
  case 4: r += 4;
  default: r += 100;
  case 5: r += 5;
  }
  return r;
}

static int middle(unsigned char c)
{
  switch (c) {
  case 'a' ... 'f': return c - 'a' + 10;
  default: return -1;
  case '0' ... '9': return c - '0';
  case 255: return 255;
  }
}

static int wide(long long x)
{
  switch (x) {
  case 1LL << 40: return 1;
  case -1: return 2;
  case 0xffffffff: return 3;
  case -5 ... -3: return 4;
  }
  return 0;
}

static int promoted(signed char c)
{
  switch (c) {
  case -1: return 1;
  case 255: return 2;
  case 'a': return 3;
  }
  return 4;
}

static int nested(int a, int b)
{
  switch (a) {
  case 1:
    switch (b) {
    case 1: return 11;
    case 2: break;
    default: a = 9;
    }
    return a * 10 + b;
  case 2:
    for (;;) {
      switch (b++) {
      case 3: continue;
      case 5: goto out;
      default: break;
      }
      if (b > 9)
        break;
    }
    return b;
  }
out:
  return -b;
}

static int duff(char *to, const char *from, int count)
{
  int n = (count + 3) / 4, rounds = 0;
  switch (count % 4) {
  case 0: do { rounds++; *to++ = *from++;
  case 3: *to++ = *from++;
  case 2: *to++ = *from++;
  case 1: *to++ = *from++;
    } while (--n > 0);
  }
  *to = 0;
  return rounds;
}

static int unsigned_range(unsigned u)
{
  switch (u) {
  case 0x80000000 ... 0xffffffff: return 1;
  case 0 ... 10: return 2;
  default: return 3;
  }
}

int main(void)
{
  for (int i = 0; i < 7; i++)
    printf("%d ", fall(i));
  for (int i = 40; i < 110; i += 5)
    printf("%d ", middle(i));
  printf("%d %d %d %d %d\n", wide(1LL << 40), wide(-1), wide(0xffffffff), wide(-4), wide(1));
  assert(promoted(-1) == 1 && promoted(97) == 3 && promoted((char)255) == 1 && middle(255) == 255);
  assert(nested(1, 1) == 11 && nested(1, 2) == 12 && nested(1, 3) == 93 && nested(3, 4) == -4);
  assert(nested(2, 1) == -6 && nested(2, 8) == 10);
  char out[20];
  printf("%d %s\n", duff(out, "hello, duff", 11), out);
  assert(out[10] == 'f' && duff(out, "abcd", 4) == 1 && out[4] == 0);
  assert(unsigned_range(~0u) == 1 && unsigned_range(3) == 2 && unsigned_range(99) == 3);
  int x = 0;
  switch (x) {
  }
  switch (x)
  default: x = 4;
  assert(x == 4);
  switch (x) {
    int inner;
    inner = 1;
  case 4:
    inner = 5;
    x += inner;
  }
  assert(x == 9);
  switch (x++) {
  case 9: x *= 2;
  }
  assert(x == 20);
  switch (7)
  case 7: x = 1;
  switch (7)
  case 8: x = 2;
  assert(x == 1);
  switch (x) {
    while (x < 10) {
    case 1: x += 3;
    }
  }
  assert(x == 10);
  _Bool b = 1;
  switch (b) {
  case 0: return 1;
  case 1: break;
  }
  return 0;
}
