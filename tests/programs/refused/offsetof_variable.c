struct s {
  int a[4];
};
int main(void)
{
  int i = 1;
  return __builtin_offsetof(struct s, a[i]); // refused: 10 this constant cannot be computed
}
