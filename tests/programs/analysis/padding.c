/* bit-fields and padding of which single bytes are accessed */
struct odd { unsigned a : 3; char c; int n; unsigned b : 9; };
struct mixed { unsigned a : 5; int b : 6; union { int i; char c[4]; } u; struct odd o; };
struct odd there;
struct mixed mix(struct mixed m) { m.a++; m.u.c[1] = m.b; m.o.b = m.a; return m; }
int main(void)
{
  struct odd here = {1, 2, 3, 4}, again;
  unsigned char *byte = (unsigned char *)&there;
  byte[2] = 9;
  byte[3] = 8;
  there = here;
  byte[1] ^= 1;
  byte[9] = 3;
  again = there;
  again.b += again.a;
  there = again;
  struct mixed m = {1, 2, {3}, here}, n = mix(m), k;
  k = n;
  k.o = again;
  return byte[2] + there.b + again.c + n.u.i + n.o.b + k.a + k.u.c[1] + k.o.n;
}
