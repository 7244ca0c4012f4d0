static void done(int *p) { *p = 0; }
int main(void)
{
  [[gnu::cleanup(done)]] int x = 3; // refused: 5 the attribute cleanup is not supported
  return x;
}
