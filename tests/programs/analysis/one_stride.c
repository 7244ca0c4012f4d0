/* an array that is only ever accessed at places that overlap in part */
short shifted[12];
void put(int i, long long v) { *(long long *)((char *)shifted + 2 * i) = v; }
long long get(int i) { return *(long long *)((char *)shifted + 2 * i); }
int main(void)
{
  long long sum = 0;
  for (int i = 0; i < 8; i++)
    put(i, 0x0102030405060708LL * i);
  for (int i = 0; i < 8; i++)
    sum += get(i);
  return (int)sum;
}
