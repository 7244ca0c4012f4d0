// verdict: TRUE
// bounded: TRUE
// A pointer to volatile that points to a plain object reads what is there.
extern void reach_error(void);
struct pair {
  int a, b;
};
int main(void)
{
  struct pair pair = {1, 2};
  volatile struct pair *p = &pair;
  if (p->a != 1 || p->b != 2)
    reach_error();
  return 0;
}
