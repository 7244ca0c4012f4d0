// expect: limit
// steps: 1000
int main(void)
{
  unsigned n = 0;
  for (;;)
    n++;
}
