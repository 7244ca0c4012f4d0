int main(void)
{
  int x = 0;
  __builtin_nontemporal_store(3, &x); // refused: 3 __builtin_nontemporal_store is not supported
  return x;
}
