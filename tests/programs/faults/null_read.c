int main(void)
{
  int *p = 0;
  int x = 1;
  x = *p; // expect: fault read of 4 bytes at null
  return x;
}
