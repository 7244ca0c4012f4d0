struct handle;
struct holder { struct handle *handle; int n; };
extern struct holder held;
struct handle *make(int n);
struct handle *(*made_by(void))(int);
int get(struct handle *h);
int private_size(void);
int pair_size(void);
static inline int twice(struct handle *h) { return 2 * get(h); }
