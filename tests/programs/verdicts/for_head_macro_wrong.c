// verdict: FALSE
// bounded: FALSE
// A macro brings one of the semicolons of a head, and another loop follows.
extern void reach_error(void);
#define INIT i = 0;
int main(void)
{
  int i, j = 0;
  for (INIT i < 3;)
    i++;
  if (i == 3)
    reach_error(); // error: reach_error() is called
  for (; j < 3; j++)
    ;
  return 0;
}
