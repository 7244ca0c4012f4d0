// expect: exit 0
// Remainders of many quotients, of halves and of numbers beside them: what a formula knows of a
// result must not end a run.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t state = 88172645463325252ull;

static uint64_t any(void)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static double number(unsigned exponents)
{
  uint64_t bits = any() & ~(2047ull << 52) | (any() % exponents + 1023) << 52;
  double x;
  if (any() % 2)
    bits &= ~0xffffffffull;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static void show(double x)
{
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  printf(" %llx", x != x ? 0x7ff8ull : (unsigned long long)bits & 0x7fffffffffffffffull);
}

int main(void)
{
  for (int i = 0; i < 200; i++) {
    double y = (float)number(30), x = number(60);
    switch (any() % 4) {
    case 0:
      x = y * (double)(int)(any() % 100000);
      break;
    case 1:
      x = y * ((double)(int)(any() % 1000) - 499.5);
      break;
    case 2:
      y = (double)(int)(any() % 64) / 8;
      x = (double)(int)(any() % 100000) / 16 - 3000;
      break;
    }
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits += any() % 3 - 1;
    memcpy(&x, &bits, sizeof x);
    show(fmod(x, y));
    show(remainder(x, y));
    show(fmodf(x, y));
    show(remainderf(x, -y));
    show(fmodl((long double)x, y));
    show(remainderl(-x, y));
    printf("\n");
  }
  return 0;
}
