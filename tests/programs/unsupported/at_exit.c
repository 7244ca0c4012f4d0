#include <stdlib.h>
static void last(void) {}
int main(void)
{
  return atexit(last); // refused: 10 atexit: functions that run at the exit are not supported
}
