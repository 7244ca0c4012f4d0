// fesetround: arithmetic, square roots, conversions and rint go by the mode
// expect: exit 0
int printf(const char *, ...);
int fesetround(int), fegetround(void);
double sqrt(double), rint(double), nearbyint(double), round(double), floor(double);
float sqrtf(float);
long lrint(double);

static union { double d; unsigned long long u; } d;
static union { float f; unsigned u; } f;

static void show(int mode)
{
  volatile double one = 1.0, three = 3.0, tiny = 1e-310, half = 2.5;
  volatile float third;
  volatile long long large = 9007199254740993ll;
  volatile int whole = 16777217;
  int set = fesetround(mode);
  printf("%x %d %x\n", mode, set, fegetround());
  d.d = one / three; printf("%llx\n", d.u);
  d.d = -one / three; printf("%llx\n", d.u);
  d.d = one + tiny; printf("%llx\n", d.u);
  d.d = one - one; printf("%llx\n", d.u);
  d.d = sqrt(three); printf("%llx\n", d.u);
  d.d = large; printf("%llx\n", d.u);
  third = one / three; f.f = third; printf("%x\n", f.u);
  f.f = (float)1e300 * third; printf("%x\n", f.u);
  f.f = -third * third; printf("%x\n", f.u);
  f.f = sqrtf(third); printf("%x\n", f.u);
  f.f = whole; printf("%x\n", f.u);
  f.f = -whole; printf("%x\n", f.u);
  printf("%d %d %d %d %d\n", (int)rint(half), (int)nearbyint(-half), (int)round(half),
         (int)floor(half), (int)lrint(-0.5));
}

int main(void)
{
  if (fegetround() != 0) return 1;
  show(0x400);
  show(0x800);
  show(0xc00);
  show(0x123);
  show(0);
  return 0;
}
