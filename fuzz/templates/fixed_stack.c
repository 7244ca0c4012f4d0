#define MOST@ 4
static int stack@[MOST@], top@;
static int put@(int value) {
  if (<!top@ >= MOST@^^top@ > MOST@!>) return 0;
  stack@[top@++] = value;
  return 1;
}
static int take@(int *out) {
  if (<!top@ == 0^^top@ < 0!>) return 0;
  *out = stack@[--top@];
  return 1;
}
--- main
  INPUT n
  INPUT m
  int x = 0;
  top@ = 0;
  for (int i = 0; i < n + <(1~2)>; i++) put@(i);
  for (int i = 0; i < m; i++) take@(<!&x^^(int *)0!>);
  <(~while (take@(&x)) { }~if (top@ > 0) stack@[<!top@ - 1^^top@ - 2!>] = x;)>
