struct pair {
  int a, b;
};
int main(void)
{
  int x = 1;
  struct pair *p = (struct pair *)&x;
  p->a = 2;
  p->b = 3; // expect: fault write of 4 bytes
  return 0;
}
