int main(void)
{
  double _Complex z = 1.0; // refused: 19 complex
  return z == 1.0;
}
