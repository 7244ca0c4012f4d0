#include <unistd.h>
int main(void)
{
  int (*f)(void) = fork; // refused: 20 fork: processes are not supported
  return f();
}
