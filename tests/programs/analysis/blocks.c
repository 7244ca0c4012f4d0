/* copies of parts of records, of padding, and through records that hold nothing but bytes */
void *memcpy(void *, const void *, __SIZE_TYPE__);
void *memset(void *, int, __SIZE_TYPE__);
struct inner { char c; int n; };
struct outer { struct inner i; short s; int *p; };
struct carrier { unsigned char bytes[sizeof(struct outer)]; };
int x = 5;
struct carrier wrap(struct outer o)
{
  struct carrier c;
  memcpy(&c, &o, sizeof c);
  return c;
}
int main(void)
{
  struct outer a = {{1, 2}, 3, &x}, b, plain = a;
  struct carrier c = wrap(a), d;
  d = c;
  memcpy(&b, d.bytes, sizeof b);
  *b.p += b.i.n;
  memcpy(&b.i.n, &a.i, 6);
  memset((char *)&b + 1, 0x11, 5);
  struct inner part = plain.i;
  part.n += b.i.n;
  b.i = part;
  plain.i = b.i;
  unsigned char *pad = (unsigned char *)&b.i;
  pad[2] = 9;
  struct outer e = b;
  int sum = ((unsigned char *)&e)[2] + e.i.n + plain.i.n + x;
  short halves[4] = {1, 2, 3, 4}, other[4];
  memcpy(other, halves, sizeof halves);
  memcpy(other + 1, halves, 2 * sizeof *halves);
  return sum + other[1] + other[2] + *(int *)(void *)other;
}
