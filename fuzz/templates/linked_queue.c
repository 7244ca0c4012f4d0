struct job@ { struct job@ *next; int *data; };
struct jobs@ { struct job@ *head, **tail; };
static void enter@(struct jobs@ *q, int value) {
  struct job@ *j = malloc(sizeof *j);
  if (!j) abort();
  j->data = malloc(sizeof(int));
  if (!j->data) abort();
  *j->data = value;
  <!j->next = 0;^^!>
  *q->tail = j;
  <!q->tail = &j->next;^^!>
}
static int leave@(struct jobs@ *q) {
  struct job@ *j = q->head;
  if (<!!j^^0!>) return -1;
  int value = *j->data;
  q->head = j->next;
  if (<!!q->head^^0!>) q->tail = &q->head;
  <!free(j->data);^^!>
  free(j);
  return value<!^^ + *j->data!>;
}
--- main
  struct jobs@ q = {0, <!&q.head^^0!>};
  COUNT n
  for (int i = 0; i < n; i++) enter@(&q, i);
  <(~leave@(&q);~leave@(&q); enter@(&q, 5);)>
  while (<!q.head^^q.head && q.head->next!>) leave@(&q);
