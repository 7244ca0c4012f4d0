int main(void)
{
  __asm__ goto("jmp %l0" : : : : end); // refused: 3 asm goto
  return 1;
end:
  return 0;
}
