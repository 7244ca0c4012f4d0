int main(void)
{
  int inner(int x) { return x; } // refused: 20 function definition is not allowed here
  return inner(0);
}
