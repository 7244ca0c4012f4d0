int x;
static inline void __attribute__((constructor)) init(void) // refused: 35 the attribute constructor is not supported
{
  x = 1;
}
int main(void) { return x; }
