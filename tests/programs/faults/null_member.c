struct node {
  int value;
  struct node *next;
};
int main(void)
{
  struct node last = {1, 0}, first = {2, &last};
  int sum = 0;
  for (struct node *p = &first;; p = p->next)
    sum += p->value; // expect: fault null
  return sum;
}
