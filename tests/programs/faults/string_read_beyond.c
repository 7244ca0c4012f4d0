int main(void)
{
  const char *s = "abc";
  int n = 0;
  while (s[n] != 'z') // expect: fault read of 1 byte
    n++;
  return n;
}
