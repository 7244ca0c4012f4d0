"""Functions of the C library that have no model: what a call of each may write, and its result.

One line for each: `RESULT NAME PARAMETERS`. A parameter is

    n       a number, or a struct passed by value
    p       a pointer that is only read through, or a handle
    o       a pointer to one object of its type, which takes any value
    bK      a pointer to as many bytes as argument K says, which take any values; bK*L: the product
    =N      a pointer to N bytes, which take any values
    r       a pointer to bytes that the function takes from outside, as many as its result says;
            rK: as many times argument K
    x       a pointer to bytes that take any values, up to the end of their object
    l       a pointer to a pointer of kind x, which is replaced, too (getline)
    ...     further arguments, which are numbers or only read through
    ..x     further arguments, of which the pointers are of kind x

None of them writes through a null pointer. The result is

    -       none
    ?       a value that the library computes: any, but no violation may rest on it
    any     an input of the run: a real run can get every value of the type
    LO..HI  an input between the two, or this one number if they are equal; otherwise zero is one of
            them, because inputs that do not matter are zero; #K is the value of argument K, and no
            HI means no limit
    !       a call is not supported: more may happen than can be told here

Soundness duty: whatever a function may write that the program can read is listed here, and a result
is only called an input if a real run can get each of the values, whatever else it does.
"""

from __future__ import annotations

import re
from functools import cache

from ...ir.types import FloatType, FunctionType, PointerType, Type
from ...records import dataclass
from ..symbols import Symbol


@dataclass(frozen=True, slots=True)
class Contract:
    """What a call may do: `params` and `result` are spelled as in the table."""

    result: str
    params: tuple[str, ...]
    more: str = ""
    floating: bool = False  # of math.h: takes a floating-point number

    @property
    def writes(self) -> bool:
        return self.more == "..x" or any(param not in ("n", "p") for param in self.params)

    @property
    def takes_bytes(self) -> bool:
        return any(param.startswith("r") for param in self.params)

    @property
    def is_input(self) -> bool:
        """Is the result one that a real run can be given?"""
        return self.result == "any" or ".." in self.result

    def fits(self, type_: FunctionType) -> bool:
        """May a function of this type be the library's? A function of the program's authors that
        only has the same name is no business of this table."""
        if not type_.params and type_.variadic:
            return True  # declared without a prototype
        if len(type_.params) != len(self.params) or type_.variadic != bool(self.more):
            return False
        if self.floating and not any(isinstance(param, FloatType) for param in type_.params):
            return False
        return all(
            isinstance(declared, PointerType) == (param != "n")
            for declared, param in zip(type_.params, self.params, strict=True)
        )


def may_be(name: str, declared: Type, model: Symbol) -> bool:
    """May a function that is declared like this be the one of the model? It is if it takes numbers
    (whole or not) and pointers as that does, is declared without a prototype, or is the compiler's
    own."""
    known = model.type
    assert isinstance(declared, FunctionType) and isinstance(known, FunctionType)
    if name != model.name or (not declared.params and declared.variadic):
        return True
    if len(declared.params) != len(known.params) or declared.variadic != known.variadic:
        return False
    return all(
        isinstance(one, kind) == isinstance(other, kind)
        for one, other in zip(declared.params, known.params, strict=True)
        for kind in (PointerType, FloatType)
    )


def contract(name: str) -> Contract | None:
    """The contract of the function.

    >>> contract("fread")
    Contract(result='0..#2', params=('r1', 'n', 'n', 'p'), more='', floating=False)
    """
    found = _table().get(name)
    if found is None and (math := _VARIANT.fullmatch(name)) is not None:
        return _table().get(math[1]) if math[1] in _MATHEMATICS else None
    return found


@cache
def _table() -> dict[str, Contract]:
    table = {
        name: Contract("?", ("n",) * arity, floating=True) for name, arity in _MATHEMATICS.items()
    }
    for line in _LINES.splitlines():
        match line.split():
            case [result, name, *params]:
                more = params.pop() if params and params[-1].startswith("..") else ""
                table[name] = Contract(result, tuple(params), more)
    return table


