// verdict: FALSE
// bounded: FALSE
// A large block of memory of the environment is filled; what lies behind it is left alone.
extern void *memset(void *s, int c, unsigned long n);
extern void *get_buffer(void);
extern int *get_number(void);
extern void reach_error(void);
struct buffer {
  char bytes[15072];
  int count;
};
int main(void)
{
  struct buffer *b = get_buffer();
  int *n = get_number();
  if (!b || !n)
    return 0;
  memset(b->bytes, 3, sizeof b->bytes);
  if (b->bytes[15071] == 3 && b->count == 7 && *n == 0x03030303)
    reach_error(); // error: reach_error
  return 0;
}
