int main(void)
{
  int x = 0;
  __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST); // refused: 3 __atomic_fetch_add is not supported
  return x;
}
