// C99's inline definitions: each file has its own, and they are no external definitions.
inline int twice(int x) { return 2 * x; }
inline int thrice(int x) { return twice(x) + x; }
// GNU's older rule, by attribute: `extern inline` is for inlining only.
extern inline __attribute__((gnu_inline)) int half(int x) { return x / 2; }
int twice_there(int x);
int (*address_there(void))(int);
