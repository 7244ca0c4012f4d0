// expect: exit 0
// The compiler's builtins that real code uses.
#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

struct s {
  int a;
  char b[4];
};
static int side;
static int check(int x)
{
  switch (x & 3) {
  case 0: return 10;
  case 1: return 11;
  case 2: return 12;
  case 3: return 13;
  }
  __builtin_unreachable();
}

int main(void)
{
  assert(__builtin_expect(5, 1) == 5 && __builtin_expect(side++, 0) == 0 && side == 1);
  if (__builtin_expect(!!(side > 0), 1))
    side = 2;
  assert(side == 2 && check(7) == 13 && check(4) == 10);
  assert(__builtin_constant_p(3 + 4) == 1 && __builtin_constant_p("x"[0]) >= 0);
  int n = 5;
  assert(__builtin_choose_expr(1, 7, "no") == 7 && sizeof(__builtin_choose_expr(0, 1, 2LL)) == 8);
  assert(__builtin_types_compatible_p(int, signed) && !__builtin_types_compatible_p(int, long));
  assert(__builtin_types_compatible_p(typeof(n), int) && !__builtin_types_compatible_p(int *, int));
  assert(__builtin_offsetof(struct s, b[2]) == 6);
  for (unsigned i = 1; i != 0; i <<= 3)
    printf("%d %d %d %d %d\n", __builtin_clz(i), __builtin_ctz(i | 1u << 31), __builtin_ffs(i),
           __builtin_popcount(i * 7), __builtin_parity(i * 7));
  for (unsigned long long i = 3; i != 0; i <<= 7)
    printf("%d %d %d %d %d\n", __builtin_clzll(i), __builtin_ctzll(i), __builtin_ffsll(i),
           __builtin_popcountll(i * 0x123), __builtin_parityll(i));
  printf("%d %d %d %d\n", __builtin_clzl(5), __builtin_ctzl(8), __builtin_ffsl(-16),
         __builtin_popcountl(-1L));
  assert(__builtin_ffs(0) == 0 && __builtin_clz(INT_MIN) == 0 && __builtin_ffsll(0) == 0);
  assert(__builtin_bswap16(0x1234) == 0x3412 && __builtin_bswap32(0x12345678) == 0x78563412);
  assert(__builtin_bswap64(0x0102030405060708) == 0x0807060504030201);
  printf("%d %d %d\n", __builtin_clrsb(1), __builtin_clrsb(-1), __builtin_clrsbll(-256));
  assert(__builtin_abs(-4) == 4 && __builtin_labs(-4L) == 4 && __builtin_llabs(-4LL) == 4);
  char to[8];
  __builtin_memset(to, 1, sizeof to);
  __builtin_memcpy(to, "abc", 4);
  assert(__builtin_strlen(to) == 3 && to[4] == 1 && __builtin_strcmp(to, "abc") == 0);
  assert(__builtin_object_size(to, 0) == 8);
  void *p = __builtin_alloca(10);
  assert(p != 0 && __builtin_assume_aligned(to, 1) == to);
  __builtin_prefetch(to);
  assert(__builtin_isnan(0.0) == 0 && __builtin_fabs(-1.5) == 1.5);
  assert(__builtin_huge_val() > 1e308 && __builtin_inf() == __builtin_huge_val());
  assert(__builtin_isinf(-__builtin_inf()) && !__builtin_isfinite(__builtin_nan("")));
  assert(__builtin_fabs(-0.0) == 0 && !__builtin_signbit(__builtin_fabs(-0.0)));
  assert(__builtin_isnan(__builtin_nanf("")) && !__builtin_isinf(1.0f));
  assert(__builtin_signbit(-1.0) != 0 && __builtin_nan("") != __builtin_nan(""));
  __sync_synchronize();
  assert(__sync_fetch_and_add(&n, 3) == 5 && __sync_sub_and_fetch(&n, 1) == 7);
  assert(__sync_bool_compare_and_swap(&n, 7, 9) && n == 9 && __sync_val_compare_and_swap(&n, 1, 2) == 9);
  assert(__sync_lock_test_and_set(&n, 4) == 9 && n == 4);
  __sync_lock_release(&n);
  assert(n == 0);
  if (n)
    __builtin_trap();
  return 0;
}
