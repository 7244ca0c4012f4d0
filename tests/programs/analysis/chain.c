/* copies of copies, in either order, through records with too many scalars to copy by name */
void *memcpy(void *, const void *, __SIZE_TYPE__);
struct large { unsigned char bytes[100]; };
struct view { int a; long long b; short c[40]; int *p; };
int x = 1;
struct large one, two, three;
struct large later(struct large from) { struct large to = from; return to; }
void forward(void) { two = one; three = two; }
void backward(struct large *b, struct large *c) { *c = *b; }
int main(void)
{
  struct view v = {5, 6, {7, 8}, &x}, w, last;
  struct large carried, plain;
  memcpy(&one, &v, sizeof v);
  forward();
  memcpy(&carried, &three, sizeof carried);
  plain = carried;
  backward(&plain, &carried);
  struct large back = later(carried);
  memcpy(&w, &back, sizeof w);
  *w.p += 2;
  last = w;
  memcpy(&last.c[1], &w.c[0], 3);
  return last.a + (int)last.b + last.c[1] + last.c[2] + *last.p + x;
}
