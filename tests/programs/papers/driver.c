// [HJMS02, section 6.2], in spirit: a driver under a model of the kernel, with two monitors.
//
// The lock monitor: the spin lock is taken when it is free, given back when it is held, and never
// kept across calls of the driver. The request monitor: each request is completed exactly once, or
// marked as pending and put aside, and the status that the driver returns says which.
//
// Each of the macros BUG_LOCK, BUG_TWICE, BUG_PENDING and BUG_QUEUE puts in one mistake.
// verdict: TRUE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum { SUCCESS = 0, FAILED = 1, PENDING = 259 };
enum { FREE = 0, HELD = 1 };
enum { NEW = 0, COMPLETED = 1, QUEUED = 2 };
enum { IOCTL_RESET = 1, IOCTL_QUERY = 2, IOCTL_WAIT = 3 };

// --- the monitors ---------------------------------------------------------------------------------

static int lock_state;
static int request_state;

static void acquire(void)
{
    if (lock_state != FREE)
        reach_error();
    lock_state = HELD;
}

static void release(void)
{
    if (lock_state != HELD)
        reach_error();
    lock_state = FREE;
}

static void complete(void)
{
    if (request_state != NEW)
        reach_error();
    request_state = COMPLETED;
}

static void mark_pending(void)
{
    if (request_state != NEW)
        reach_error();
    request_state = QUEUED;
}

static void check_returned(int status)
{
    if (lock_state != FREE)
        reach_error();
    if (status == PENDING && request_state != QUEUED)
        reach_error();
    if (status != PENDING && request_state != COMPLETED)
        reach_error();
}

// --- the driver -----------------------------------------------------------------------------------

static int started, opened, queue_length, generation;

static int driver_init(void)
{
    acquire();
    started = 0;
    queue_length = 0;
    if (__VERIFIER_nondet_int()) {
        release();
        return FAILED;
    }
    started = 1;
    release();
    return SUCCESS;
}

static int driver_read(int length)
{
    int status;
    acquire();
    if (!started) {
#ifndef BUG_LOCK
        release();
#endif
        complete();
        return FAILED;
    }
    if (length > 0 && __VERIFIER_nondet_int()) {
        mark_pending();
        queue_length = queue_length + 1;
        status = PENDING;
    } else {
        status = SUCCESS;
    }
    release();
#ifdef BUG_PENDING
    if (length < 0)
        return PENDING;
#endif
    if (status != PENDING)
        complete();
    return status;
}

/* The lock is given back while the device works; if someone else was faster, all begins anew. */
static int driver_write(int length)
{
    int seen, done = 0;
    acquire();
    do {
        seen = generation;
        if (length > 4096) {
            release();
            generation = generation + 1;
            length = length - 4096;
            acquire();
        }
    } while (generation != seen);
#ifdef BUG_TWICE
    if (length == 7) {
        complete();
        done = 0;
    }
#endif
    if (!done) {
        done = 1;
        complete();
    }
    release();
    return SUCCESS;
}

static int driver_ioctl(int code)
{
    int status = FAILED;
    switch (code) {
    case IOCTL_RESET:
        acquire();
        queue_length = 0;
        release();
        status = SUCCESS;
        break;
    case IOCTL_QUERY:
        status = opened ? SUCCESS : FAILED;
        break;
    case IOCTL_WAIT:
        mark_pending();
        return PENDING;
    }
    complete();
    return status;
}

static void driver_unload(void)
{
    int left;
    acquire();
    left = queue_length;
    while (left > 0) {
#ifdef BUG_QUEUE
        if (left == 1 && generation == 2)
            release();
#endif
        queue_length = queue_length - 1;
        left = left - 1;
    }
    started = 0;
    release();
}

// --- the kernel -----------------------------------------------------------------------------------

int main(void)
{
    int status = driver_init();
    if (status == FAILED)
        return 1;
    opened = __VERIFIER_nondet_int();
    while (__VERIFIER_nondet_int()) {
        int request = __VERIFIER_nondet_int(), argument = __VERIFIER_nondet_int();
        request_state = NEW;
        if (request == 0)
            status = driver_read(argument);
        else if (request == 1)
            status = driver_write(argument);
        else
            status = driver_ioctl(argument);
        check_returned(status);
        if (__VERIFIER_nondet_int())
            started = 0; /* the device was taken away */
    }
    driver_unload();
    return 0;
}
