#include <math.h>
int main(void)
{
  double (*f)(double) = cos; // refused: 25 the address of cos is not supported
  return f(1.0) > 2.0;
}
