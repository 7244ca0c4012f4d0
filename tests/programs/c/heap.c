// expect: exit 0
// malloc, calloc, realloc, free: arrays, structs, lists, trees, memory kept and grown.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  int value;
  struct node *next;
};
static struct node *push(struct node *head, int value)
{
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = head;
  return n;
}
static struct node *reverse(struct node *head)
{
  struct node *done = NULL;
  while (head) {
    struct node *next = head->next;
    head->next = done;
    done = head;
    head = next;
  }
  return done;
}
static void drop(struct node *head)
{
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
}
struct vector {
  int size, room, *data;
};
static void append(struct vector *v, int x)
{
  if (v->size == v->room) {
    v->room = v->room ? 2 * v->room : 1;
    v->data = realloc(v->data, v->room * sizeof *v->data);
  }
  v->data[v->size++] = x;
}

int main(void)
{
  struct node *list = NULL;
  for (int i = 0; i < 5; i++)
    list = push(list, i);
  list = reverse(list);
  int n = 0;
  for (struct node *p = list; p; p = p->next)
    n = n * 10 + p->value;
  assert(n == 1234);
  drop(list);
  struct vector v = {0};
  for (int i = 0; i < 20; i++)
    append(&v, i * i);
  assert(v.size == 20 && v.room == 32 && v.data[19] == 361 && v.data[3] == 9);
  free(v.data);
  int *zeros = calloc(10, sizeof(int));
  for (int i = 0; i < 10; i++)
    assert(zeros[i] == 0);
  zeros[9] = 5;
  zeros = realloc(zeros, 12 * sizeof(int));
  assert(zeros[9] == 5 && zeros[0] == 0);
  zeros = realloc(zeros, 2 * sizeof(int));
  assert(zeros[1] == 0);
  free(zeros);
  free(NULL);
  char *bytes = realloc(NULL, 4);
  memset(bytes, 'x', 3);
  bytes[3] = 0;
  printf("%s\n", bytes);
  int **rows = malloc(3 * sizeof *rows);
  for (int i = 0; i < 3; i++) {
    rows[i] = malloc((i + 1) * sizeof **rows);
    for (int j = 0; j <= i; j++)
      rows[i][j] = i + j;
  }
  assert(rows[2][2] == 4 && rows[1][0] == 1 && rows[0] != rows[1]);
  for (int i = 0; i < 3; i++)
    free(rows[i]);
  free(rows);
  struct node *raw = (struct node *)malloc(2 * sizeof(struct node));
  raw[1].value = 3;
  raw[0].next = &raw[1];
  assert(raw->next->value == 3 && (char *)&raw[1] - (char *)raw == sizeof *raw);
  free(raw);
  short *typed = (short *)bytes;
  typed[0] = 0x4142;
  assert(bytes[0] == 'B' && bytes[1] == 'A');
  free(bytes);
  return 0;
}
