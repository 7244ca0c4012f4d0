int main(void)
{
  __builtin_trap(); // expect: stop trap
}