# Where the models in C take a choice that the library leaves open, by the names of functions.
_CHOICES = {
    "qsort": "qsort is stable, and compares what an insertion sort does",
    "bsearch": "bsearch begins in the middle",
    "getdelim getline": "the buffer of getline grows as glibc lets it",
    "fopen fdopen popen tmpfile opendir": "of 4096 files opened in a row no two have one address",
    "strcoll": "strings are compared as the C locale has it",
    "realpath": "paths have less than 4096 characters",
}
CHOICES = {name: text for names, text in _CHOICES.items() for name in names.split()}
_VARIANT = re.compile(r"(\w+)[fl]")  # cosf and cosl are like cos

_ONE_NUMBER = """
    acos asin atan cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 exp10 expm1 log log2 log10
    log1p logb ilogb sqrt cbrt ceil floor trunc round rint nearbyint lround llround lrint llrint
    erf erfc lgamma tgamma j0 j1 y0 y1 fabs gamma significand pow10 nextup nextdown
"""
_TWO_NUMBERS = """
    atan2 pow hypot fmod remainder copysign nextafter nexttoward fdim ldexp scalbn scalbln fmax fmin
    drem jn yn scalb
"""
_MATHEMATICS = {
    **dict.fromkeys(_ONE_NUMBER.split(), 1),
    **dict.fromkeys(_TWO_NUMBERS.split(), 2),
    "fma": 3,
}

