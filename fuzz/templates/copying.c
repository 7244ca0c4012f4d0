struct pair@ { int a, b; int *p; };
--- main
  INPUT n
  int from[4] = {1, 2, 3, 4}, to[4];
  struct pair@ x = {n, 1, from}, y;
  memcpy(to, from, <!n^^(n + 2)!> * sizeof(int));
  <(y = x;~memcpy(&y, &x, sizeof(<!x^^to!>));~y.a = x.a; y.b = x.b; y.p = x.p;)>
  y.p += <!y.a^^y.a + y.b!>;
  *y.p = 0;
  <(memmove(from + 1, from, <!3^^4!> * sizeof(int));~memset(from, 0, sizeof(<!from^^x!>));~if (n) memmove(from, from + <!1^^2!>, n * sizeof(int));)>
  struct pair@ *h = malloc(sizeof *h);
  if (!h) abort();
  *h = y;
  <(~h->p = &h->a; *h->p = 2;~struct pair@ *g = malloc(sizeof *g); if (!g) abort(); *g = *h; *g->p = 1; free(<!g^^h!>);)>
  if (h->a > 20) abort();
  <!free(h);^^^^free(h); h->b = 1;!>
