// expect: exit 0
// Initialisers that read constant objects: no constant expressions in C17, but compilers take them.
#include <assert.h>
#include <stdio.h>

struct pair { int a, b[2]; };
static const int five = 5;
int copy = five, more = five + 1, less = -five;
static const struct pair first = {1, {2, 3}};
struct pair second = first;
static const long wide = -1;
unsigned char narrow = wide;
static const double half = 0.5;
double twice = half;
static const int again = five;
int third = again * 2;
static int *const where = &copy;
int *const there = where;

int main(void)
{
  static const struct pair inner = {.b = {0, 7}};
  static struct pair kept = inner;
  static int here = five - 1;
  kept.a += second.b[1];
  *there += 10;
  assert(copy == 15 && more == 6 && less == -5 && third == 10 && narrow == 255 && twice == 0.5);
  printf("%d %d %d %d\n", second.a, second.b[0], second.b[1], here);
  printf("%d %d %d\n", kept.a, kept.b[0], kept.b[1]);
  return 0;
}
