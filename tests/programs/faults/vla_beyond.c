int main(void)
{
  int n = 3;
  int a[n];
  a[n - 1] = 1;
  a[n] = 2; // expect: fault write of 4 bytes
  return 0;
}
