// verdict: FALSE
// bounded: FALSE
// What the instruction computes is kept, but the violation does not rest on it.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct machine {
  int model, state;
} machine;
int main(void)
{
  int x = __VERIFIER_nondet_int(), model;
  __asm__ volatile("movl $7, %%eax\n\tmovl %%eax, %0" : "=r"(model) : : "eax");
  machine.model = model * 2;
  if (x == 77)
    reach_error(); // error: reach_error() is called
  return 0;
}
