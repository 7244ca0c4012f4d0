// expect: exit 0
// Variable-length arrays of several dimensions, as locals and as parameters.
#include <assert.h>
#include <stdio.h>

static int trace(int n, int m, int a[n][m])
{
  int s = 0;
  for (int i = 0; i < n && i < m; i++)
    s += a[i][i];
  return s;
}
static int pointed(int n, double (*a)[n], int rows)
{
  double s = 0;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n; j++)
      s += a[i][j];
  return s;
}

int main(void)
{
  int n = 3, m = 4;
  int a[n][m];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = 10 * i + j;
  assert(a[2][3] == 23 && *(*(a + 1) + 2) == 12 && trace(n, m, a) == 33);
  assert(sizeof a == 48 && sizeof a[0] == 16 && sizeof a[0][0] == 4);
  int fixed[n][2], tail[5][m];
  fixed[2][1] = 7, tail[4][3] = 8;
  assert(fixed[2][1] + tail[4][3] == 15 && sizeof fixed == 24 && sizeof tail == 80);
  int cube[2][n][m];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < m; k++)
        cube[i][j][k] = 100 * i + 10 * j + k;
  assert(cube[1][2][3] == 123 && cube[0][2][0] == 20 && &cube[1][0][0] - &cube[0][0][0] == 12);
  int *row = a[1];
  assert(row[1] == 11 && row - a[0] == 4);
  double d[2][n];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < n; j++)
      d[i][j] = i + j;
  assert(pointed(n, d, 2) == 9);
  int (*step)[m] = a;
  step++;
  assert((*step)[0] == 10 && step[1][1] == 21);
  n = 100;
  assert(a[2][0] == 20);
  printf("%d\n", trace(3, 4, a));
  return 0;
}
