int main(void)
{
  void *where = &&end; // refused: 17 the address of a label
  goto *where;
end:
  return 0;
}
