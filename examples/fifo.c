#include "fifo.h"

#include <assert.h>

void fifo_init(fifo_t *fifo)
{
  fifo->first = 0;
  fifo->used = 0;
}

/* Returns 0 if there is no room. */
int fifo_put(fifo_t *fifo, int item)
{
  if (fifo->used == FIFO_SIZE)
    return 0;
  fifo->items[(fifo->first + fifo->used) % FIFO_SIZE] = item;
  fifo->used++;
  return 1;
}

/* Returns `other` if there is nothing. */
int fifo_get(fifo_t *fifo, int other)
{
  if (fifo->used == 0)
    return other;
  int item = fifo->items[fifo->first];
  fifo->first = (fifo->first + 1) % FIFO_SIZE;
  fifo->used--;
  return item;
}

unsigned fifo_room(const fifo_t *fifo)
{
  assert(fifo->used <= FIFO_SIZE);
  return FIFO_SIZE - fifo->used;
}
