// verdict: TRUE
// bounded: TRUE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
static short grid[3][4];
int main(void)
{
  unsigned i = __VERIFIER_nondet_uint() % 3, j = __VERIFIER_nondet_uint() % 4;
  grid[i][j] = 1;
  int sum = 0;
  for (int k = 0; k < 12; k++)
    sum += (&grid[0][0])[k];
  assert(sum == 1 && grid[i][j] == 1 && *(*(grid + i) + j) == 1);
  short *flat = grid[0];
  assert(flat[4 * i + j] == 1);
  return 0;
}
