/* The same, but an empty file is left open. */
#include <stdio.h>

static int count(const char *name)
{
  FILE *file = fopen(name, "r");
  int bytes = 0;
  if (!file)
    return -1;
  if (fgetc(file) == EOF)
    return 0;
  do
    bytes++;
  while (fgetc(file) != EOF);
  fclose(file);
  return bytes;
}

int main(void)
{
  return count("a.txt") < count("b.txt");
}
