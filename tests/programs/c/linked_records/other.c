#include "handle.h"
struct private { long long a, b; };
typedef struct { int first, second; } pair;
struct handle { int n; struct handle *next; };
static struct handle one;
struct handle *make(int n)
{
  one.n = n;
  held.n++;
  held.handle = &one;
  return held.handle;
}
struct handle *(*made_by(void))(int) { return make; }
int get(struct handle *h) { return h->n; }
int private_size(void) { struct private p = {1, 2}; return sizeof p + p.a - 1; }
int pair_size(void) { return sizeof(pair); }
