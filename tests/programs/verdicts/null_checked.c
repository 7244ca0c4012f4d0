// verdict: FALSE
// bounded: FALSE
// check: null
extern int __VERIFIER_nondet_int(void);
struct node {
  int value;
  struct node *next;
};
int main(void)
{
  struct node second = {2, 0}, first = {1, &second}, *p = &first;
  int n = __VERIFIER_nondet_int();
  while (n-- > 0 && n < 5)
    p = p->next; // error: null
  return 0;
}
