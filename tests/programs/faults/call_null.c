int main(void)
{
  int (*f)(int) = 0;
  return f(1); // expect: fault call of null
}
