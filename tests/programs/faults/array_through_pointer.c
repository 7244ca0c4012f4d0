int main(void)
{
  int a[3] = {1, 2, 3}, *p = a;
  p += 3;
  return *p; // expect: fault read of 4 bytes
}
