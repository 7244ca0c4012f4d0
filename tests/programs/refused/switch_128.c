int main(void)
{
  __int128 a = (__int128)1 << 64;
  switch (a) {
  case (__int128)1 << 64: // refused: 8 a constant of more than 64 bits
    return 1;
  }
  return 0;
}
