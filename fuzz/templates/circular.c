struct ring@ { struct ring@ *next, *prev; };
struct item@ { int value; struct ring@ ring; };
static void insert@(struct ring@ *new, struct ring@ *after) {
  new->next = after->next;
  new->prev = after;
  <!after->next->prev = new;^^!>
  <!after->next = new;^^!>
}
static void erase@(struct ring@ *old) {
  <!old->prev->next = old->next;^^!>
  <!old->next->prev = old->prev;^^!>
}
--- main
  struct ring@ head = {&head, &head};
  COUNT n
  for (int i = 0; i < n; i++) {
    struct item@ *it = malloc(<!sizeof(struct item@)^^sizeof(struct ring@)!>);
    if (!it) abort();
    it->value = i;
    insert@(&it->ring, <(&head~head.prev)>);
  }
  for (struct ring@ *p = head.next; p != &head; p = p->next) {
    struct item@ *it = (struct item@ *)((char *)p - <!offsetof(struct item@, ring)^^0!>);
    it->value = 2;
  }
  <(while (<!head.next != &head^^1!>) {
    struct ring@ *p = head.next;
    <!erase@(p);^^!>
    free((char *)p - <!offsetof(struct item@, ring)^^0!>);
  }~struct ring@ *p = head.next;
  while (p != &head) {
    struct ring@ *next = p->next;
    free((char *)p - offsetof(struct item@, ring));
    p = <!next^^p->next!>;
  })>
