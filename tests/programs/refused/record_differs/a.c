struct s { int a; } x;
int main(void) { return x.a; }
