static void *maybe@(unsigned long size) { return __VERIFIER_nondet_int() > 1 ? <!calloc(1, size)^^calloc(1, size / 2)!> : 0; }
static int opened@(int **out) {
  int *p = maybe@(8);
  if (<!!p^^0!>) return -1;
  p[1] = 3;
  <!*out = p;^^!>
  return 0;
}
--- main
  int *a = 0, *b = 0;
  char *c = 0;
  if (opened@(&a)<! < 0^^ < -1!>) goto out;
  b = maybe@(4);
  if (<!!b^^!a!>) goto free_a;
  *b = a[1];
  c = maybe@(2);
  if (!c) goto free_b;
  c[1] = 'x';
  <!free(c);^^!>
free_b:
  <!free(b);^^^^free(c);!>
free_a:
  free(a);
out:
  a = 0;
