static int *leak(void)
{
  int local = 3;
  int *p = &local;
  return p;
}
int main(void)
{
  int *p = leak();
  *p = 4; // expect: fault write of 4 bytes
  return 0;
}
