int main(void)
{
  int x = 0;
  int y = 10;
  y = y / x; // expect: fault division by zero
  return y;
}
