// expect: exit 0
// C11's atomics and gcc's builtins for them, in one thread.
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

struct pair { int a, b; };
static atomic_int n;
static _Atomic(unsigned long) m = 5;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static atomic_bool ready;
static volatile int plain = 3;
static int count;

#define SHOW(x) printf("%lld\n", (long long)(x))

static int *once(int *p) { count++; return p; }

int main(void) {
  int e = 6, x = 40, y, *p;
  int values[4] = {1, 2, 3, 4};
  int *_Atomic at = values;
  unsigned char small = 250;
  struct pair s = {1, 2}, t = {3, 4}, u;
  atomic_fetch_add(&n, 3);
  n++;
  n += 2;
  SHOW(atomic_load(&n));
  SHOW(atomic_fetch_sub(&n, 1) + atomic_load_explicit(&n, memory_order_relaxed));
  SHOW(atomic_compare_exchange_strong(&n, &e, 9));
  SHOW(e);
  SHOW(atomic_compare_exchange_weak(&n, &e, 9));
  SHOW(n);
  SHOW(atomic_flag_test_and_set(&flag));
  SHOW(atomic_flag_test_and_set(&flag));
  atomic_flag_clear(&flag);
  SHOW(atomic_flag_test_and_set(&flag));
  atomic_store(&m, 7);
  SHOW(atomic_exchange(&m, 1));
  SHOW(m | 8);
  SHOW(atomic_fetch_or(&m, 6));
  SHOW(atomic_fetch_and(&m, 5));
  SHOW(atomic_fetch_xor(&m, 3));
  ready = 1;
  SHOW(ready);
  SHOW(atomic_exchange(&ready, false));
  SHOW(__atomic_add_fetch(&x, 2, __ATOMIC_SEQ_CST));
  SHOW(__atomic_fetch_nand(&x, 6, 5));
  SHOW(x);
  SHOW(__atomic_nand_fetch(&x, 6, 5));
  SHOW(__atomic_fetch_add(once(&x), __atomic_exchange_n(&x, 5, 5), 5));
  SHOW(x);
  SHOW(count);
  SHOW(__atomic_load_n(&plain, __ATOMIC_ACQUIRE));
  SHOW(__atomic_add_fetch(&small, 10, 5));
  SHOW(small);
  __atomic_store(&y, &x, 5);
  __atomic_load(&x, &y, 5);
  __atomic_exchange(&x, &e, &y, 5);
  SHOW(x);
  SHOW(y);
  SHOW(e);
  SHOW(__atomic_compare_exchange(&s, &t, &s, 0, 5, 5));
  SHOW(t.a);
  SHOW(t.b);
  t.b = 9;
  SHOW(__atomic_compare_exchange(&s, &s, &t, 0, 5, 5));
  __atomic_load(&s, &u, 5);
  SHOW(u.a);
  SHOW(u.b);
  at = values + 1;
  p = atomic_exchange(&at, values + 3);
  SHOW(*p);
  SHOW(*at);
  SHOW(*__atomic_add_fetch(&p, sizeof *p, 5));
  atomic_thread_fence(memory_order_seq_cst);
  __atomic_clear(&small, 5);
  SHOW(small);
  SHOW(__atomic_always_lock_free(sizeof x, 0));
  return 0;
}
