#include <unistd.h>
int main(void)
{
  int (*f)(void) = fork; // refused: 20 the address of fork is not supported
  return f();
}
