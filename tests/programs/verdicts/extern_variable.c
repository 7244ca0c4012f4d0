// verdict: FALSE
// bounded: FALSE
// A variable without a definition holds any value.
#include <assert.h>
extern int configured;
extern struct {
  short a, b;
} settings;
int main(void)
{
  int before = configured;
  assert(before == configured);
  assert(settings.b != 1234); // error: assertion failed: settings.b != 1234
  return 0;
}
