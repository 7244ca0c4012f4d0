__asm__(".globl something"); // refused: 1 assembly outside of functions
int main(void) { return 0; }
