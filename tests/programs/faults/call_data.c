int main(void)
{
  int x = 1;
  void (*f)(void) = (void (*)(void))&x;
  f(); // expect: fault call
  return 0;
}
