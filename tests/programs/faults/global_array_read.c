static int a[4];
int main(void)
{
  int i = 4;
  return a[i]; // expect: fault index 4
}
