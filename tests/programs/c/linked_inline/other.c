#include "shared.h"
extern inline int twice(int x); // this file has the external definition
int thrice(int x);              // and that of this one, because of a declaration without inline
int half(int x) { return x / 2; }
inline __attribute__((gnu_inline)) int plus(int x) { return x + 1; } // external by GNU's rule
int twice_there(int x) { return twice(x); }
int (*address_there(void))(int) { return thrice; }
