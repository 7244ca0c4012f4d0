// refused: - struct s is laid out differently than in another file
struct s { long a, b; } y;
long f(void) { return y.b; }
