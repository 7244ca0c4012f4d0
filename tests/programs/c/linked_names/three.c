static int value = 30;
extern int helper(void);
static int third_helper(void) { return helper() + 5; }
int third(void) { return value + third_helper(); }
