// verdict: FALSE
// bounded: FALSE
#include <assert.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
struct message {
  unsigned short kind, size;
  int *target;
};
int main(void)
{
  int x = 1, y = 2;
  struct message m = {3, 4, &x}, n = {5, 6, &y};
  unsigned bytes = __VERIFIER_nondet_uint();
  if (bytes <= sizeof m)
    memcpy(&m, &n, bytes);
  if (m.size == 6 && m.kind == 5)
    assert(*m.target == 1 || bytes > 999); // error: assertion failed
  return 0;
}
