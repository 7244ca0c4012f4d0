struct box@ { int before[2]; int *at; int after; };
static void bump@(int *p, int by) { *p += by; }
static int *pick@(struct box@ *b, int which) {
  return which == 0 ? &b->before[<!1^^2!>] : which == 1 ? &b->after : <!b->before^^0!>;
}
static int used@(struct box@ *b, int n) {
  int sum = 0;
  b->before[0] = 1; b->before[1] = 2; b->after = 3; b->at = b->before;
  bump@(pick@(b, n), 1);
  <(~b->at = pick@(b, n); *b->at = 4;~b->at += n > 0<!^^ ? 2 : 0!>; *b->at = 5;)>
  int *end = b->before + 2;
  for (int *p = b->before; <!p != end^^p <= end!>; p++) sum += *p;
  return sum;
}
--- main
  INPUT n
  <(struct box@ space; int sum = used@(&space, n);~struct box@ *b = malloc(sizeof(<!*b^^b!>)); if (!b) abort(); int sum = used@(b, n); <!free(b);^^free(b->before + 1);!>)>
  if (sum > 1000) abort();
