// expect: exit 0
// qsort and bsearch call back
#include <stdio.h>
#include <stdlib.h>

struct pair {
  char key;
  int value;
};

static int calls;

static int by_value(const void *one, const void *two)
{
  calls++;
  int a = ((const struct pair *)one)->value, b = ((const struct pair *)two)->value;
  return a < b ? -1 : a > b;
}

int main(void)
{
  struct pair pairs[] = {{'a', 5}, {'b', -2}, {'c', 9}, {'d', 0}, {'e', 7}};
  qsort(pairs, 5, sizeof *pairs, by_value);
  for (int i = 0; i < 5; i++)
    printf("%c %d\n", pairs[i].key, pairs[i].value);
  struct pair wanted = {0, 7}, missing = {0, 6};
  struct pair *found = bsearch(&wanted, pairs, 5, sizeof *pairs, by_value);
  printf("%c %d\n", found->key, bsearch(&missing, pairs, 5, sizeof *pairs, by_value) == 0);
  return calls == 0;
}
