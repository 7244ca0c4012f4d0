/* what the entry function is given, and what is defined elsewhere, may be any address */
extern int *elsewhere;
int known;
int *taken = &known;
int main(int argc, char **argv)
{
  if (elsewhere)
    *elsewhere = 4;
  if (argv) {
    char *first = argv[0];
    if (first)
      *first = 1;
  }
  return known + argc;
}
