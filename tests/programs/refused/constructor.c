static int x;
__attribute__((constructor)) static void before(void) { x = 1; } // refused: 16 constructor
int main(void) { return x; }
