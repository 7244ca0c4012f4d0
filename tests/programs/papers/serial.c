// [HJMS02, section 6.2], in spirit: the dispatch routine of a serial driver, which serves a request
// at once or later, with the request and the device as records behind pointers. The two ways have
// nothing in common, so that each needs predicates of its own.
//
// BUG_LATE completes a request that was handed over; BUG_EARLY forgets to complete one.
// verdict: TRUE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum { OK = 0, NOT_READY = 1, PENDING = 259 };

struct request {
    int length;
    int status;
    int moved;
};

struct device {
    int ready;
    int waiting;
    struct request *current;
};

static struct device port;
static struct request packet;

// --- the monitor: who owns the request, and was it completed ----------------------------------------

static int owned, completed;

static void monitor_begin(void)
{
    owned = 1;
    completed = 0;
}

static void complete(struct request *r, int status)
{
    if (!owned || completed)
        reach_error();
    r->status = status;
    completed = 1;
}

static void hand_over(struct device *d, struct request *r)
{
    if (!owned)
        reach_error();
    d->current = r;
    d->waiting = d->waiting + 1;
    owned = 0;
}

static void monitor_end(int status)
{
    if (status == PENDING) {
        if (owned)
            reach_error();
    } else {
        if (!owned || !completed)
            reach_error();
    }
}

// --- the driver -----------------------------------------------------------------------------------

static int serve_now(struct request *r)
{
    int left = r->length, status = OK;
    r->moved = 0;
    while (left > 0) {
        int chunk = __VERIFIER_nondet_int();
        if (chunk <= 0 || chunk > left) {
            status = NOT_READY;
            break;
        }
        left = left - chunk;
        r->moved = r->moved + chunk;
    }
#ifdef BUG_EARLY
    if (status == NOT_READY && left == 3)
        return status;
#endif
    complete(r, status);
    return status;
}

static int serve_later(struct device *d, struct request *r)
{
    int tries = 0;
    r->status = PENDING;
    while (__VERIFIER_nondet_int() && tries < 100)
        tries = tries + 1;
    hand_over(d, r);
#ifdef BUG_LATE
    if (tries == 1)
        complete(r, OK);
#endif
    return PENDING;
}

static int dispatch(struct device *d, struct request *r)
{
    if (d->ready)
        return serve_now(r);
    return serve_later(d, r);
}

// --- the kernel -----------------------------------------------------------------------------------

int main(void)
{
    port.waiting = 0;
    while (__VERIFIER_nondet_int()) {
        int status;
        struct request *r = &packet;
        r->length = __VERIFIER_nondet_int();
        port.ready = __VERIFIER_nondet_int();
        monitor_begin();
        status = dispatch(&port, r);
        monitor_end(status);
    }
    return 0;
}
