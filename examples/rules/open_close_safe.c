/* Counts the bytes of two files, one after the other. */
#include <stdio.h>

static int count(const char *name)
{
  FILE *file = fopen(name, "r");
  int bytes = 0;
  if (!file)
    return -1;
  while (fgetc(file) != EOF)
    bytes++;
  fclose(file);
  return bytes;
}

int main(void)
{
  return count("a.txt") < count("b.txt");
}
