int main(void)
{
  char *p = 0;
  *p = 1; // expect: fault write of 1 byte at null
  return 0;
}
