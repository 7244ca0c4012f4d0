// verdict: TRUE
// bounded: TRUE
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node {
  int value;
  struct node *next;
};
int main(void)
{
  struct node *head = 0;
  int sum = 0, n = __VERIFIER_nondet_int();
  for (int i = 0; i < 4 && i < n; i++) {
    struct node *new = malloc(sizeof *new);
    new->value = __VERIFIER_nondet_int() & 15;
    new->next = head;
    sum += new->value;
    head = new;
  }
  while (head) {
    struct node *next = head->next;
    sum -= head->value;
    free(head);
    head = next;
  }
  assert(sum == 0);
  return 0;
}
