static void *buffer[5];
int main(void)
{
  return __builtin_setjmp(buffer); // refused: 10 setjmp: non-local jumps are not supported
}
