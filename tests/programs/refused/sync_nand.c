int main(void)
{
  int x = 0;
  return __sync_fetch_and_nand(&x, 1); // refused: 10 __sync_fetch_and_nand is not supported
}
