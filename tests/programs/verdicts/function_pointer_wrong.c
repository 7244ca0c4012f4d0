// verdict: FALSE
// bounded: FALSE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
struct device {
  int state;
  void (*act)(struct device *);
};
static void on(struct device *d) { d->state = 1; }
static void off(struct device *d) { d->state = 0; }
static void broken(struct device *d) { d->state += 2; }
int main(void)
{
  struct device d = {0, off};
  for (int i = 0; i < 3; i++) {
    unsigned what = __VERIFIER_nondet_uint();
    d.act = what == 0 ? off : what == 77777 ? broken : on;
    d.act(&d);
  }
  assert(d.state < 4); // error: assertion failed: d.state < 4
  return 0;
}
