int main(void)
{
  void *where = &&end;
  goto *where; // refused: 3 a computed goto
end:
  return 0;
}
