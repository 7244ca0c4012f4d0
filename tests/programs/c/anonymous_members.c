// expect: exit 0
// Anonymous structs and unions, nested, in initialisers, and through pointers.
#include <assert.h>
#include <stddef.h>
#include <stdio.h>

struct shape {
  int kind;
  union {
    struct {
      int width, height;
    };
    struct {
      int radius;
      union {
        char tag;
        short wide_tag;
      };
    };
    int raw[2];
  };
  struct {
    int last;
  };
};

static struct shape square = {1, {{10, 20}}, {7}};
static struct shape circle = {.kind = 2, .radius = 5, .tag = 'c', .last = 9};

static int area(const struct shape *s) { return s->kind == 1 ? s->width * s->height : s->radius; }

int main(void)
{
  assert(square.width == 10 && square.height == 20 && square.raw[1] == 20 && square.last == 7);
  assert(circle.radius == 5 && circle.tag == 'c' && circle.raw[0] == 5 && circle.last == 9);
  assert(area(&square) == 200 && area(&circle) == 5);
  struct shape s = square;
  s.wide_tag = 0x4142;
  assert(s.tag == 'B' && s.height == 0x4142);
  struct shape *p = &s;
  p->last++;
  assert(s.last == 8 && offsetof(struct shape, tag) == 8 && offsetof(struct shape, last) == 12);
  int *h = &p->height;
  *h = 3;
  assert(s.raw[1] == 3);
  struct {
    union {
      int a;
      float b;
    };
    int c;
  } unnamed = {{1}, 2}, *q = &unnamed;
  assert(q->a == 1 && q->c == 2);
  printf("%d %d\n", s.wide_tag, (int)sizeof(struct shape));
  return 0;
}
