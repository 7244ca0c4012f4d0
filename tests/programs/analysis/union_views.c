/* one place seen as numbers of different sizes, as bytes, and as a float */
union view { unsigned int word; unsigned short half[2]; unsigned char byte[4]; float real; };
union view global;
int check(union view *v, int i)
{
  v->half[i & 1] = 7;
  v->byte[i & 3] ^= 0x55;
  return v->word;
}
int main(void)
{
  union view local, other;
  local.word = 0x01020304;
  other = local;
  other.half[1] = local.half[0];
  global.real = 1.5f;
  global.byte[0] = other.byte[2];
  int sum = 0;
  for (int i = 0; i < 8; i++)
    sum += check(i & 1 ? &global : &local, i) + other.word;
  return sum;
}
