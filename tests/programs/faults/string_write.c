int main(void)
{
  char *s = "constant";
  s[0] = 'C'; // expect: fault write
  return 0;
}
