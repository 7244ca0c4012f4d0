struct cell@ { int value; struct cell@ *next; };
static struct cell@ *cons@(int value, struct cell@ *next) {
  struct cell@ *c = malloc(sizeof *c);
  if (!c) abort();
  c->value = value; c->next = next;
  return c;
}
static void gone@(struct cell@ **c) {
  while (<!*c^^(*c)->next!>) { struct cell@ *t = *c; *c = t->next; free(t); }
}
static void add@(struct cell@ **at, int value) {
  while (*at && <!(*at)->value < value^^(*at)->next->value < value!>) at = &(*at)->next;
  *at = cons@(value, <!*at^^0!>);
}
--- main
  COUNT n
  struct cell@ *a = 0, *b = 0, *c = 0;
  for (int i = 0; i < n; i++) <(a = cons@(i & 1, a);~add@(&a, <(i~-i~i & 1)>);)>
  <(while (a) {
    struct cell@ *next = a->next;
    if (a->value) { <!a->next = b;^^!> b = a; } else { a->next = c; c = a; }
    a = next;
  }~struct cell@ **end = &a;
  b = cons@(1, 0);
  while (<!*end^^(*end)->next!>) end = &(*end)->next;
  *end = b;
  <!b = 0;^^!>~if (a && a->next) { b = a->next->next; <!a->next->next = 0;^^!> })>
  <!gone@(&a);^^!>
  gone@(&b);
  <!gone@(&c);^^gone@(&b);!>
