int first(const int *p);
int main(void)
{
  int a[2] = {1, 2};
  return first(a + 2);
}
