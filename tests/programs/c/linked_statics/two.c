static long long state = 100;
static const char text[] = "two";
static int calls;
static int step(void)
{
  calls++;
  return state *= 2;
}
int other_step(void) { return step(); }
int other_state(void) { return state; }
const char *other_text(void) { return text; }
int *other_local(void) { return &calls; }
