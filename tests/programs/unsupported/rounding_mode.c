int fesetround(int mode);
int main(void)
{
  return fesetround(1); // refused: 10 fesetround: other rounding modes are not supported
}
