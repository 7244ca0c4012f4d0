#include <unistd.h>
int main(void)
{
  return fork(); // refused: 10 fork: processes are not supported
}
