// expect: exit 0
// Typedefs of everything, shadowed names, name spaces of tags and members.
#include <assert.h>
#include <stdio.h>

typedef int number, *number_pointer, vector[3], function(int);
typedef function *callback;
typedef vector matrix[2];
typedef struct list list;
struct list {
  number value;
  list *next;
};
typedef struct {
  vector v;
} wrapped;
typedef const volatile unsigned char byte;
typedef int (*(*factory)(int))(int);

static function twice;
static int twice(int x) { return 2 * x; }
static callback choose(int which) { return which ? twice : 0; }

struct same {
  int same;
};
typedef struct same same_t;

int main(void)
{
  number n = 4;
  number_pointer p = &n, q = p;
  vector v = {1, 2, 3};
  matrix m = {{1, 2, 3}, {4, 5, 6}};
  callback f = twice;
  factory make = choose;
  assert(*q == 4 && v[2] == 3 && m[1][0] == 4 && f(21) == 42 && make(1)(3) == 6);
  list b = {2, 0}, a = {1, &b};
  assert(a.next->value == 2 && sizeof(matrix) == 24);
  wrapped w = {{7, 8, 9}};
  assert(w.v[1] == 8);
  struct same same = {3};
  goto same;
same:
  assert(same.same == 3);
  {
    typedef char number;
    number small = 300;
    assert(small == 44 && sizeof(number) == 1);
    int vector = 5;
    assert(vector == 5);
  }
  assert(sizeof(number) == 4);
  const vector fixed = {1, 2, 3};
  assert(fixed[0] + fixed[2] == 4);
  printf("%d %d\n", *p, a.next->value);
  return 0;
}
