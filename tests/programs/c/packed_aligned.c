// expect: exit 0
// The attributes packed and aligned, _Alignas and #pragma pack.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct __attribute__((packed)) tight {
  char a;
  int b;
  short c;
  long long d;
};
struct member {
  char a;
  int b __attribute__((packed));
  char c;
  int d;
};
struct __attribute__((aligned(16))) big {
  char a;
};
struct align_member {
  char a;
  char b __attribute__((aligned(8)));
  _Alignas(4) char c;
};
#pragma pack(push, 2)
struct two {
  char a;
  int b;
};
#pragma pack(pop)
struct holder {
  char a;
  struct tight t;
  struct big b;
};
_Alignas(32) static char aligned[5];

int main(void)
{
  assert(sizeof(struct tight) == 15 && offsetof(struct tight, d) == 7);
  assert(offsetof(struct member, b) == 1 && offsetof(struct member, d) == 8);
  assert(sizeof(struct big) == 16 && sizeof(struct big[2]) == 32);
  assert(offsetof(struct align_member, b) == 8 && offsetof(struct align_member, c) == 12);
  assert(sizeof(struct two) == 6 && offsetof(struct two, b) == 2);
  assert(offsetof(struct holder, t) == 1 && offsetof(struct holder, b) == 16);
  struct tight t = {1, 0x12345678, 3, -4}, u = t;
  t.b++;
  int *p = &t.b;
  *p += 1;
  assert(t.b == 0x1234567a && u.b == 0x12345678 && t.d == -4);
  struct tight array[3] = {{.b = 1}, {.b = 2}, {.b = 3}};
  assert(array[2].b == 3 && (char *)&array[1] - (char *)array == 15);
  assert((uintptr_t)aligned % 32 == 0);
  struct big local;
  assert((uintptr_t)&local % 16 == 0);
  printf("%d %d %d\n", (int)sizeof(struct member), (int)sizeof(struct align_member),
         (int)sizeof(struct holder));
  return 0;
}