_LINES = """
    ?       frexp           n o
    ?       frexpf          n o
    ?       frexpl          n o
    ?       modf            n o
    ?       modff           n o
    ?       modfl           n o
    ?       remquo          n n o
    ?       remquof         n n o
    ?       nan             p
    ?       nanf            p
    ?       nanl            p
    ?       lgamma_r        n o
    ?       lgammaf_r       n o
    ?       lgammal_r       n o
    -       sincos          n o o
    -       sincosf         n o o
    -       sincosl         n o o
    ?       fegetround
    ?       feclearexcept   n
    ?       fetestexcept    n

    0..2147483647 rand
    0..2147483647 random
    0..2147483647 lrand48
    -       srand           n
    -       srandom         n
    -       srand48         n
    ?       rand_r          o
    ?       drand48
    -2147483648..2147483647 mrand48
    ?       div             n n
    ?       ldiv            n n
    ?       lldiv           n n
    any     getenv          p
    any     secure_getenv   p
    ?       setenv          p p n
    ?       unsetenv        p
    ?       putenv          p
    ?       clearenv
    ?       system          p
    ?       mblen           p n
    ?       mbtowc          o p n
    ?       wctomb          x n
    ?       mbstowcs        x p n
    ?       wcstombs        b2 p n
    ?       mkstemp         x
    ?       mkdtemp         x
    ?       mktemp          x
    ?       getloadavg      x n
    ?       __ctype_get_mb_cur_max

    -1..255 getchar
    -1..255 getc            p
    -1..255 fgetc           p
    -1..255 getchar_unlocked
    -1..255 getc_unlocked   p
    -1..255 _IO_getc        p
    ?       ungetc          n p
    0..#2   fread           r1 n n p
    0..#2   fwrite          p n n p
    ?       sprintf         x p ...
    ?       snprintf        b1 n p ...
    ?       vsprintf        x p p
    ?       vsnprintf       b1 n p p
    ?       vprintf         p p
    ?       vfprintf        p p p
    ?       dprintf         n p ...
    ?       pclose          p
    -1..0   fclose          p
    -1..0   fseek           p n n
    -1..0   fseeko          p n n
    -1..    ftell           p
    -1..    ftello          p
    -       rewind          p
    ?       feof            p
    ?       ferror          p
    -       clearerr        p
    ?       fileno          p
    ?       fgetpos         p o
    ?       fsetpos         p p
    -       setbuf          p x
    ?       setvbuf         p x n n
    -       setlinebuf      p
    -1..0   remove          p
    -1..0   rename          p p
    ?       tmpnam          x

    -1..    clock
    ?       difftime        n n
    ?       mktime          o
    ?       timegm          o
    ?       asctime_r       p x
    ?       ctime_r         p x
    ?       strftime        b1 n p p
    ?       strptime        p p o
    -1..0   clock_gettime   n o
    -1..0   clock_getres    n o
    -1..0   clock_settime   n p
    -1..0   nanosleep       p o
    -1..0   gettimeofday    o p
    ?       times           o
    ?       timespec_get    o n

    ?       strerror_r      n b2 n
    ?       strxfrm         b2 p n
    ?       strverscmp      p p
    ?       setlocale       n p
    ?       localeconv
    ?       basename        x
    ?       dirname         x

    -1..#2  read            n r n
    -1..#2  write           n p n
    -1..#2  pread           n r n n
    -1..#2  pwrite          n p n n
    -1..#2  readlink        p r n
    -1..    open            p n ...
    -1..    open64          p n ...
    -1..    creat           p n
    -1..    openat          n p n ...
    -1..0   close           n
    ?       lseek           n n n
    -1..    dup             n
    ?       dup2            n n
    -1..0   pipe            =8
    -1..0   unlink          p
    -1..0   link            p p
    -1..0   symlink         p p
    -1..0   rmdir           p
    -1..0   mkdir           p n
    -1..0   chdir           p
    -1..0   access          p n
    -1..0   chmod           p n
    -1..0   fchmod          n n
    -1..0   chown           p n n
    -1..0   ftruncate       n n
    -1..0   truncate        p n
    -1..0   fsync           n
    -1..0   stat            p o
    -1..0   fstat           n o
    -1..0   lstat           p o
    -1..0   stat64          p o
    -1..0   fstat64         n o
    -1..0   lstat64         p o
    -1..0   __xstat         n p o
    -1..0   __fxstat        n n o
    -1..0   __lxstat        n p o
    ?       umask           n
    0..1    isatty          n
    ?       ttyname         n
    0..2147483647 getpid
    0..2147483647 getppid
    any     getuid
    any     geteuid
    any     getgid
    any     getegid
    0..#0   sleep           n
    -1..0   usleep          n
    ?       alarm           n
    ?       sysconf         n
    ?       pathconf        p n
    ?       getpagesize
    -1..-1  execl           p p ...
    -1..-1  execlp          p p ...
    -1..-1  execv           p p
    -1..-1  execvp          p p
    -1..-1  execve          p p p
    ?       sigemptyset     o
    ?       sigfillset      o
    ?       sigaddset       o n
    ?       sigdelset       o n
    ?       sigismember     p n
    ?       sigprocmask     n p o
    ?       wait            o
    ?       waitpid         n o n
    ?       fcntl           n n ..x
    ?       ioctl           n n ..x
    ?       readdir         p
    -1..0   closedir        p
    -1..    socket          n n n
    -1..0   bind            n p n
    -1..0   listen          n n
    -1..0   connect         n p n
    -1..    accept          n x o
    -1..#2  send            n p n n
    -1..#2  sendto          n p n n p n
    -1..#2  recv            n r n n
    -1..#2  recvfrom        n r n n x o
    -1..0   setsockopt      n n n p n
    ?       getsockopt      n n n x o
    -1..0   shutdown        n n
    ?       select          n o o o o
    ?       poll            x n n
    -1..0   getpeername     n x o
    -1..0   getsockname     n x o
    ?       inet_ntop       n p b3 n
    ?       inet_pton       n p x
    -1..#1  getrandom       r n n
    -1..0   getentropy      b1 n
    -1..0   uname           o
    -1..0   getrusage       n o
    -1..0   getrlimit       n o
    -1..0   setrlimit       n p
    ?       mmap            p n n n n n
    ?       munmap          p n
    ?       getpwuid        n
    ?       getpwnam        p
    ?       syslog          n p ...
    -       openlog         p n n
    -       closelog

    ?       pthread_self
    -       pthread_exit    p
    ?       pthread_mutex_init    p p
    ?       pthread_mutex_destroy p
    ?       pthread_mutex_lock    p
    ?       pthread_mutex_trylock p
    ?       pthread_mutex_unlock  p
    ?       pthread_cond_init     p p
    ?       pthread_cond_destroy  p
    ?       pthread_cond_signal   p
    ?       pthread_cond_broadcast p
    ?       pthread_cond_wait     p p
    ?       pthread_attr_init     p
    ?       pthread_attr_destroy  p
"""
