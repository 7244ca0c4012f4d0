// verdict: FALSE
// bounded: FALSE
// A function of the authors that only has the name of one of math.h is not that one.
void reach_error(void);
int round(int n);
int main(void)
{
  if (round(3) == 7)
    reach_error();
  return 0;
}
