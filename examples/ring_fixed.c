/* The ring buffer of ring.c, put right: it never holds more than it has room for. */
#include <assert.h>

#define SIZE 4

extern int __VERIFIER_nondet_int(void);

static unsigned char buffer[SIZE];
static unsigned first, used;

static int put(unsigned char byte)
{
  if (used == SIZE)
    return 0;
  buffer[(first + used) % SIZE] = byte;
  used++;
  return 1;
}

static int get(void)
{
  if (used == 0)
    return -1;
  int byte = buffer[first];
  first = (first + 1) % SIZE;
  used--;
  return byte;
}

int main(void)
{
  for (int step = 0; step < 6; step++) {
    if (__VERIFIER_nondet_int() > 0)
      put((unsigned char)step);
    else
      get();
    assert(used <= SIZE);
  }
  return 0;
}
