/* Numbers that wait in a ring: first in, first out. */
#define FIFO_SIZE 4

typedef struct {
  int items[FIFO_SIZE];
  unsigned first, used;
} fifo_t;

void fifo_init(fifo_t *fifo);
int fifo_put(fifo_t *fifo, int item);
int fifo_get(fifo_t *fifo, int other);
unsigned fifo_room(const fifo_t *fifo);
