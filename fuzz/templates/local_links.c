struct frame@ { struct frame@ *up; int *slot; };
static int *kept@;
static int sum@(struct frame@ *f) { int s = 0; while (f) { s += *f->slot; f = f->up; } return s; }
static int deeper@(struct frame@ *up, int n) {
  int here = n;
  struct frame@ mine = {up, &here};
  kept@ = <!up->slot^^&here!>;
  return sum@(&mine);
}
--- main
  INPUT n
  int outer = 1, total = 0;
  struct frame@ base = {<!0^^(struct frame@ *)&outer!>, &outer};
  kept@ = &outer;
  if (n) total = deeper@(&base, n);
  <(~for (int i = 0; i < n; i++) { int inner = i; int *p = &inner; *p += 1; total += *p; })>
  if (n > 1) { int inner = 2; <(base.slot = &inner; total += sum@(&base); <!base.slot = &outer;^^!>~total += inner;)> }
  <(total += sum@(&base);~)>
  *kept@ = total > 3;
