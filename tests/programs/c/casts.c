// expect: exit 0
// Explicit casts between integers, pointers, floats, void and structs.
#include <assert.h>
#include <stdint.h>
#include <stdio.h>

struct pair {
  int a, b;
};
static int effect;
static int bump(void) { return ++effect; }

int main(void)
{
  int x = -1;
  assert((unsigned)x == 0xffffffffu && (unsigned char)x == 255 && (signed char)0x1ff == -1);
  assert((long long)x == -1 && (unsigned long long)x == ~0ULL);
  assert((unsigned long long)(unsigned)x == 0xffffffffULL && (long long)(unsigned char)x == 255);
  assert((short)0x12348765 == (short)0x8765 && (short)0x8765 < 0 && (int)3.99 == 3 && (int)-3.99 == -3);
  (void)bump();
  (void)0, (void)x;
  assert(effect == 1);
  void *p = &x;
  assert(*(int *)p == -1 && *(unsigned char *)p == 255 && *(short *)p == -1);
  uintptr_t n = (uintptr_t)p;
  assert((void *)n == p && (int *)(n | 0) == &x && (n & 3) == 0);
  struct pair s = {1, 2}, *q = (struct pair *)&s.a;
  assert(((struct pair *)(void *)&s)->b == 2 && q->b == 2 && ((int *)&s)[1] == 2);
  const int c = 7;
  *(int *)&x = c;
  assert(x == 7 && (const int)x == 7);
  assert((char)65 == 'A' && (int)'A' == 65 && (_Bool)0x100 && (float)1 / 2 == 0.5f && (int)1.5f * 2 == 2);
  assert((int)(char)(unsigned char)200 == -56 && (unsigned)(unsigned short)(short)-1 == 65535);
  int (*f)(void) = (int (*)(void))(void *)(uintptr_t)bump;
  assert(f() == 2 && (intptr_t)(char *)-1 == -1 && (int)(intptr_t)(void *)5 == 5);
  unsigned long address = (unsigned long)&s;
  assert(address == (unsigned long)&s.a && address + 4 == (unsigned long)&s.b);
  enum e { E = 3 };
  assert((enum e)3 == E && (int)(enum e)8 == 8);
  printf("%d %u %lld\n", (char)x, (unsigned)-7, (long long)(int)0xffffffff);
  return 0;
}
