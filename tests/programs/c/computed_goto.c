// expect: exit 0
// GNU's computed goto: an interpreter of bytes, a jump back, and offsets between labels.
#include <stdio.h>

static int run(const unsigned char *code) {
  static void *const table[] = {&&halt, &&push, &&add, &&jump_if, [4] = &&dup};
  int stack[8], top = 0;
  goto *table[*code++];
push:
  stack[top++] = *code++;
  goto *table[*code++];
add:
  top--;
  stack[top - 1] += stack[top];
  goto *table[*code++];
dup:
  stack[top] = stack[top - 1];
  top++;
  goto *table[*code++];
jump_if: {
  int seen = stack[--top] < 20;
  if (seen) code -= 4;
  else code++;
  goto *table[*code++];
}
halt:
  return stack[top - 1];
}

static int offsets(int which) {
  static const int from[] = {&&one - &&one, &&two - &&one, &&three - &&one};
  int sum = 0;
  void *next = &&one + from[which];
  goto *next;
one:
  sum += 1;
two:
  sum += 2;
three:
  return sum + 4;
}

static int twice(void) {
  __label__ again, done;
  void *next = &&again;
  int rounds = 0;
again:
  rounds++;
  if (rounds == 2) next = &&done;
  goto *next;
done:
  return rounds;
}

int main(void) {
  static const unsigned char code[] = {1, 3, 4, 2, 4, 3, 0, 0};
  printf("%d\n", run(code));
  for (int i = 0; i < 3; i++) printf("%d\n", offsets(i));
  printf("%d\n", twice());
  return 0;
}
