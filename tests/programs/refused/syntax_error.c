int main(void)
{
  return 1 +; // refused: 13 expected expression
}
