extern void reach_error(void);
int main(void)
{
  int n = 0;
  do
    n += 3;
  while (n < 10);
  if (n == 12)
    reach_error(); // expect: error reach_error() is called
  return 0;
}
