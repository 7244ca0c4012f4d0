/* Types and macros of ISO C. The C library's own headers may ask for single types with __need_...;
   they get all of them. */
#ifndef PREDABS_STDDEF_H
#define PREDABS_STDDEF_H
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef __WINT_TYPE__ wint_t;
typedef struct {
    long long max_align_ll __attribute__((aligned(__alignof__(long long))));
    long double max_align_ld __attribute__((aligned(__alignof__(long double))));
} max_align_t;
#undef NULL
#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
#undef __need_size_t
#undef __need_ptrdiff_t
#undef __need_wchar_t
#undef __need_wint_t
#undef __need_NULL
