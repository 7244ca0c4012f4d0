/* an address that is stored through an unknown address */
void *__VERIFIER_nondet_pointer(void);
int value;
int *kept, **spare;
struct holder { int number; int *inside; } holder;
int main(void)
{
  spare = &kept;
  holder.inside = 0;
  kept = &holder.number;
  int **where = __VERIFIER_nondet_pointer();
  if (where) {
    *where = &value;
    int *read = kept;
    if (read)
      *read = 2;
    if (holder.inside)
      *holder.inside = 3;
  }
  return value + holder.number;
}
