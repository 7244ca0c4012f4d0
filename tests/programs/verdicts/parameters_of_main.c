// verdict: FALSE
// bounded: FALSE
#include <assert.h>
int main(int argc, char **argv)
{
  assert(argc != 12345); // error: assertion failed: argc != 12345
  return 0;
}
