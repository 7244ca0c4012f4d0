// [HJMS02, figure 1]: the lock is never taken twice and never given back twice. The labels are
// those of the figure. The branch at 3 has its sides swapped, so that a search which goes down the
// second side first takes the way of [HJMS02, figure 3].
// verdict: TRUE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int LOCK, got_lock, old, new;

void lock(void) {
    if (LOCK == 0)
        LOCK = 1;
    else
        reach_error();
}

void unlock(void) {
    if (LOCK == 1)
        LOCK = 0;
    else
        reach_error();
}

int main(void) {
    new = __VERIFIER_nondet_int();
    old = __VERIFIER_nondet_int();
    got_lock = __VERIFIER_nondet_int();
L1: if (__VERIFIER_nondet_int()) {
        do {
L7:         got_lock = 0;
L8:         if (__VERIFIER_nondet_int()) {
L9:             lock();
                got_lock++;
            }
L10:        if (got_lock) {
L11:            unlock();
            }
L12:        ;
        } while (__VERIFIER_nondet_int());
    }
    do {
L2:     lock();
        old = new;
L3:     if (__VERIFIER_nondet_int()) {
        } else {
L4:         unlock();
            new++;
        }
L5:     ;
    } while (new != old);
L6: unlock();
    return 0;
}
