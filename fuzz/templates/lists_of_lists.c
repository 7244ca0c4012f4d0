struct leaf@ { struct leaf@ *next; char *text; };
struct list@ { struct leaf@ *leaves; struct list@ *next; int kind; };
struct index@ { struct index@ *next; struct list@ *lists; };
static struct index@ *indices@;
static void *made@(unsigned long size) {
  void *at = <(malloc(size)~calloc(1, size))>;
  if (!at) abort();
  return at;
}
static void add_leaf@(struct leaf@ **leaves, int length) {
  struct leaf@ *f = made@(sizeof *f);
  f->text = <(made@(<!2^^1!>)~length ? made@(<!2^^1!>) : 0~0)>;
  if (f->text) { f->text[0] = 'a'; f->text[1] = 0; }
  f->next = <!*leaves^^0!>;
  *leaves = f;
}
static void add_list@(struct index@ *i, int length) {
  struct list@ *l = made@(sizeof *l);
  l->leaves = 0;
  l->kind = length;
  for (int k = 0; k < <(length~length + 1~2)>; k++) add_leaf@(&l->leaves, k);
  <!l->next = i->lists;^^!>
  i->lists = l;
}
static void drop_leaves@(struct leaf@ *f) {
  while (<!f^^f->next!>) {
    struct leaf@ *next = f->next;
    <!free(f->text);^^^^if (next) free(f->text);!>
    free(f);
    f = next;
  }
}
static void drop_lists@(struct list@ *l) {
  while (l) {
    struct list@ *next = l->next;
    <!drop_leaves@(l->leaves);^^^^if (next) drop_leaves@(l->leaves);^^free(l->leaves);!>
    free(l);
    l = next;
  }
}
--- main
  COUNT n
  INPUT m
  indices@ = 0;
  for (int i = 0; i < n; i++) {
    struct index@ *x = made@(sizeof *x);
    x->lists = 0;
    for (int j = 0; j < <(m~i + 1~2)>; j++) add_list@(x, <(j~m~i)>);
    x->next = indices@;
    indices@ = x;
  }
  <(~for (struct index@ *x = indices@; x; x = x->next)
    for (struct list@ *l = x->lists; <!l^^!>; l = l->next)
      if (l->leaves && <!l->leaves->text^^l!>) l->leaves->text[0] = 'b';~for (struct index@ *x = indices@; x; x = x->next) { drop_lists@(x->lists); <!x->lists = 0;^^!> }~if (indices@ && indices@->lists) {
    struct list@ *l = indices@->lists;
    <!indices@->lists = l->next;^^!>
    drop_leaves@(l->leaves);
    free(l);
  })>
  while (indices@) {
    struct index@ *x = indices@;
    indices@ = x->next;
    <!drop_lists@(x->lists);^^!>
    free(x);
  }
