inline int f(void) { return 1; } // refused: 12 f is defined twice
int f(void); // by this, the definition above is an external one
