// verdict: TRUE
// bounded: TRUE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct in {
  short a;
  char b[3];
};
struct out {
  struct in in[2];
  int *p;
};
static struct out change(struct out o, int i)
{
  o.in[i].b[2]++;
  *o.p = 5;
  return o;
}
int main(void)
{
  int x = 1;
  struct out o = {{{1, {2, 3, 4}}, {5, {6, 7, 8}}}, &x};
  int i = __VERIFIER_nondet_int() & 1;
  struct out n = change(o, i);
  assert(o.in[0].b[2] == 4 && o.in[1].b[2] == 8 && x == 5 && n.p == &x);
  assert(n.in[i].b[2] == o.in[i].b[2] + 1 && n.in[!i].b[2] == o.in[!i].b[2]);
  o = n;
  n.in[0].a = 100;
  assert(o.in[0].a == 1 && o.in[i].b[2] == (i ? 9 : 5));
  return 0;
}
