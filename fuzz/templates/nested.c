struct person@ { char *name; struct person@ *next; };
static struct person@ *people@;
static void greet@(int length) {
  struct person@ *p = malloc(sizeof *p);
  if (!p) abort();
  p->name = <(malloc(<!4^^3!>)~length ? malloc(<!4^^3!>) : 0)>;
  if (p->name) memset(p->name, 'a', 4);
  p->next = people@;
  people@ = p;
}
static void part@(void) {
  while (people@) {
    struct person@ *p = people@;
    <!people@ = p->next;^^!>
    <!free(p->name);^^^^if (p->next) free(p->name);!>
    <!free(p);^^!>
  }
}
--- main
  COUNT n
  people@ = 0;
  for (int i = 0; i < n; i++) greet@(i);
  <(~for (struct person@ *p = people@; p; p = p->next) if (<!p->name^^p!>) p->name[0] = 'b';)>
  <(~for (struct person@ *p = people@; p; p = p->next) { free(p->name); <!p->name = 0;^^!> })>
  <!part@();^^!>
