/* A queue of requests: an interrupt handler submits them, a worker takes them. */
#include <assert.h>

#define SIZE 2

extern int __VERIFIER_nondet_int(void);
extern void lock(void), unlock(void);

static int requests[SIZE];
static unsigned first, waiting; /* the place of the next request, and how many there are */

static void submit(int request)
{
  lock();
  if (waiting < SIZE) {
    requests[(first + waiting) % SIZE] = request;
    waiting++;
  }
  unlock();
}

static int take(void)
{
  lock();
  if (waiting == 0) {
    unlock();
    return -1;
  }
  int request = requests[first];
  first = (first + 1) % SIZE;
  waiting--;
  unlock();
  return request;
}

int main(void)
{
  do {
    if (__VERIFIER_nondet_int())
      submit(7);
    else
      take();
    assert(waiting <= SIZE);
  } while (__VERIFIER_nondet_int());
  return 0;
}
