int before = 1, a[4], after = 2;
int main(void)
{
  int i = -1;
  a[i] = 3; // expect: fault index -1
  return 0;
}
