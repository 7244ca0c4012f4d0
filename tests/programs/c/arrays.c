// expect: exit 0
// Arrays of one and several dimensions, of pointers, of structs; indices of all kinds.
#include <assert.h>
#include <stdio.h>

static int grid[3][4];
static int cube[2][3][4] = {{{1, 2}, {3}}, {[2] = {[3] = 99}}};
static char names[3][5] = {"abc", "hello", ""};
static const char *words[] = {"one", "two", "three"};

static int sum(int n, int a[])
{
  int s = 0;
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}

static int corner(int a[][4]) { return a[2][3]; }
static int fixed(int a[static 4]) { return sizeof a == sizeof(int *) ? a[3] : -1; }

int main(void)
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      grid[i][j] = 10 * i + j;
  assert(grid[2][1] == 21 && *grid[1] == 10 && **grid == 0 && *(*(grid + 2) + 3) == 23);
  assert(2 [grid][1] == 21 && 1 [grid[2]] == 21);
  assert(sum(4, grid[2]) == 86 && corner(grid) == 23 && fixed(grid[1]) == 13);
  assert(sum(12, &grid[0][0]) == 138);
  assert(cube[0][1][0] == 3 && cube[1][2][3] == 99 && cube[0][0][1] == 2 && cube[1][0][0] == 0);
  assert(sizeof cube == 96 && sizeof cube[0] == 48 && sizeof cube[0][0] == 16);
  assert(names[0][3] == 0 && names[1][4] == 'o' && names[2][0] == 0);
  assert(words[2][4] == 'e' && sizeof words / sizeof *words == 3);
  int (*row)[4] = &grid[1];
  assert((*row)[2] == 12 && row[1][2] == 22 && (*(row - 1))[0] == 0);
  row++;
  assert((*row)[0] == 20 && row - grid == 2);
  int *flat = grid[1];
  assert(flat[-1] == 3 && flat[4] == 20);
  int *const pointers[2] = {&grid[0][0], &grid[2][3]};
  assert(pointers[1] - pointers[0] == 11);
  unsigned char index = 3;
  signed char back = -1;
  assert(words[1][(short)1] == 'w' && grid[0][index] == 3 && (&grid[1][1])[back] == 10);
  long long wide = 2;
  unsigned long uwide = 1;
  assert(grid[wide][uwide] == 21);
  int (*whole)[3][4] = &grid;
  assert((*whole)[1][1] == 11 && sizeof *whole == 48);
  int *end = grid[3];
  assert(end - &grid[0][0] == 12);
  int a[5] = {1, 2, 3, 4, 5};
  int i = 0;
  a[i] = a[i + 1] * 10;
  i++;
  printf("%d %d %d\n", a[1], a[4], i);
  for (int *p = a; p < a + 5; p++)
    *p *= 2;
  assert(sum(4, a + 1) == 28 && a[0] == 40);
  return 0;
}
