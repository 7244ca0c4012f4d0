// expect: exit 0
// models: LP64
// Inline assembly whose instructions are known: atomic updates, bit strings, carries.
#include <assert.h>

struct at { int counter; };
static inline int add_return(int i, struct at *v) {
  int __i = i;
  __asm__ volatile (".pushsection .smp_locks,\"a\"\n.balign 4\n.long 671f - .\n.popsection\n671:\n\tlock; xaddl %0, %1\n" : "+r" (i), "+m" (v->counter) : : "memory", "cc");
  return i + __i;
}
static int dec_and_test(struct at *v) { unsigned char c;
  __asm__ volatile ("lock; decl %0; sete %1" : "+m" (v->counter), "=qm" (c) : : "memory");
  return c != 0; }
static int test_and_set(int nr, unsigned long *addr) { int oldbit;
  __asm__ volatile ("lock; bts %2,%1\n\tsbb %0,%0" : "=r" (oldbit), "+m" (*(long *)addr) : "Ir" (nr) : "memory");
  return oldbit; }
static int tas2(long nr, unsigned long *addr) { char c;
  __asm__ volatile ("lock; btsq %2, %0; setc %1" : "+m" (*(long *)addr), "=qm" (c) : "Ir" (nr) : "memory");
  return c; }
static unsigned long xchgq(unsigned long *p, unsigned long v) {
  __asm__ volatile ("xchgq %0,%1" : "=r" (v) : "m" (*p), "0" (v) : "memory");
  return v; }
static unsigned long xchg2(unsigned long *p, unsigned long v) {
  __asm__ volatile ("xchgq %q0, %1\n" : "+r" (v), "+m" (*p) : : "memory", "cc");
  return v; }
static int cas(int *p, int o, int n) { int ret;
  __asm__ volatile ("lock; cmpxchgl %2,%1" : "=a" (ret), "+m" (*p) : "r" (n), "0" (o) : "memory");
  return ret; }
int main(void) {
  struct at v = {5};
  assert(add_return(3, &v) == 8); assert(v.counter == 8);
  assert(add_return(-8, &v) == 0);
  v.counter = 2; assert(!dec_and_test(&v)); assert(dec_and_test(&v)); assert(v.counter == 0);
  assert(!dec_and_test(&v)); assert(v.counter == -1);
  unsigned long bits[3] = {0, 0, 0};
  assert(test_and_set(3, bits) == 0); assert(bits[0] == 8); assert(test_and_set(3, bits) == -1);
  assert(tas2(70, bits) == 0); assert(bits[1] == 64); assert(tas2(70, bits) == 1);
  unsigned long q = 7; assert(xchg2(&q, 9) == 7); assert(q == 9);
  int c = 4; assert(cas(&c, 4, 6) == 4); assert(c == 6); assert(cas(&c, 4, 8) == 6); assert(c == 6);
  unsigned long flag, roksum; unsigned long addr = 100, size = 50, limit = 149;
  __asm__ ("add %3,%1 ; sbb %0,%0 ; cmp %1,%4 ; sbb $0,%0" : "=&r" (flag), "=r" (roksum) : "1" (addr), "g" (size), "rm" (limit));
  assert(flag != 0);
  int *p = &c, *r; __asm__ ("" : "=r" (r) : "0" (p)); assert(*r == 6);
  unsigned w = 5; __asm__("subl %1,%0" : "+r"(w) : "r"(7u)); assert(w == 4294967294u);
  return 0;
}
