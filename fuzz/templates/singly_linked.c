struct node@ { <(int value; struct node@ *next;~struct node@ *next; int value;~char tag; struct node@ *next; int value;)> };
static struct node@ *made@(int value, struct node@ *next) {
  struct node@ *n = malloc(sizeof(<!struct node@^^struct node@ *!>));
  <!if (!n) abort();!>
  n->value = value;
  <!n->next = next;^^!>
  return n;
}
static void drop@(struct node@ *n) {
  while (n) {
    struct node@ *next = n->next;
    <!free(n);^^^^free(n); free(n);^^free(n->next);!>
    n = <!next^^n->next!>;
  }
}
static struct node@ *removed@(struct node@ *list, int value) {
  struct node@ **at = &list;
  while (<!*at && (*at)->value != value^^(*at)->value != value!>)
    at = &(*at)->next;
  if (<!*at^^1!>) {
    struct node@ *gone = *at;
    <!*at = gone->next;^^!>
    <!free(gone);^^!>
  }
  return list;
}
static struct node@ *reversed@(struct node@ *list) {
  struct node@ *done = 0;
  while (list) {
    struct node@ *next = list->next;
    <!list->next = done;^^!>
    done = list;
    list = next;
  }
  return done;
}
--- main
  struct node@ *list = 0, *tail = 0;
  int sum = 0;
  COUNT n
  <(for (int i = 0; i < n; i++) list = made@(i, list);~for (int i = 0; i < n; i++) {
    struct node@ *new = made@(i, 0);
    if (<!tail^^list == 0!>) tail->next = new; else list = new;
    <!tail = new;^^!>
  }~while (__VERIFIER_nondet_int()) list = made@(1, list);)>
  <(~list = removed@(list, 1);~list = reversed@(list);)>
  for (struct node@ *p = list; <!p^^p->next!>; p = p->next) sum = (sum + p->value) & 7;
  <(~if (list) { struct node@ *first = list; list = <!first->next^^first!>; free(first); })>
  <(~if (<!list && list->next^^list!>) { list->next->value = 3; })>
  <!drop@(list);^^^^drop@(list); drop@(list);^^free(list);!>
