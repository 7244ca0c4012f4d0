"""The fixed pieces of C that a test is made of; `testcase` puts them together.

Names start with predabs_, and only functions that the C library surely has are used: the program
may lack any other, and then the test defines it.
"""

from __future__ import annotations

from string import Template

REACHED, ASSUMPTION_FAILED, LEFT_THE_RUN = 113, 114, 115  # exit codes of the compiled test
MARKER = "predabs: the error is reached"

HEAD = """
#undef main
#undef malloc
#define WEAK __attribute__((weak))
#define PLAIN __attribute__((no_instrument_function))

void perror(const char *);
void _exit(int) __attribute__((noreturn));

PLAIN static void predabs_stop(const char *text, int code)
{
    perror(text);
    _exit(code);
}

PLAIN static void predabs_copy(void *to, const void *from, __SIZE_TYPE__ size)
{
    while (size--)
        ((unsigned char *)to)[size] = ((const unsigned char *)from)[size];
}
"""

TABLE = Template(f"""
/* What functions give back, in the order of the run: whose result it is, and its size. */
static const struct {{ const char *function; __SIZE_TYPE__ size; }} predabs_results[] = {{
$rows
}};
static unsigned char predabs_bytes[] = {{$data}};

PLAIN static void predabs_take(const char *function, void *result, __SIZE_TYPE__ size)
{{
    static __SIZE_TYPE__ at, used;
    const char *recorded = predabs_results[at].function;
    __SIZE_TYPE__ i = 0;
    for (; i < size; i++)
        ((unsigned char *)result)[i] = 0;
    if (!recorded)
        return;
    for (i = 0; function[i] && function[i] == recorded[i]; i++)
        ;
    if (function[i] != recorded[i])
        predabs_stop("predabs: the run calls other functions than expected", {LEFT_THE_RUN});
    if (predabs_results[at].size <= size)
        predabs_copy(result, predabs_bytes + used, predabs_results[at].size);
    used += predabs_results[at++].size;
}}
""")

FUNCTION = Template("""PLAIN WEAK $type $name()
{
    $type result;
    predabs_take("$recorded", &result, sizeof result);
    return result;
}""")

ENVIRONMENT = Template("""
/* What pointers from outside lead to: the bytes that the run finds there. */
static __attribute__((aligned(4096))) unsigned char predabs_environment[$size] = {
$rows
};
""")

# pointers are written into the bytes of inputs before main begins
MOVES = Template("""
static const struct { void *at; const void *to; } predabs_moves[] = {
$moves
};

PLAIN __attribute__((constructor)) static void predabs_move(void)
{
    __SIZE_TYPE__ i;
    for (i = 0; i < sizeof predabs_moves / sizeof *predabs_moves; i++)
        predabs_copy(predabs_moves[i].at, &predabs_moves[i].to, sizeof(void *));
}
""")

MALLOC = Template("""
/* What malloc gives: the size of each block, and whether its bytes are not all zero. */
static const struct { __SIZE_TYPE__ size; int given; } predabs_blocks[] = {
$rows
};
static unsigned char predabs_contents[] = {$data};
void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);

PLAIN void *predabs_malloc(__SIZE_TYPE__ size)
{
    static __SIZE_TYPE__ at, used;
    void *block = calloc(size ? size : 1, 1);
    if (block && at < sizeof predabs_blocks / sizeof *predabs_blocks
        && predabs_blocks[at].size == size && predabs_blocks[at++].given) {
        predabs_copy(block, predabs_contents + used, size);
        used += size;
    }
    return block;
}
""")

VALUES = Template(f"""
/* What uninitialised variables hold, in the order of the run: where they are declared. */
static const struct {{ const char *place; __SIZE_TYPE__ size; }} predabs_places[] = {{
$rows
    {{0, 0}},
}};
static unsigned char predabs_held[] = {{$data}};

PLAIN void predabs_value(const char *place, void *at, __SIZE_TYPE__ size)
{{
    static __SIZE_TYPE__ next, used;
    const char *recorded = predabs_places[next].place;
    __SIZE_TYPE__ i;
    if (!recorded)
        return;
    for (i = 0; place[i] && place[i] == recorded[i]; i++)
        ;
    if (place[i] != recorded[i])
        predabs_stop("predabs: the run comes to another declaration than expected", {LEFT_THE_RUN});
    if (predabs_places[next].size <= size)
        predabs_copy(at, predabs_held + used, predabs_places[next].size);
    used += predabs_places[next++].size;
}}
""")

ERRORS = Template(f"""
PLAIN static void predabs_reached(void)
{{
    predabs_stop("{MARKER}", {REACHED});
}}

PLAIN WEAK void __VERIFIER_error(void) {{ $call; }}
PLAIN WEAK void reach_error(void) {{ $call; }}
PLAIN WEAK void __assert_fail(const char *what, const char *file, unsigned line, const char *in)
{{
    $assertion;
}}
PLAIN WEAK void assert(int condition)
{{
    if (!condition)
        $assertion;
}}
PLAIN WEAK void __VERIFIER_assume(int condition)
{{
    if (!condition)
        predabs_stop("predabs: an assumption fails", {ASSUMPTION_FAILED});
}}
PLAIN WEAK void __VERIFIER_atomic_begin(void) {{}}
PLAIN WEAK void __VERIFIER_atomic_end(void) {{}}
""")

# for a program that defines the error function itself: stop as it is entered
WATCH = """
PLAIN void __cyg_profile_func_enter(void *function, void *site)
{
    if (function == (void *)__VERIFIER_error || function == (void *)reach_error)
        predabs_reached();
}
PLAIN void __cyg_profile_func_exit(void *function, void *site) {}
"""
