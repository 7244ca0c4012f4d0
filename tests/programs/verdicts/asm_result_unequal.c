// verdict: TRUE
// bounded: UNKNOWN
// Almost every value would violate this, but not the one that the instruction computes.
extern void reach_error(void);
int main(void)
{
  int x;
  __asm__("movl $7, %%eax\n\tmovl %%eax, %0" : "=r"(x) : : "eax");
  if (x != 7)
    reach_error();
  return 0;
}
