/* addresses that come from outside: they may be any that the program has taken */
extern int *from_outside(void);
extern void seen(int *);
extern struct thing { int x; struct thing *next; char data[12]; } *outside;
void *__VERIFIER_nondet_pointer(void);
unsigned long __VERIFIER_nondet_ulong(void);
int target, hidden;
struct thing own;
volatile int *volatile device;
int main(int argc, char **argv)
{
  int local = 3, *p = &local, *q = from_outside();
  seen(p);
  device = &local;
  target = 1;
  own.next = &own;
  if (&target == (int *)__VERIFIER_nondet_pointer())
    hidden++;
  int *r = (int *)__VERIFIER_nondet_ulong();
  if (q)
    *q = 4;
  if (r && argc > 1)
    *r = 5;
  struct thing *t = __VERIFIER_nondet_pointer();
  if (t) {
    t->x = 6;
    if (t->next)
      t->next->x = 7;
  }
  if (*device)
    hidden++;
  if (outside)
    outside->data[3] = 1;
  own.x += target + local;
  return own.x + hidden + (argv ? argv[0] != 0 : 0);
}
