struct pair {
  int a, b;
};
int main(void)
{
  int x = 1;
  struct pair q = *(struct pair *)&x; // expect: fault 8 bytes
  return q.a;
}
