// verdict: FALSE
// bounded: FALSE
// extern: any
// A pointer from outside may point to a global, wherever the interpreter has put that.
#include <assert.h>
struct box {
  int size;
  struct box *inner;
};
static struct box small = {12, 0};
static struct box large = {30, &small};
struct box *get_box(void);
int main(void)
{
  struct box *b = get_box();
  if (b != &large)
    return 0;
  assert(b->inner->size == 12);
  assert(b->size != 30); // error: assertion failed: b->size != 30
  return 0;
}
