struct link@ { struct link@ *next, *prev; int value; };
static struct link@ *front@, *back@;
static void append@(int value) {
  struct link@ *n = <(malloc(sizeof *n)~calloc(1, sizeof *n))>;
  if (!n) abort();
  n->value = value;
  <!n->next = 0;^^!>
  <!n->prev = back@;^^!>
  if (back@) back@->next = n; else front@ = n;
  <!back@ = n;^^!>
}
static void unlink@(struct link@ *n) {
  if (<!n->prev^^1!>) n->prev->next = n->next; else front@ = n->next;
  if (n->next) <!n->next->prev = n->prev;^^;!> else <!back@ = n->prev;^^;!>
  free(n);
}
--- main
  COUNT n
  front@ = 0; back@ = 0;
  for (int i = 0; i < n; i++) append@(i);
  <(~if (<!front@^^1!>) unlink@(front@);~if (back@) unlink@(back@);~if (front@ && front@->next) unlink@(front@->next);)>
  <(for (struct link@ *p = front@; p; p = p->next) p->value++;~for (struct link@ *p = back@; p; p = p->prev) p->value++;)>
  <(while (front@) unlink@(front@);~while (front@) {
    struct link@ *gone = front@;
    front@ = gone->next;
    if (<!front@^^1!>) front@->prev = 0;
    <!free(gone);^^!>
  }~while (back@) { struct link@ *gone = back@; back@ = gone->prev; free(<!gone^^gone->prev!>); })>
  <(front@ = 0; back@ = 0;~)>
