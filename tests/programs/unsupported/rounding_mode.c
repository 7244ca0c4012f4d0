int fesetround(int mode);
double sin(double x);
int main(void)
{
  if (fesetround(0x800) != 0) return 1;
  return sin(1.0) > 2.0; // refused: 10 sin: with another rounding mode it is not supported
}
