int main(void)
{
  int n = 3;
  while (12 / n > 1) // expect: fault division by zero
    n--;
  return n;
}
