/* A driver that counts its requests under a raised interrupt level, and forgets to lower it again
   when there are none. Then it says so in a page. */
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
  int old = raise(2);
  if (waiting <= 0)
    return 0;
  waiting--;
  lower(old);
  return 1;
}

int main(void)
{
  waiting = __VERIFIER_nondet_int();
  while (take())
    touch_page(waiting);
  touch_page(0);
  return 0;
}
