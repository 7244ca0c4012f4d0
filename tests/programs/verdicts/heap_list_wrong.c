// verdict: FALSE
// bounded: FALSE
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
  for (int i = 0; i < 3; i++) {
    struct node *new = malloc(sizeof *new);
    new->value = __VERIFIER_nondet_int();
    new->next = head;
    head = new;
  }
  int sorted = head->value < head->next->value && head->next->value < head->next->next->value;
  assert(!sorted || head->value != 1000 || head->next->next->value > 1002); // error: assertion failed
  return 0;
}
