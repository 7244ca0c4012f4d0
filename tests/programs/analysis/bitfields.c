/* bit-fields in plain records, in records with an address, and in copies */
struct flags { unsigned a : 3; int b : 7; unsigned c : 12; unsigned d : 10; int plain; };
struct flags shared;
int touch(struct flags *f) { f->b--; f->c = f->c * 3 + 1; return f->a + f->d; }
struct flags made(int n) { struct flags f = {n, n, n, n, n}; return f; }
union both { struct flags f; unsigned words[2]; };
int main(void)
{
  struct flags own = {1, -2, 3, 4, 5}, second;
  own.b += 4;
  own.d = own.c << 2;
  second = own;
  shared = second;
  second.a = shared.a + 1;
  int sum = touch(&shared);
  own = shared;
  union both u;
  u.f = own;
  u.words[1] ^= 3;
  second = u.f;
  own = made(sum);
  return own.a + own.b + own.c + own.d + second.plain + second.c + sum;
}
