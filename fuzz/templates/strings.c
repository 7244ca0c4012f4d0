static char *copied@(const char *text) {
  unsigned long length = strlen(text);
  char *new = malloc(length<! + 1^^!>);
  if (!new) abort();
  <(strcpy(new, text);~memcpy(new, text, length + <!1^^2!>);~for (unsigned long i = 0; <!i <= length^^i <= length + 1!>; i++) new[i] = text[i];)>
  return new;
}
static int count@(const char *s, char c) {
  int found = 0;
  while (<!*s^^*++s != 'q'!>) if (*s++ == c) found++;
  return found;
}
--- main
  INPUT n
  char room[<(8~6)>] = "";
  for (int i = 0; i < n; i++) room[i] = 'a' + i;
  <!room[n] = 0;^^room[n + 5] = 0;!>
  <(~strcat(room, <!"xy"^^"wwxxyyzz"!>);~room[n] = '/'; room[n + 1] = 0;)>
  char *s = copied@(room);
  if (count@(s, 'a') > 5) abort();
  <(~if (s[0] && s[1]) s[1] = 'z';~char *end = s; while (*end) end++; if (end > s) <!end[-1]^^end[1]!> = 'y';)>
  <(~if (strlen(s) > 1) s[strlen(s) - 1] = 0;~if (strcmp(s, "ab") == 0) s[<!2^^3!>] = 0;)>
  <!free(s);^^^^free(room);^^free(s); s[0] = 0;!>
