int helper(void) { return 2; }
int value = 7;
static unsigned long strlen(const char *s)
{
  unsigned long n = 100;
  while (*s++)
    n++;
  return n;
}
unsigned long other_length(const char *s) { return strlen(s); }
int other_helper(void) { return helper(); }
int other_value(void) { return value; }
