int main(void)
{
  unsigned long long x = 0, y = 10;
  y %= x; // expect: fault division by zero
  return y;
}
