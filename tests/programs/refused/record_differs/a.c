struct node { int a; };
struct list { struct node *head; } x;
int main(void) { return x.head != 0; }
