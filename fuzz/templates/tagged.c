struct tagged@ { unsigned kind : 2; union { int *pointer; long number; char bytes[8]; } u; };
static struct tagged@ make@(int n) {
  struct tagged@ t;
  t.kind = <!n != 0^^1!>;
  if (n) {
    t.u.pointer = malloc(sizeof(int));
    if (!t.u.pointer) abort();
    *t.u.pointer = n;
  } else t.u.number = 12;
  return t;
}
static void unmake@(struct tagged@ t) { if (<!t.kind == 1^^t.kind < 2!>) free(t.u.pointer); }
--- main
  INPUT n
  struct tagged@ all[2];
  all[0] = make@(n);
  all[1] = make@(<!1^^0!>);
  <(~all[0].kind ? *all[0].u.pointer = 4 : 0;~if (<!!all[0].kind^^1!>) all[0].u.bytes[<!5^^8!>] = 1;)>
  <(for (int i = 0; i < 2; i++) unmake@(all[i]);~for (struct tagged@ *t = all; t < all + 2; t++) unmake@(*t);~unmake@(all[<!0^^1!>]); unmake@(all[1]);)>
