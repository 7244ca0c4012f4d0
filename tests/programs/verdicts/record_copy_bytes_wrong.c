// verdict: FALSE
// bounded: FALSE
// A copy of a record has all its bytes, not only the values of its members.
extern void reach_error(void);
struct flags {
  _Bool b;
  unsigned few : 3;
};
int main(void)
{
  struct flags x, y;
  ((unsigned char *)&x)[0] = 100;
  ((unsigned char *)&x)[1] = 200;
  y = x;
  if (((unsigned char *)&y)[0] == 100)
    reach_error(); // error: reach_error() is called
  return 0;
}
