// verdict: TRUE
// bounded: TRUE
// Items of a size that is not known lie behind the struct in one block, and pointers move over them.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct queue {
  char *head, *tail, *write, *read;
  unsigned length, size;
};
static struct queue *create(unsigned length, unsigned size)
{
  struct queue *q = malloc(sizeof(struct queue) + length * size);
  q->head = size ? (char *)q + sizeof(struct queue) : (char *)q;
  q->length = length;
  q->size = size;
  q->tail = q->head + length * size;
  q->write = q->head;
  q->read = q->head + (length - 1) * size;
  return q;
}
static void put(struct queue *q, const void *item)
{
  memcpy(q->write, item, q->size);
  q->write += q->size;
  if (q->write >= q->tail)
    q->write = q->head;
}
static void put_first(struct queue *q, const void *item)
{
  memcpy(q->read, item, q->size);
  q->read -= q->size;
  if (q->read < q->head)
    q->read = q->tail - q->size;
}
static void get(struct queue *q, void *item)
{
  q->read += q->size;
  if (q->read >= q->tail)
    q->read = q->head;
  memcpy(item, q->read, q->size);
}
int main(void)
{
  struct queue *q = create(2, 4);
  unsigned v = 3, w = 0;
  put(q, &v);
  get(q, &w);
  assert(w == 3);
  v = 7;
  put_first(q, &v);
  get(q, &w);
  assert(w == 7);
  return 0;
}
