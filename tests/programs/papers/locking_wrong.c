// [HJMS02, figure 1], with a mistake: where the lock is given back, `new` stays as it is, so that
// the loop ends and the lock is given back once more.
// verdict: FALSE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int LOCK, old, new;

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
    do {
        lock();
        old = new;
        if (__VERIFIER_nondet_int())
            unlock();
    } while (new != old);
    unlock();
    return 0;
}
