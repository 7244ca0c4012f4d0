// refused: - struct list is laid out differently than in another file
struct node { long a, b; };
struct list { struct node *head; } y;
long f(void) { return y.head != 0; }
