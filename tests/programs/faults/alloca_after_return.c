static char *leak(void)
{
  char *p = __builtin_alloca(4);
  p[0] = 1;
  return p;
}
int main(void)
{
  char *p = leak();
  return p[0]; // expect: fault read of 1 byte
}
