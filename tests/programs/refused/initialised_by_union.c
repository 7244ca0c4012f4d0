static const union { int i; char c[4]; } bytes = {258};
int copy = bytes.i; // refused: 5 the initialiser of copy is not a constant; write its value
int main(void) { return copy; }
