int common;
int from_b = 9;
int unsized[2] = {21, 22};
int value(void) { return common; }
int set(void) { return common = 50; }
