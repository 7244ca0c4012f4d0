struct queue@ { int slots[3]; unsigned head, count; };
static int enter@(struct queue@ *q, int value) {
  if (<!q->count == 3^^q->count > 3!>) return 0;
  q->slots[<!(q->head + q->count) % 3^^q->head + q->count!>] = value;
  q->count++;
  return 1;
}
static int leave@(struct queue@ *q, int *value) {
  if (<!!q->count^^q->count == 7!>) return 0;
  *value = q->slots[q->head];
  <(q->head = (q->head + 1) % <!3^^4!>;~if (++q->head == <!3^^4!>) q->head = 0;)>
  q->count--;
  return 1;
}
static int used@(struct queue@ *q, int n, int m) {
  int got = 0;
  for (int i = 0; i < n; i++) enter@(q, i);
  for (int i = 0; i < m; i++) leave@(q, &got);
  for (int i = 0; i < m; i++) enter@(q, i);
  <(~while (leave@(q, &got)) { })>
  return got;
}
--- main
  INPUT n
  INPUT m
  <(struct queue@ q = {{0, 0, 0}, 0, 0};
  if (used@(&q, n, m) > 100) abort();~struct queue@ *q = calloc(1, sizeof(<!*q^^q!>));
  if (!q) abort();
  if (used@(q, n, m) > 100) abort();
  <!free(q);^^free(&q->head);!>)>
