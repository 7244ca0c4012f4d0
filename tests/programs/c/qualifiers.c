// expect: exit 0
// const, volatile, restrict, register, inline, _Noreturn and attributes change no values.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static const int table[] = {1, 2, 3};
static volatile int flag = 3;
volatile struct {
  int a;
  volatile char c;
} device = {1, 'x'};
static const volatile unsigned port = 7;
static int *volatile moving = (int *)&table[1];

static inline int square(int x) { return x * x; }
static __inline__ __attribute__((always_inline)) int cube(int x) { return x * square(x); }
extern inline __attribute__((gnu_inline)) int shadowed(int x) { return x + 1; }
int shadowed(int x) { return x + 2; }
_Noreturn static void die(void) { exit(3); }
static void copy(int n, int *restrict to, const int *restrict from)
{
  while (n-- > 0)
    *to++ = *from++;
}
static __attribute__((noinline, unused)) int attributed(int x __attribute__((unused))) { return 4; }
static int pure(int) __attribute__((pure, nonnull));
static int pure(int x) { return x; }

int main(void)
{
  assert(flag == 3 && device.a == 1 && device.c == 'x' && port == 7 && *moving == 2);
  flag = 5;
  flag++;
  flag += 2;
  assert(flag == 8);
  device.c++;
  device.a = flag = 4;
  assert(device.c == 'y' && device.a == 4 && flag == 4);
  volatile int local = 1, *p = &local;
  *p = 6;
  assert(local == 6 && (*p)++ == 6 && local == 7);
  volatile int array[3] = {1, 2, 3};
  for (volatile int i = 0; i < 3; i++)
    array[i] *= 2;
  assert(array[0] + array[1] + array[2] == 12);
  volatile int *volatile pp = array;
  pp++;
  assert(*pp == 4);
  assert(square(3) == 9 && cube(2) == 8 && shadowed(1) == 3 && attributed(1) == 4 && pure(2) == 2);
  int to[3];
  copy(3, to, table);
  assert(to[2] == 3);
  register int fast = to[1];
  const int constant = fast * 2;
  int const *const q = &constant;
  assert(*q == 4);
  *(int *)&local = 9;
  assert(local == 9);
  local;
  (void)flag;
  if (flag == 99)
    die();
  printf("%d\n", local);
  return 0;
}
