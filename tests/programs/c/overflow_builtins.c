// expect: exit 0
// Checked arithmetic: every pair of operand and result types, and the typed variants.
#include <assert.h>
#include <limits.h>
#include <stdio.h>

#define TRY(T, F, a, b)                                                                            \
  do {                                                                                             \
    T r;                                                                                           \
    int o = __builtin_add_overflow(a, b, &r);                                                      \
    printf("%d " F " ", o, r);                                                                     \
    o = __builtin_sub_overflow(a, b, &r);                                                          \
    printf("%d " F " ", o, r);                                                                     \
    o = __builtin_mul_overflow(a, b, &r);                                                          \
    printf("%d " F "\n", o, r);                                                                    \
  } while (0)

int main(void)
{
  long long v[] = {0, 1, -1, 127, -128, INT_MAX, INT_MIN, LLONG_MAX, LLONG_MIN};
  unsigned long long w[] = {1, ULLONG_MAX, 1ULL << 63};
  for (int i = 0; i < 9; i++) {
    for (int j = 0; j < 9; j++) {
      TRY(signed char, "%d", v[i], v[j]);
      TRY(unsigned char, "%d", v[i], v[j]);
      TRY(int, "%d", (int)v[i], (int)v[j]);
      TRY(unsigned, "%u", (int)v[i], (unsigned)v[j]);
      TRY(long long, "%lld", v[i], v[j]);
      TRY(unsigned long long, "%llu", v[i], v[j]);
    }
    for (int j = 0; j < 3; j++) {
      TRY(long long, "%lld", v[i], w[j]);
      TRY(unsigned long long, "%llu", w[j], v[i]);
      TRY(short, "%d", w[j], v[i]);
    }
  }
  int i;
  unsigned u;
  long l;
  unsigned long ul;
  long long ll;
  unsigned long long ull;
  assert(__builtin_sadd_overflow(INT_MAX, 1, &i) && i == INT_MIN);
  assert(!__builtin_ssub_overflow(1, 2, &i) && i == -1);
  assert(__builtin_smul_overflow(1 << 20, 1 << 20, &i) && i == 0);
  assert(__builtin_uadd_overflow(~0u, 1, &u) && u == 0);
  assert(__builtin_usub_overflow(0, 1, &u) && u == ~0u);
  assert(!__builtin_umul_overflow(65535, 65537, &u) && u == ~0u);
  assert(__builtin_saddl_overflow(LONG_MAX, 1, &l) && l == LONG_MIN);
  assert(__builtin_uaddl_overflow(ULONG_MAX, 2, &ul) && ul == 1);
  assert(__builtin_ssubll_overflow(LLONG_MIN, 1, &ll) && ll == LLONG_MAX);
  assert(__builtin_smulll_overflow(1LL << 32, 1LL << 32, &ll) && ll == 0);
  assert(__builtin_umulll_overflow(1ULL << 63, 2, &ull) && ull == 0);
  assert(__builtin_umull_overflow(ULONG_MAX, ULONG_MAX, &ul) && ul == 1);
  return 0;
}
