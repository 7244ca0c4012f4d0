int main(void)
{
  char a[6] = "hello";
  int *p = (int *)(a + 3);
  *p = 0; // expect: fault write of 4 bytes
  return 0;
}
