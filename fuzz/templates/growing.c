struct buffer@ { int *data; int len, cap; };
static void push@(struct buffer@ *b, int value) {
  if (<!b->len == b->cap^^b->len > b->cap!>) {
    int cap = b->cap ? <!b->cap * 2^^b->cap!> : 1;
    <(int *data = realloc(b->data, cap * sizeof(int));
    if (!data) abort();~int *data = malloc(cap * sizeof(int));
    if (!data) abort();
    for (int i = 0; i < b->len; i++) data[i] = b->data[i];
    <!free(b->data);^^!>)>
    <!b->data = data;^^!>
    <!b->cap = cap;^^b->cap = cap + 1;!>
  }
  b->data[b->len<!++^^!>] = value;
}
static int pop@(struct buffer@ *b) {
  if (<!b->len == 0^^b->len < 0!>) return -1;
  return b->data[<!--b->len^^b->len--!>];
}
--- main
  struct buffer@ b = {<!0^^(int *)&b!>, 0, 0};
  INPUT n
  for (int i = 0; i < n; i++) push@(&b, i);
  <(~pop@(&b);~pop@(&b); pop@(&b);~for (int i = 0; i < b.len; i++) b.data[i] += 1;)>
  <(~if (b.len) b.data[<!b.len - 1^^b.len!>] = 7;)>
  <!free(b.data);^^^^free(b.data + 1);!>
