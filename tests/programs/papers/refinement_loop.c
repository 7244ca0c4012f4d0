// [HJMS02, figure 9 (a)]: a loop that leaves x alone, and an error if x is not 0. The error lies one
// step behind the loop, so that a depth-first search has closed the loop when it comes there.
// verdict: TRUE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int x;

int main(void) {
L1: x = 0;
L2: if (__VERIFIER_nondet_int())
        goto L3;
    goto L2;
L3: if (x != 0)
        reach_error();
    return 0;
}
