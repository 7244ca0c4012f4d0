// expect: exit 0
// Loops of all kinds with break and continue in each, nested, empty, and never entered.
#include <assert.h>
#include <stdio.h>

int main(void)
{
  int n = 0, i, j;
  for (i = 0; i < 10; i++) {
    if (i == 3)
      continue;
    if (i == 6)
      break;
    n += i;
  }
  assert(n == 12 && i == 6);
  n = i = 0;
  while (i < 10) {
    i++;
    if (i % 2)
      continue;
    if (i == 8)
      break;
    n += i;
  }
  assert(n == 12 && i == 8);
  n = i = 0;
  do {
    i++;
    if (i == 2)
      continue;
    n += i;
    if (i == 7)
      break;
  } while (i < 5);
  assert(n == 13 && i == 5);
  do
    n++;
  while (0);
  assert(n == 14);
  i = 0;
  do {
    if (i++ < 3)
      continue;
    n = 100;
  } while (i < 4);
  assert(n == 100 && i == 4);
  n = 0;
  for (i = 0; i < 4; i++)
    for (j = 0; j < 4; j++) {
      if (j == i)
        break;
      if ((i + j) & 1)
        continue;
      n += 10 * i + j;
    }
  printf("%d\n", n);
  for (;;) {
    if (++n > 200)
      break;
  }
  assert(n == 201);
  for (; n > 190;)
    n -= 2;
  assert(n == 189);
  while (n-- > 180)
    ;
  assert(n == 179);
  for (int k = 0, m = 10; k < m; k += 2, m--)
    n = k * 100 + m;
  assert(n == 607);
  for (int k = 0; k < 3; k++) {
    int k = 7;
    n += k;
  }
  assert(n == 628);
  while (0)
    n = 0;
  for (i = 5; i < 5; i++)
    n = 0;
  assert(n == 628);
  unsigned u = 3;
  while (u-- > 0)
    n++;
  assert(n == 631 && u == ~0u);
  for (unsigned char c = 250; c >= 250; c++)
    n++;
  assert(n == 637);
  for (char *p = "abc"; *p; ++p)
    n += *p - 'a';
  assert(n == 640);
  long steps = 0;
  for (long long x = 27; x != 1; x = x % 2 ? 3 * x + 1 : x / 2)
    steps++;
  assert(steps == 111);
  int primes = 0;
  for (i = 2; i < 50; i++) {
    for (j = 2; j * j <= i; j++)
      if (i % j == 0)
        goto composite;
    primes++;
  composite:;
  }
  assert(primes == 15);
  return 0;
}
