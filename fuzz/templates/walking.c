static int total@(const int *a, int n) {
  int sum = 0;
  <(for (const int *p = a; p <!<^^<=!> a + n; p++) sum += *p;~while (n-- > <!0^^-1!>) sum += *a++;~for (int i = n - 1; i >= 0; i--) sum += a[<!i^^i + 1!>];)>
  return sum;
}
static int found@(int *a, int n, int key) {
  int low = 0, high = <!n - 1^^n!>;
  while (low <= high) {
    int middle = (low + high) / 2;
    if (a[middle] == key) return middle;
    if (a[middle] < key) low = middle + 1; else high = middle - 1;
  }
  return -1;
}
--- main
  INPUT n
  int *a = malloc(<!(n + 1)^^n!> * sizeof(int));
  if (!a) abort();
  for (int i = 0; i <!<=^^<= 1 +!> n; i++) a[i] = i;
  int at = found@(a, n + 1, <(n~7~-1)>), sum = total@(a, n + 1);
  if (<!at >= 0^^at >= -1!>) a[at] = 0;
  if (sum > 100) abort();
  <!free(a);^^free(a + 1);!>
