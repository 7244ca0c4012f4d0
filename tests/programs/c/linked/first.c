#include "shared.h"
int counter = 5;
int array[4] = {1, 2, 3, 4};
static int helper(void) { return ++counter; }
int next(void) { return helper(); }
int *counter_address(void) { return &counter; }
static int twice(int x) { return 2 * x; }
transform *const table[2] = {twice, squared};
