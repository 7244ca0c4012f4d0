// expect: exit 0
int main(void)
{
  int x = 5;
  x++;
}
