// expect: exit 0
// Flexible array members: on the heap, with a static initialiser, old style with [0] and [1].
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct packet {
  int length;
  char data[];
};
struct old {
  int length;
  int data[0];
};
struct older {
  int length;
  int data[1];
};
static struct packet fixed = {3, {'a', 'b', 'c'}};
static struct packet text = {.length = 5, .data = "hello"};

static struct packet *make(int n)
{
  struct packet *p = malloc(sizeof *p + n);
  p->length = n;
  for (int i = 0; i < n; i++)
    p->data[i] = 'a' + i;
  return p;
}

int main(void)
{
  assert(sizeof(struct packet) == 4 && sizeof(struct old) == 4 && sizeof(struct older) == 8);
  assert(fixed.data[2] == 'c' && text.data[4] == 'o' && text.length == 5);
  struct packet *p = make(5);
  assert(p->data[4] == 'e');
  p->data[1] = 0;
  printf("%s %d\n", p->data, p->length);
  struct old *o = malloc(sizeof *o + 3 * sizeof(int));
  o->data[2] = 7;
  assert(o->data[2] == 7 && (char *)&o->data[2] - (char *)o == 12);
  struct older *r = malloc(sizeof *r + 2 * sizeof(int));
  int n = 2;
  r->data[n] = 9;
  int *d = r->data;
  assert(d[2] == 9);
  free(p);
  free(o);
  free(r);
  return 0;
}
