/* members found from each other: container_of, offsets of fields, arrays of structs */
struct link { struct link *next; };
struct node { int key; struct link link; char name[8]; int value; };
#define NODE(l) ((struct node *)((char *)(l) - (unsigned long)&((struct node *)0)->link))
struct node nodes[4];
struct link head;
int walk(void)
{
  int sum = 0;
  for (struct link *l = head.next; l; l = l->next) {
    struct node *n = NODE(l);
    n->value += n->key;
    n->name[n->key & 7]++;
    sum += n->value;
  }
  return sum;
}
int main(void)
{
  for (int i = 0; i < 4; i++) {
    nodes[i].key = i;
    nodes[i].link.next = head.next;
    head.next = &nodes[i].link;
  }
  int sum = walk() + walk();
  int *into = &nodes[0].key;
  into[4] += 3;
  char *byte = (char *)&nodes[1];
  for (unsigned i = 0; i < sizeof nodes[1]; i++)
    sum += byte[i];
  nodes[2] = nodes[1];
  struct node copy = nodes[2];
  sum += copy.value + copy.name[2];
  return sum + walk();
}
