#include "shared.h"
const char *const names[3] = {"a", "b", "c"};
extern int from_main;
int read_main(void) { return from_main; }
struct shared make(int value) { return (struct shared){value, 0}; }
int total(const struct shared *s) { return s->next == s ? s->value : -1; }
int callback(transform *f, int x) { return f(x); }
