/* locals whose address outlives a level of recursion, records by value, nested arrays */
struct state { int depth; int grid[3][4]; struct { short lo, hi; } range[2]; };
int deepest;
int dive(struct state s, int *above, struct state *root)
{
  int here = s.depth;
  *above += here;
  s.grid[here % 3][here % 4] = here;
  s.range[here & 1].hi++;
  root->range[here & 1].lo += s.grid[0][0];
  if (here >= 5) {
    deepest = here;
    return s.grid[2][1];
  }
  s.depth++;
  int below = dive(s, &here, root);
  return below + here + s.range[1].hi;
}
int main(void)
{
  struct state s = {0};
  int top = 0;
  int result = dive(s, &top, &s);
  int *flat = &s.grid[0][0];
  for (int i = 0; i < 12; i++)
    flat[i] += i;
  struct state copies[2];
  copies[top & 1] = s;
  copies[0].grid[1][2] = copies[top & 1].grid[2][3];
  return result + top + s.range[0].lo + s.grid[2][3] + copies[0].grid[1][2];
}
