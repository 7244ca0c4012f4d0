// verdict: TRUE
// bounded: UNKNOWN
// What lives does not overlap, however often memory is allocated and freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
  while (__VERIFIER_nondet_int()) {
    int *p = malloc(sizeof *p), *q = malloc(sizeof *q);
    *p = 1;
    *q = 2;
    if (*p != 1)
      reach_error();
    free(p);
    p = malloc(sizeof *p);
    *p = 3;
    if (*q != 2)
      reach_error();
    free(p);
    free(q);
  }
  return 0;
}
