// verdict: FALSE
// bounded: FALSE
// Not the functions of the library, although they have their names.
#include <assert.h>
int read(void);
int floor_of(int);
int ceil_(int);
unsigned char sqrt_of(int *at, int n);
int main(void)
{
  assert(read() != 42); // error: assertion failed: read() != 42
  return 0;
}
