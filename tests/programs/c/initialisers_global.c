// expect: exit 0
// Initialisers of static objects: nested, designated, ranges, elided braces, addresses.
#include <assert.h>
#include <stdio.h>

struct point {
  int x, y;
};
struct line {
  struct point from, to;
  const char *name;
  int tags[3];
};

int zero, array_zero[5];
int a = 3, b = -3, c = 2 + 3 * 4, d = sizeof(struct line) > 0, e = 'a' + 1, f = ~0 & 0xff, g = !5;
int later_array[] = {1, 2, 3, [6] = 7, 8, [1] = 20};
int ranged[10] = {[2 ... 5] = 4, [4] = 9, 1, [9] = -1};
struct line full = {{1, 2}, {3, 4}, "full", {5, 6, 7}};
struct line elided = {1, 2, 3, 4, "elided", 5, 6, 7};
struct line partial = {{1}, .name = "partial", {9}};
struct line designated = {.to.y = 4, .from = {.y = 2}, .tags[1] = 8, .to.x = 3, .tags[2] = 9};
struct line several[3] = {[1].name = "mid", [1].from.x = 6, [0] = {{7}}, {.name = "second"}};
struct line array[] = {1, 2, 3, 4, "x", 5, 6, 7, {{8}}, 9};
int matrix[3][2] = {1, 2, 3, 4, 5, 6};
int matrix2[][2] = {{1}, {2, 3}, 4, 5};
int sparse[2][3] = {[1][2] = 5, [0] = {[1] = 6}};
int *pointer = &matrix[1][1], *to_member = &full.tags[1];
struct point *to_point = &full.to;
const char *const texts[2][2] = {{"a", "b"}, {"c"}};
char chars[] = {'a', 'b', 0}, letters[2][3] = {"xy", {'p', 'q'}};
struct line override = {.from = {1, 2}, .from.x = 9};
struct {
  int n;
  union {
    int i;
    char c[4];
  } u;
} with_union[2] = {{1, {0x41424344}}, {2, {.c = "hi"}}};
long difference = &matrix[2][0] - &matrix[0][0];
long long wide = 1LL << 40, negative = -1;
unsigned long long unsigned_wide = -1;
char narrow = 300;
double real = 1, third = 1.0 / 4;
int from_real = 3.9;
struct point *literal = &(struct point){11, 12};
int *literal_array = (int[]){1, 2, 3};
int trailing[] = {
    1,
    2,
};
int scalar = {5};
_Bool truth = 42;
int (*nothing)(void) = 0;
int same = (int)(sizeof array / sizeof *array);

int main(void)
{
  assert(zero == 0 && array_zero[4] == 0 && a + b == 0 && c == 14 && d == 1 && e == 'b');
  assert(f == 255 && g == 0 && sizeof later_array == 32 && later_array[1] == 20);
  assert(later_array[2] == 3 && later_array[6] == 7 && later_array[7] == 8 && later_array[5] == 0);
  for (int i = 0; i < 10; i++)
    printf("%d ", ranged[i]);
  printf("\n");
  struct line *all[] = {&full, &elided, &partial, &designated, several, several + 1, several + 2,
                        array, array + 1, &override};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
    printf("%d %d %d %d %s %d %d %d\n", all[i]->from.x, all[i]->from.y, all[i]->to.x, all[i]->to.y,
           all[i]->name ? all[i]->name : "-", all[i]->tags[0], all[i]->tags[1], all[i]->tags[2]);
  assert(designated.from.y == 2 && designated.to.y == 4 && designated.tags[2] == 9);
  assert(several[1].name[0] == 's' || several[1].name[0] == 'm');
  assert(matrix[2][1] == 6 && matrix2[2][1] == 5 && sizeof matrix2 == 24 && matrix2[0][1] == 0);
  assert(sparse[1][2] == 5 && sparse[0][1] == 6 && sparse[0][0] == 0);
  assert(*pointer == 4 && *to_member == 6 && to_point->y == 4 && texts[1][1] == 0);
  assert(letters[1][2] == 0 && letters[0][1] == 'y' && sizeof chars == 3);
  assert(override.from.x == 9 && override.from.y == 2);
  assert(with_union[0].u.c[0] == 'D' && with_union[1].u.i == 'h' + ('i' << 8));
  assert(difference == 4 && wide == 1099511627776 && negative == -1 && unsigned_wide == ~0ULL);
  assert(narrow == 44 && real == 1.0 && third == 0.25 && from_real == 3);
  assert(literal->y == 12 && literal_array[2] == 3 && sizeof trailing == 8 && scalar == 5);
  assert(truth == 1 && !nothing && same == 3);
  return 0;
}
