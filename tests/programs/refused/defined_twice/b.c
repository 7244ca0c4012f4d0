int f(void) { return 2; } // refused: 5 f is defined twice
