/* extra arguments, with addresses among them */
int last, first;
int sum(int n, ...)
{
  __builtin_va_list list, copy;
  int total = 0;
  __builtin_va_start(list, n);
  __builtin_va_copy(copy, list);
  for (int i = 0; i < n; i++)
    total += *__builtin_va_arg(list, int *);
  int *one = __builtin_va_arg(copy, int *);
  *one += total;
  __builtin_va_end(list);
  return total;
}
struct big { int a[6]; };
long long mixed(int n, ...)
{
  __builtin_va_list list;
  __builtin_va_start(list, n);
  long long result = __builtin_va_arg(list, long long);
  struct big b = __builtin_va_arg(list, struct big);
  int *p = __builtin_va_arg(list, int *);
  *p = b.a[n];
  __builtin_va_end(list);
  return result;
}
int main(void)
{
  int x = 1, y = 2;
  struct big b = {{1, 2, 3}};
  return sum(2, &x, &y) + sum(1, &last) + x + (int)mixed(1, 5LL, b, &first) + first;
}
