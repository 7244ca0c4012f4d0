// expect: limit
// steps: 5000
static int down(int n) { return down(n + 1) + 1; }
int main(void) { return down(0); }
