// Each file's calls may use its own definition, or not: C leaves it open.
inline int limit(void) { return 1; }
int other(void);
int main(void) { return limit() + other(); }
