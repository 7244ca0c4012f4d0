static int ratio@(int a, int b) { return <!b ? a / b : 0^^a / b!>; }
static int shifted@(int a, int by) { return <!by >= 0 && by < 31 - 8 ? a << by : 0^^a << (by * 16)!>; }
static int least@ = -2147483647 - 1;
--- main
  INPUT n
  INPUT m
  int big = 2147483647 - <!3^^2!>;
  <(int x = big + n;~int x = ratio@(big, m) + (n > 1);~int x = shifted@(n, m);~int x = 5 % <!(m + 1)^^m!>;~int x = n ? least@ + n : 0; x = <!-(x + 1)^^-x - (m == 3)!>;)>
  int a[4] = {0, 1, 2, 3};
  a[<!x & 3^^(x & 3) + 1!>] = n;
  if (a[0] > 1000) abort();
