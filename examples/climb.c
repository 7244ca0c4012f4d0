// Whoever climbs step by step has climbed as many as there were. No bound on the steps is known, so
// nothing but a summary of climb() proves this: `predabs check examples/climb.c --engine slam`.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int climb(int steps)
{
  if (steps == 0)
    return 0;
  return climb(steps - 1) + 1;
}

int main(void)
{
  int steps = __VERIFIER_nondet_int();
  int climbed = climb(steps);
  if (climbed != steps)
    reach_error();
  return 0;
}
