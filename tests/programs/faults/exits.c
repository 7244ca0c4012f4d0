// expect: exit 42
#include <stdlib.h>
static void leave(int status) { exit(status); }
int main(void)
{
  leave(42);
  return 1;
}
