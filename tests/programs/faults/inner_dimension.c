int main(void)
{
  int grid[3][4] = {{0}};
  int j = 4;
  grid[1][j] = 1; // expect: fault index 4
  return 0;
}
