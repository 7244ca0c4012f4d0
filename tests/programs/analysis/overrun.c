/* a pointer that leaves its array but not the object, as machines allow it */
struct box { int before; int cells[4]; int after; char tail[4]; };
int peek(int *p, int n) { return p[n]; }
int main(void)
{
  struct box b;
  b.before = 1;
  b.after = 2;
  int *p = b.cells;
  for (int i = 0; i < 6; i++)
    *p++ = i;
  p = &b.cells[2];
  p[-3] = 9;
  int sum = b.before + b.after + peek(b.cells, 4) + peek(&b.cells[1], -2);
  int k = 3;
  int *q = &b.cells[k];
  q[1] = 77;
  int *r = &b.cells[k + 2];
  *r += 0x01010101;
  int *s = &b.cells[0 - k / 3];
  *s = 11;
  sum += b.before;
  b.tail[k + 0] = 5;
  return sum + b.after + ((char *)&b)[27];
}
