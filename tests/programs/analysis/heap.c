/* objects on the heap: lists, arrays of records, copies of unknown length, a reused block */
typedef __SIZE_TYPE__ size_t;
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
void *memset(void *, int, size_t);
void *memcpy(void *, const void *, size_t);
unsigned __VERIFIER_nondet_uint(void);
struct item { int id; struct item *next; long long weight; short kind; };
struct item *push(struct item *top, int id)
{
  struct item *i = malloc(sizeof *i);
  i->id = id;
  i->weight = id * 3;
  i->kind = id;
  i->next = top;
  return i;
}
int main(void)
{
  unsigned n = __VERIFIER_nondet_uint() % 5 + 1;
  struct item *list = 0;
  for (unsigned i = 0; i < n; i++)
    list = push(list, i);
  struct item *array = calloc(n, sizeof *array);
  int *ids = malloc(n * sizeof *ids), *more = malloc(2 * n * sizeof *more);
  unsigned k = 0;
  for (struct item *i = list; i; i = i->next, k++) {
    array[k] = *i;
    ids[k] = i->id;
  }
  memcpy(more, ids, n * sizeof *ids);
  memcpy(more + n, ids, n * sizeof *ids);
  long long sum = more[n] + more[2 * n - 1];
  memset(ids, 255, n * sizeof *ids);
  memset(array, 0, n / 2 * sizeof *array);
  sum += ids[0] + array[n - 1].weight + array[0].kind;
  more = realloc(more, 3 * n * sizeof *more);
  sum += more[n];
  memcpy(more, ids, n);
  sum += more[0] + more[1];
  memset((char *)more + 1, 3, n + 3);
  sum += more[0] + more[1];
  unsigned char *raw = malloc(16);
  memset(raw, 1, 16);
  *(int *)(raw + 4) = 5;
  *(short *)(raw + 2 * (n & 3)) = 6;
  sum += *(long long *)raw;
  while (list) {
    struct item *next = list->next;
    sum += list->weight;
    free(list);
    list = next;
  }
  return (int)sum;
}
