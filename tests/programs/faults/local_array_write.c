int main(void)
{
  char b[8];
  for (int i = 0; i <= 8; i++)
    b[i] = 'x'; // expect: fault index 8
  return 0;
}
