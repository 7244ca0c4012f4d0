// inputs: 300
// expect: exit 300
extern int __VERIFIER_nondet_int(void);
int main(void) { return __VERIFIER_nondet_int(); }
