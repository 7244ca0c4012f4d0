int main(void)
{
  int *p = 0, n = 0;
  while (n < 3
         || *p > 5) // expect: fault null
    n++;
  return 0;
}
