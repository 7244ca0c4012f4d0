/* A driver that counts its requests under a raised interrupt level. */
extern int __VERIFIER_nondet_int(void);
extern void touch_page(int number);

static int current, waiting;

static int raise(int to)
{
  int old = current;
  current = to;
  return old;
}

static void lower(int to)
{
  current = to;
}

static int take(void)
{
  int taken = 0, old = raise(2);
  if (waiting > 0) {
    waiting--;
    taken = 1;
  }
  lower(old);
  return taken;
}

int main(void)
{
  waiting = __VERIFIER_nondet_int();
  while (take())
    touch_page(waiting);
  return 0;
}
