// expect: exit 0
// A struct that is opaque here and complete in the other file is one type; structs of the same name
// that are defined differently are two.
#include "handle.h"
#include <assert.h>
#include <stddef.h>
#include <stdio.h>

struct private { char c; int n; };
typedef struct { int first; } pair;
union both { char c[4]; int n; };
static struct private mine = {'x', 7};
struct holder held;

int main(void)
{
  union both value = {{1, 0, 0, 0}};
  pair p = {3};
  held.handle = make(5);
  struct handle *(*maker)(int) = made_by();
  assert(held.handle != NULL && get(held.handle) == 5 && held.n == 1);
  assert(sizeof mine == 8 && private_size() == 16 && pair_size() == 8 && p.first == 3);
  assert(value.n == 1 && twice(held.handle) == 10);
  assert(get(maker(6)) == 6);
  printf("%d %d\n", mine.n, get(held.handle));
  return 0;
}
