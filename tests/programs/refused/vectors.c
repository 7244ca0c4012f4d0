typedef int four __attribute__((vector_size(16)));
int main(void)
{
  four v = {1, 2, 3, 4}; // refused: 8 a vector type is not supported
  return v[0];
}
