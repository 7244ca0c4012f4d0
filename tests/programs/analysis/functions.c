/* calls through pointers, kept in tables, records and numbers, passed on and returned */
typedef int (*op)(int *, int);
int add(int *x, int y) { return *x += y; }
int sub(int *x, int y) { return *x -= y; }
int lone(int *x, int y) { return *x * y; }
int one(int *x) { return *x; }
void nothing(int *x, int y) { *x = y; }
struct ops { int n; op table[2]; union { op direct; unsigned long number; } u; } ops = {2, {add, sub}};
static const struct { const char *name; op run; } named[] = {{"add", add}, {"lone", lone}};
op choose(int i) { return i & 1 ? ops.table[i & 1] : named[i & 1].run; }
int apply(op f, int *x, int y) { return f(x, y); }
struct result { int value; int *where; } pack(op f, int *x) { struct result r = {f(x, 2), x}; return r; }
int main(void)
{
  int x = 1, y = 2;
  for (int i = 0; i < 4; i++)
    apply(choose(i), i & 2 ? &x : &y, i);
  ops.u.direct = lone;
  op other = (op)ops.u.number;
  struct result r = pack(other, &x), s = pack(named[0].run, &y);
  *r.where += s.value;
  ((int (*)(int *, int))one)(&x, 3);
  op *slot = &ops.table[0];
  *slot = sub;
  return ops.table[0](&y, 1) + x + *s.where;
}
