static int *cell@(int value) {
  int *p = malloc(<!sizeof(int)^^2!>);
  if (!p) abort();
  *p = value;
  return p;
}
--- main
  INPUT n
  int sum = 0;
  int <(**all = calloc(n, sizeof(int *))~**all = malloc(<!n * sizeof(int *)^^n * sizeof(int)^^n!>)~*all[3] = {0, 0, 0})>;
  for (int i = 0; i < n<!^^ + 1!>; i++) all[i] = cell@(i);
  for (int i = 0; <!i < n^^i <= n!>; i++) sum += *all[i];
  <(~if (n > 1) { int *t = all[0]; all[0] = all[n - 1]; <!all[n - 1] = t;^^!> })>
  <(~for (int i = 0; i < n; i++) if (*all[i] == 1) { free(all[i]); <!all[i] = 0;^^!> })>
  for (int i = <!0^^1!>; i < n; i++) <!free(all[i]);^^free(all);^^free(all[0]);!>
  if (sum < 0) abort();
  if (sizeof(all) == sizeof(int *)) free((void *)all);
