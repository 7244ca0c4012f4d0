// verdict: FALSE
// bounded: FALSE
// check: memory
#include <unistd.h>
int main(void)
{
  char text[40];
  return read(0, text, 100) > 0; // error: invalid write to ((unsigned char *)text)[40]: write of 1 byte past the end of 'text' (offset 40, size 40)
}
