// verdict: TRUE
// bounded: TRUE
// check: bounds
extern int __VERIFIER_nondet_int(void);
int grid[4][5];
int main(void)
{
  unsigned i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
  if (i < 4 && j < 5)
    grid[i][j] = 1;
  return grid[3][4] + grid[i % 4][j % 5];
}
