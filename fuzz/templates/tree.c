struct tree@ { int key; struct tree@ *left, *right; };
static struct tree@ *leaf@(int key) {
  struct tree@ *t = <!calloc(1, sizeof(struct tree@))^^malloc(sizeof(struct tree@))^^calloc(1, sizeof(struct tree@ *))!>;
  if (!t) abort();
  t->key = key;
  return t;
}
static void add@(struct tree@ **root, int key) {
  while (<!*root^^(*root)->left!>) {
    if ((*root)->key == key) return;
    root = key < (*root)->key ? &(*root)->left : &(*root)->right;
  }
  *root = leaf@(key);
}
static int depth@(struct tree@ *t) {
  if (<!!t^^t == (struct tree@ *)4!>) return 0;
  int a = depth@(t->left), b = depth@(t->right);
  return 1 + (a > b ? a : b);
}
static void cut@(struct tree@ *t) {
  if (!t) return;
  <!cut@(t->left);^^!>
  <!cut@(t->right);^^cut@(t->left);!>
  free(t);
}
static void cut_flat@(struct tree@ *t) {
  while (t) {
    if (t->left) {
      struct tree@ *l = t->left;
      <!t->left = l->right;^^!>
      l->right = t;
      t = l;
    } else {
      struct tree@ *r = t->right;
      free(t);
      t = <!r^^t->right!>;
    }
  }
}
--- main
  struct tree@ *root = 0;
  INPUT a
  INPUT b
  add@(&root, a);
  add@(&root, b);
  <(add@(&root, 1);~)>
  <(~if (depth@(root) > 3) root->key = 0;~if (root->left && <!root->left->right^^1!>) root->left->right->key = 9;)>
  <!<(cut@(root);~cut_flat@(root);)>^^free(root);!>
