// verdict: FALSE
// bounded: FALSE
// A record from outside is any bytes, also where only a pointer into its middle looks.
struct pair { int a, b; };
struct pair outside(void);
extern void reach_error(void);
struct pair s;
int main(void)
{
  char *middle = (char *)&s + 2;
  s = outside();
  if (*middle == 7)
    reach_error(); // error: reach_error() is called
  return 0;
}
