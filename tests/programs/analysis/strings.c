/* character arrays, literals, and the library models that work on them */
typedef __SIZE_TYPE__ size_t;
size_t strlen(const char *);
char *strcpy(char *, const char *);
char *strcat(char *, const char *);
char *strchr(const char *, int);
int strcmp(const char *, const char *);
void *memset(void *, int, size_t);
struct entry { int id; char name[12]; const char *text; unsigned char flag; } table[3] = {
  {1, "one", "first", 1}, {2, "two", "second", 0}};
char buffer[32];
int main(void)
{
  strcpy(buffer, table[0].name);
  strcat(buffer, table[1].text);
  strcpy(table[2].name, buffer + 2);
  char *e = strchr(buffer, 's');
  if (e)
    *e = 'z';
  memset(&table[1], 0, sizeof table[1]);
  struct entry local;
  memset(&local, 0, sizeof local);
  local = table[2];
  memset(local.name, 'x', 4);
  const char *names[] = {"a", "bb", table[0].name};
  int sum = 0;
  for (int i = 0; i < 3; i++)
    sum += strlen(names[i]) + strcmp(names[i], local.name);
  return sum + table[1].id + local.name[3] + local.flag;
}
