struct entry@ { int key, value; struct entry@ *next; };
static struct entry@ *table@[2];
static struct entry@ **place@(int key) {
  struct entry@ **at = &table@[<!key & 1^^key!>];
  while (*at && (*at)->key < key) at = &(*at)->next;
  return at;
}
static void set@(int key, int value) {
  struct entry@ **at = place@(key);
  if (<!*at && (*at)->key == key^^0!>) { (*at)->value = value; return; }
  struct entry@ *e = malloc(sizeof *e);
  if (!e) abort();
  e->key = key; e->value = value;
  <!e->next = *at;^^e->next = 0;!>
  *at = e;
}
static void unset@(int key) {
  struct entry@ **at = place@(key), *e = *at;
  if (<!e && e->key == key^^e!>) { <!*at = e->next;^^!> free(e); }
}
--- main
  INPUT n
  INPUT m
  table@[0] = 0; table@[1] = 0;
  set@(n, 1); set@(m, 2);
  <(~set@(2, 3);)>
  <(unset@(n);~unset@(m); unset@(m);~)>
  for (int i = 0; i < <!2^^1!>; i++)
    while (table@[i]) { struct entry@ *e = table@[i]; table@[i] = e->next; <!free(e);^^!> }
