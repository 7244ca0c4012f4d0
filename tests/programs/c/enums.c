// expect: exit 0
// Enumerations: counting, explicit and negative values, large ones, as types of anything.
#include <assert.h>
#include <stdio.h>

enum color { RED, GREEN = 5, BLUE, ALSO_GREEN = GREEN, LAST };
enum { ANONYMOUS = 'q', NEXT };
enum sign { MINUS = -1, ZERO, PLUS };
enum large { LARGE = 0x7fffffff, TOP = 0xffffffff };
enum huge { HUGE_ONE = 1LL << 40, SMALL = 2 };
enum packed { A1, B1 } __attribute__((packed));
enum later;
typedef enum color color;
struct holder {
  enum color c;
  enum sign s : 3;
};
enum nested { N1 = sizeof(int), N2 = N1 << 2, N3 = N2 ? N1 : 0, N4 = (char)300 };

static enum color following(enum color c) { return c + 1; }

int main(void)
{
  assert(RED == 0 && BLUE == 6 && ALSO_GREEN == 5 && LAST == 6 && NEXT == 'r');
  enum sign s = MINUS;
  assert(s < 0 && s + 1 == ZERO);
  color c = GREEN;
  c++;
  assert(c == BLUE && following(RED) == 1);
  c = 77;
  assert(c == 77);
  unsigned u = TOP;
  assert(u == 0xffffffffu);
  assert(sizeof(enum huge) == 8 && HUGE_ONE / 2 == 1LL << 39);
  assert(sizeof(enum packed) == 1 && sizeof(enum color) == 4);
  enum packed p = B1;
  assert(p == 1);
  struct holder h = {BLUE, MINUS};
  assert(h.c == 6 && h.s == -1);
  assert(N2 == 16 && N3 == 4 && N4 == 44);
  enum local { RED = 40, PINK } inner = PINK;
  assert(RED == 40 && inner == 41);
  int seen = 0;
  switch (c) {
  case GREEN: seen = 1; break;
  case 77: seen = 2; break;
  default: seen = 3;
  }
  assert(seen == 2);
  printf("%d %d %d\n", RED, c, (int)(-1 < (enum color)0));
  return 0;
}
