#include <signal.h>
static int caught;
static void handler(int number) { caught = number; }
int main(void)
{
  signal(SIGINT, handler); // refused: 3 signal: signals are not supported
  return caught;
}
