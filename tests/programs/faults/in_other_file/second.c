int first(const int *p)
{
  return *p; // expect: fault read of 4 bytes
}
