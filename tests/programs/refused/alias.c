int real(void) { return 1; }
int other(void) __attribute__((alias("real"))); // refused: 32 alias
int main(void) { return other(); }
