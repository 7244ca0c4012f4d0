inline int limit(void) { return 2; } // refused: 12 the inline function limit has another definition
int other(void) { return limit(); }
