/* numbers of one size at places that overlap in part */
unsigned char raw[16];
struct __attribute__((packed)) tight { char c; int n; short s; int m; } t[2];
int get(const void *p, int at) { return *(const int *)((const char *)p + at); }
void put(void *p, int at, int v) { *(int *)((char *)p + at) = v; }
struct __attribute__((packed)) spanning { int before; long long wide; int after; } span;
int middle(void) { return *(int *)((char *)&span + 8); }
int main(void)
{
  span.wide = 0x1122334455667788LL;
  int sum = 0, words[4] = {1, 2, 3, 4};
  for (int i = 0; i < 12; i++) {
    put(raw, i, i * 0x01010101);
    sum += get(raw, i / 2);
  }
  put(words, 2, 0x7f7f7f7f);
  sum += words[0] + words[1] + get(words, 5);
  t[0].n = 5;
  t[1].m = 6;
  t[1] = t[0];
  put(&t[0], 3, 9);
  long long *wide = (long long *)words;
  wide[1] ^= 0x0f0f0f0f0f0fLL;
  return sum + middle() + (int)span.wide + t[0].n + t[0].s + t[1].n + t[1].m + words[3];
}
