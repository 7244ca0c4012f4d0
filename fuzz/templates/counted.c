struct shared@ { int uses; int *data; };
static struct shared@ *hold@(struct shared@ *s) { <!s->uses++;^^!> return s; }
static void release@(struct shared@ *s) {
  if (<!s && --s->uses == 0^^s!>) { free(s->data); free(s); }
}
--- main
  INPUT n
  struct shared@ *s = malloc(sizeof *s), *all[3] = {0, 0, 0};
  if (!s) abort();
  s->uses = <!1^^2^^0!>;
  s->data = calloc(1, sizeof(int));
  for (int i = 0; i < n; i++) all[<!i^^i + 1!>] = hold@(s);
  <!release@(s);^^!>
  if (all[0]) *all[0]->data = 2;
  for (int i = 0; i < 3; i++) release@(all[<!i^^0!>]);
