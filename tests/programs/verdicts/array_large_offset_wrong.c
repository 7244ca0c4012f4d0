// verdict: FALSE
// bounded: FALSE
// A large number that is added to a pointer from a table is no address.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
char first[8], big[2000000];
char *table[10];
int main(void)
{
  int k = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (k < 0 || k > 9 || y != 123456)
    return 0;
  first[3] = y;
  for (int i = 0; i < 10; i++)
    table[i] = big + i;
  char *p = table[k];
  p[0x180000] = 7;
  if (first[3] == 0x40 && big[0x180000 + 7] == 7)
    reach_error(); // error: reach_error() is called
  return 0;
}
