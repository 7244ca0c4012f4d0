/* addresses that are copied byte by byte, word by word, and by memcpy and record assignment */
void *memcpy(void *, const void *, __SIZE_TYPE__);
void *memmove(void *, const void *, __SIZE_TYPE__);
int a = 1, b = 2, c = 3;
struct pair { int *first; short tag; int *second; };
void bytes(void *to, const void *from, int n)
{
  char *t = to;
  const char *f = from;
  while (n-- > 0)
    *t++ = *f++;
}
struct pair swapped(struct pair p)
{
  struct pair q = p;
  q.first = p.second;
  q.second = p.first;
  return q;
}
int main(void)
{
  struct pair p = {&a, 5, &b}, q, r[3];
  int *x, *y;
  bytes(&q, &p, sizeof p);
  *q.first += 10;
  memcpy(&x, &q.second, sizeof x);
  *x += 20;
  r[1] = swapped(q);
  r[2] = r[1];
  memmove(&r[0], &r[1], 2 * sizeof r[0]);
  *r[0].first += 30;
  *r[1].second += 40;
  unsigned long number = (unsigned long)r[0].first;
  number ^= (unsigned long)&c;
  number ^= (unsigned long)r[0].first;
  y = (int *)number;
  *y += 50;
  unsigned long whole = (unsigned long)&a, low = whole & 0xffff, high = whole >> 16;
  y = (int *)(high << 16 | low);
  *y += 60;
  return a + b + c + r[2].tag;
}
