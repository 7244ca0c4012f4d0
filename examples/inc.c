// foo(2) ends with c == 4. examples/inc.preds says enough about inc to prove it, and as it speaks of
// the value that inc was called with, it would do for any other call too.
void reach_error(void);

int inc(int x) {
  x = x + 1;
  return x;
}

void foo(int a) {
  int b, c;
  b = inc(a);
  c = inc(b);
  if (a == 2 && c != 4)
    reach_error();
}
