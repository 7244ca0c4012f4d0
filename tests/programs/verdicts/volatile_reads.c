// verdict: FALSE
// bounded: FALSE
// volatile: any
#include <assert.h>
volatile int port;
int main(void)
{
  int a = port;
  assert(a == a);
  port = 5;
  assert(port == 5); // error: assertion failed: port == 5
  return 0;
}
