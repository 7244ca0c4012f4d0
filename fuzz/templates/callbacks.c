struct object@ { int *mem; void (*destroy)(struct object@ *); int (*get)(struct object@ *, int); };
static void destroy_one@(struct object@ *o) { <!free(o->mem);^^!> <!free(o);^^free(o); free(o->mem);!> }
static void destroy_none@(struct object@ *o) { free(o); }
static int get_one@(struct object@ *o, int i) { return o->mem[<!i & 1^^i!>]; }
static int get_none@(struct object@ *o, int i) { return i; }
static struct object@ *create@(int with) {
  struct object@ *o = malloc(sizeof(struct object@));
  if (!o) abort();
  o->mem = <!0^^(int *)o!>;
  if (with) {
    o->mem = calloc(2, sizeof(int));
    o->destroy = <!destroy_one@^^destroy_none@!>;
    o->get = get_one@;
  } else {
    o->destroy = destroy_none@;
    o->get = <!get_none@^^get_one@!>;
  }
  return o;
}
static int twice@(int (*f)(struct object@ *, int), struct object@ *o) { return f(o, 1) + f(o, 0); }
--- main
  INPUT n
  struct object@ *o = create@(n > 1);
  int x = <(o->get(o, n)~twice@(o->get, o))>;
  if (x > 50) abort();
  <!o->destroy(o);^^^^destroy_one@(o);!>
