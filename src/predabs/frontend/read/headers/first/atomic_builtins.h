/* gcc's `__atomic` builtins for one thread: each is an ordinary access. Every file that may use one is
   read with this. `__predabs_at(p)` is the pointer p without qualifiers, `_Atomic` and `volatile`
   among them: an atomic access reads what was written last. */
#ifndef PREDABS_ATOMIC_BUILTINS_H
#define PREDABS_ATOMIC_BUILTINS_H
#define __predabs_at(p) ((__typeof__((void)0, *(p)) *)(p))
#define __predabs_update(p, v, o, new, result) ({ \
  __auto_type __predabs_p = __predabs_at(p); \
  __typeof__(*__predabs_p) __predabs_v = (v); \
  (void)(o); \
  __auto_type __predabs_old = *__predabs_p; \
  *__predabs_p = (new); \
  (result); })
#define __predabs_exchange(p, e, v, s, f, same, new) ({ \
  __auto_type __predabs_p = __predabs_at(p); \
  __auto_type __predabs_e = (e); \
  __auto_type __predabs_v = ((void)0, (v)); \
  (void)(s), (void)(f); \
  _Bool __predabs_b = (same); \
  if (__predabs_b) *__predabs_p = (new); \
  else *__predabs_e = *__predabs_p; \
  __predabs_b; })

#define __atomic_load_n(p, o) ({ (void)(o); *__predabs_at(p); })
#define __atomic_load(p, r, o) ((void)(*(r) = __atomic_load_n(p, o)))
#define __atomic_store_n(p, v, o) ((void)__predabs_update(p, v, o, __predabs_v, 0))
#define __atomic_store(p, v, o) __atomic_store_n(p, *(v), o)
#define __atomic_exchange_n(p, v, o) __predabs_update(p, v, o, __predabs_v, __predabs_old)
#define __atomic_exchange(p, v, r, o) ((void)(*(r) = __atomic_exchange_n(p, *(v), o)))
#define __atomic_compare_exchange_n(p, e, v, w, s, f) ((void)(w), __predabs_exchange(p, e, v, s, f, \
  *__predabs_p == *__predabs_e, __predabs_v))
#define __atomic_compare_exchange(p, e, v, w, s, f) ((void)(w), __predabs_exchange(p, e, v, s, f, \
  !__builtin_memcmp(__predabs_p, __predabs_e, sizeof *__predabs_p), *__predabs_v))
#define __atomic_test_and_set(p, o) ({ \
  unsigned char *__predabs_p = (unsigned char *)(p); \
  (void)(o); \
  _Bool __predabs_b = *__predabs_p; \
  *__predabs_p = 1; \
  __predabs_b; })
#define __atomic_clear(p, o) ((void)({ (void)(o); *(unsigned char *)(p) = 0; }))
#define __atomic_thread_fence(o) ((void)(o))
#define __atomic_signal_fence(o) ((void)(o))
#define __atomic_always_lock_free(n, p) ((n) <= sizeof(long))
#define __atomic_is_lock_free(n, p) ((void)(p), (n) <= sizeof(long))

/* that a signed result wraps around is no overflow, and pointers count bytes: as with `__sync` */
#define __atomic_fetch_add(p, v, o) ((void)(o), __sync_fetch_and_add(__predabs_at(p), v))
#define __atomic_fetch_sub(p, v, o) ((void)(o), __sync_fetch_and_sub(__predabs_at(p), v))
#define __atomic_fetch_and(p, v, o) ((void)(o), __sync_fetch_and_and(__predabs_at(p), v))
#define __atomic_fetch_or(p, v, o) ((void)(o), __sync_fetch_and_or(__predabs_at(p), v))
#define __atomic_fetch_xor(p, v, o) ((void)(o), __sync_fetch_and_xor(__predabs_at(p), v))
#define __atomic_add_fetch(p, v, o) ((void)(o), __sync_add_and_fetch(__predabs_at(p), v))
#define __atomic_sub_fetch(p, v, o) ((void)(o), __sync_sub_and_fetch(__predabs_at(p), v))
#define __atomic_and_fetch(p, v, o) ((void)(o), __sync_and_and_fetch(__predabs_at(p), v))
#define __atomic_or_fetch(p, v, o) ((void)(o), __sync_or_and_fetch(__predabs_at(p), v))
#define __atomic_xor_fetch(p, v, o) ((void)(o), __sync_xor_and_fetch(__predabs_at(p), v))
#define __atomic_fetch_nand(p, v, o) \
  __predabs_update(p, v, o, ~(__predabs_old & __predabs_v), __predabs_old)
#define __atomic_nand_fetch(p, v, o) \
  __predabs_update(p, v, o, ~(__predabs_old & __predabs_v), *__predabs_p)
#endif
