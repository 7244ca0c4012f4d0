// verdict: TRUE
// bounded: UNKNOWN
#include <assert.h>
#include <errno.h>
int main(void)
{
  errno = 0;
  assert(errno == 0);
  return 0;
}
