struct s {
  int a;
};
int main(void)
{
  struct s v = {1};
  return v.b; // refused: 12 no member named 'b'
}
