inline int f(void) { return 1; }
extern inline int f(void);
int main(void) { return f(); }
