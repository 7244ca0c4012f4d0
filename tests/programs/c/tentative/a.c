// expect: exit 0
// native: no, newer linkers refuse tentative definitions in two files
// Tentative definitions, repeated and completed, within a file and across files.
#include <assert.h>

int common;
int common;
int defined_later;
int array[];
static int hidden;
extern int from_b;
extern int from_b;
struct late *pointer;
struct late {
  int x;
};
int value(void);
int set(void);
extern int unsized[];

int main(void)
{
  assert(common == 0 && defined_later == 8 && array[2] == 3 && hidden == 4 && from_b == 9);
  common = 3;
  assert(value() == 3 && set() == 50 && common == 50 && pointer == 0 && unsized[1] == 22);
  return 0;
}
int array[3] = {1, 2, 3};
int defined_later = 8;
static int hidden = 4;
