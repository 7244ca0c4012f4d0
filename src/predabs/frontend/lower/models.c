/* Library functions as plain C, for programs that call them without defining them.
 *
 * Each one does what the C standard says, and no more: where the standard leaves a choice, the
 * simplest is taken. malloc, free, memset, memcpy and memmove are operations of predabs itself;
 * a pointer to one of them points to a function here that calls it.
 */

typedef __SIZE_TYPE__ size_t;
typedef __INTMAX_TYPE__ intmax_t;

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *at, int byte, size_t size);
void free(void *at);
void abort(void);
void exit(int status);
int puts(const char *s);
int putchar(int c);
void reach_error(void);
void __VERIFIER_error(void);
void __VERIFIER_assume(int cond);
size_t __predabs_object_size(const void *at);

/* What a library function takes from outside, and what only the library itself can compute. */
int __predabs_any_int(void);
long __predabs_any_long(void);
unsigned char __predabs_any_uchar(void);
int __predabs_unknown_int(void);
double __predabs_unknown_double(void);
struct __predabs_text { char c[64]; };
struct __predabs_text __predabs_unknown_text(void);

/* ---- behind pointers ----------------------------------------------------------------------- */

int vsnprintf(char *to, size_t size, const char *format, __builtin_va_list args);
int vsprintf(char *to, const char *format, __builtin_va_list args);

int __predabs_snprintf(char *to, size_t size, const char *format, ...)
{
  __builtin_va_list args;
  __builtin_va_start(args, format);
  int length = vsnprintf(to, size, format, args);
  __builtin_va_end(args);
  return length;
}

int __predabs_sprintf(char *to, const char *format, ...)
{
  __builtin_va_list args;
  __builtin_va_start(args, format);
  int length = vsprintf(to, format, args);
  __builtin_va_end(args);
  return length;
}

void *__predabs_malloc(size_t size) { return malloc(size); }
void *__predabs_calloc(size_t count, size_t size) { return calloc(count, size); }
void __predabs_free(void *at) { free(at); }
void *__predabs_memcpy(void *to, const void *from, size_t n) { return memcpy(to, from, n); }
void *__predabs_memmove(void *to, const void *from, size_t n) { return memmove(to, from, n); }
void *__predabs_memset(void *at, int byte, size_t n) { return memset(at, byte, n); }
void __predabs_abort(void) { abort(); }
void __predabs_exit(int status) { exit(status); }
int __predabs_puts(const char *s) { return puts(s); }
int __predabs_putchar(int c) { return putchar(c); }
void __predabs_reach_error(void) { reach_error(); }
void __predabs___VERIFIER_error(void) { __VERIFIER_error(); }
void __predabs___VERIFIER_assume(int cond) { __VERIFIER_assume(cond); }

/* ---- strings ------------------------------------------------------------------------------- */

size_t strlen(const char *s)
{
  size_t n = 0;
  while (s[n])
    n++;
  return n;
}

size_t strnlen(const char *s, size_t most)
{
  size_t n = 0;
  while (n < most && s[n])
    n++;
  return n;
}

char *strcpy(char *to, const char *from)
{
  size_t i = 0;
  while ((to[i] = from[i]))
    i++;
  return to;
}

char *stpcpy(char *to, const char *from)
{
  while ((*to = *from)) {
    to++;
    from++;
  }
  return to;
}

char *strncpy(char *to, const char *from, size_t n)
{
  size_t i = 0;
  for (; i < n && from[i]; i++)
    to[i] = from[i];
  for (; i < n; i++)
    to[i] = 0;
  return to;
}

char *strcat(char *to, const char *from)
{
  strcpy(to + strlen(to), from);
  return to;
}

char *strncat(char *to, const char *from, size_t n)
{
  char *end = to + strlen(to);
  size_t i = 0;
  for (; i < n && from[i]; i++)
    end[i] = from[i];
  end[i] = 0;
  return to;
}

int strcmp(const char *a, const char *b)
{
  while (*a && *a == *b) {
    a++;
    b++;
  }
  return (unsigned char)*a - (unsigned char)*b;
}

int strncmp(const char *a, const char *b, size_t n)
{
  for (; n; n--, a++, b++)
    if (!*a || *a != *b)
      return (unsigned char)*a - (unsigned char)*b;
  return 0;
}

int tolower(int c)
{
  return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

int toupper(int c)
{
  return c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c;
}

int strcasecmp(const char *a, const char *b)
{
  while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b)) {
    a++;
    b++;
  }
  return tolower((unsigned char)*a) - tolower((unsigned char)*b);
}

int strncasecmp(const char *a, const char *b, size_t n)
{
  for (; n; n--, a++, b++) {
    int difference = tolower((unsigned char)*a) - tolower((unsigned char)*b);
    if (difference || !*a)
      return difference;
  }
  return 0;
}

char *strchr(const char *s, int c)
{
  for (;; s++) {
    if (*s == (char)c)
      return (char *)s;
    if (!*s)
      return 0;
  }
}

char *strrchr(const char *s, int c)
{
  const char *last = 0;
  for (;; s++) {
    if (*s == (char)c)
      last = s;
    if (!*s)
      return (char *)last;
  }
}

char *index(const char *s, int c) { return strchr(s, c); }
char *rindex(const char *s, int c) { return strrchr(s, c); }

char *strstr(const char *text, const char *word)
{
  size_t n = strlen(word);
  for (;; text++) {
    if (strncmp(text, word, n) == 0)
      return (char *)text;
    if (!*text)
      return 0;
  }
}

size_t strspn(const char *s, const char *set)
{
  size_t n = 0;
  while (s[n] && strchr(set, s[n]))
    n++;
  return n;
}

size_t strcspn(const char *s, const char *set)
{
  size_t n = 0;
  while (s[n] && !strchr(set, s[n]))
    n++;
  return n;
}

char *strpbrk(const char *s, const char *set)
{
  s += strcspn(s, set);
  return *s ? (char *)s : 0;
}

char *strdup(const char *s)
{
  size_t size = strlen(s) + 1;
  char *copy = malloc(size);
  if (copy)
    memcpy(copy, s, size);
  return copy;
}

char *strndup(const char *s, size_t most)
{
  size_t size = strnlen(s, most);
  char *copy = malloc(size + 1);
  if (copy) {
    memcpy(copy, s, size);
    copy[size] = 0;
  }
  return copy;
}

char *strtok_r(char *text, const char *set, char **rest)
{
  if (!text)
    text = *rest;
  if (!text)
    return 0;
  text += strspn(text, set);
  char *end = text + strcspn(text, set);
  *rest = *end ? end + 1 : end;
  if (!*text)
    return 0;
  *end = 0;
  return text;
}

char *strtok(char *text, const char *set)
{
  static char *rest;
  return strtok_r(text, set, &rest);
}

char *strsep(char **rest, const char *set)
{
  char *text = *rest;
  if (!text)
    return 0;
  char *end = text + strcspn(text, set);
  *rest = *end ? end + 1 : 0;
  *end = 0;
  return text;
}

char *strcasestr(const char *text, const char *word)
{
  size_t n = strlen(word);
  for (;; text++) {
    if (strncasecmp(text, word, n) == 0)
      return (char *)text;
    if (!*text)
      return 0;
  }
}

char *strchrnul(const char *s, int c)
{
  while (*s && *s != (char)c)
    s++;
  return (char *)s;
}

size_t strlcpy(char *to, const char *from, size_t size)
{
  size_t n = strlen(from);
  if (size) {
    size_t copied = n < size ? n : size - 1;
    memcpy(to, from, copied);
    to[copied] = 0;
  }
  return n;
}

size_t strlcat(char *to, const char *from, size_t size)
{
  size_t start = strnlen(to, size);
  return start + strlcpy(to + start, from, size - start);
}

int strcoll(const char *a, const char *b) { return strcmp(a, b); }

/* ---- bytes --------------------------------------------------------------------------------- */

int memcmp(const void *a, const void *b, size_t n)
{
  const unsigned char *p = a;
  const unsigned char *q = b;
  for (; n; n--, p++, q++)
    if (*p != *q)
      return *p - *q;
  return 0;
}

void *memchr(const void *at, int c, size_t n)
{
  const unsigned char *p = at;
  for (; n; n--, p++)
    if (*p == (unsigned char)c)
      return (void *)p;
  return 0;
}

void *memrchr(const void *at, int c, size_t n)
{
  const unsigned char *p = at;
  while (n--)
    if (p[n] == (unsigned char)c)
      return (void *)(p + n);
  return 0;
}

void *rawmemchr(const void *at, int c)
{
  const unsigned char *p = at;
  while (*p != (unsigned char)c)
    p++;
  return (void *)p;
}

void *memmem(const void *at, size_t n, const void *word, size_t length)
{
  const char *p = at;
  for (; n >= length; n--, p++)
    if (memcmp(p, word, length) == 0)
      return (void *)p;
  return 0;
}

void *memccpy(void *to, const void *from, int c, size_t n)
{
  char *p = to;
  const char *q = from;
  for (; n; n--)
    if ((*p++ = *q++) == (char)c)
      return p;
  return 0;
}

void *mempcpy(void *to, const void *from, size_t n)
{
  memcpy(to, from, n);
  return (char *)to + n;
}

void bzero(void *at, size_t n)
{
  memset(at, 0, n);
}

void bcopy(const void *from, void *to, size_t n)
{
  memmove(to, from, n);
}

unsigned char __VERIFIER_nondet_uchar(void);

void __VERIFIER_nondet_memory(void *at, size_t n)
{
  unsigned char *p = at;
  for (; n; n--, p++)
    *p = __VERIFIER_nondet_uchar();
}

/* ---- memory -------------------------------------------------------------------------------- */

void *realloc(void *at, size_t size)
{
  void *copy = malloc(size);
  if (copy && at) {
    size_t old = __predabs_object_size(at);
    memcpy(copy, at, old < size ? old : size);
    free(at);
  }
  return copy;
}

void *aligned_alloc(size_t alignment, size_t size) { return malloc(size); }
void *memalign(size_t alignment, size_t size) { return malloc(size); }
void *valloc(size_t size) { return malloc(size); }

int posix_memalign(void **at, size_t alignment, size_t size)
{
  void *made = malloc(size);
  if (!made)
    return 12;
  *at = made;
  return 0;
}

/* ---- sorting and searching; elements that compare equal keep their order -------------------- */

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
  char *start = base;
  if (count < 2 || size == 0)
    return;
  char *spare = __builtin_alloca(size);
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0; j--) {
      char *one = start + (j - 1) * size, *two = start + j * size;
      if (compare(one, two) <= 0)
        break;
      memcpy(spare, one, size);
      memcpy(one, two, size);
      memcpy(two, spare, size);
    }
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *))
{
  size_t low = 0;
  while (low < count) {
    size_t middle = low + (count - low) / 2;
    const char *at = (const char *)base + middle * size;
    int order = compare(key, at);
    if (order == 0)
      return (void *)at;
    if (order < 0)
      count = middle;
    else
      low = middle + 1;
  }
  return 0;
}

/* ---- files: what is read there is any text ---------------------------------------------------- */

/* Files that are open at the same time have different addresses, unless there are very many. */
static void *__predabs_handle(void)
{
  static char handles[4096];
  static unsigned next;
  return &handles[next++ % sizeof handles];
}

void *fopen(const char *path, const char *mode)
{
  return __predabs_any_int() ? __predabs_handle() : 0;
}

void *fdopen(int file, const char *mode)
{
  return __predabs_any_int() ? __predabs_handle() : 0;
}

void *popen(const char *command, const char *mode)
{
  return __predabs_any_int() ? __predabs_handle() : 0;
}

void *tmpfile(void)
{
  return __predabs_any_int() ? __predabs_handle() : 0;
}

void *opendir(const char *path)
{
  return __predabs_any_int() ? __predabs_handle() : 0;
}

void *freopen(const char *path, const char *mode, void *file)
{
  return __predabs_any_int() ? file : 0;
}

char *fgets(char *to, int size, void *file)
{
  int i = 0;
  while (i < size - 1) {
    if (__predabs_any_int()) { /* no more */
      if (i == 0 || __predabs_any_int()) /* or an error */
        return 0;
      break;
    }
    unsigned char c = __predabs_any_uchar();
    to[i++] = c;
    if (c == '\n')
      break;
  }
  if (size < 1)
    return 0;
  to[i] = 0;
  return to;
}

char *gets(char *to)
{
  int i = 0;
  while (!__predabs_any_int()) {
    unsigned char c = __predabs_any_uchar();
    if (c == '\n') {
      to[i] = 0;
      return to;
    }
    to[i++] = c;
  }
  if (i == 0 || __predabs_any_int())
    return 0;
  to[i] = 0;
  return to;
}

/* How glibc lets the buffer grow. */
static int __predabs_room(char **line, size_t *size, size_t needed)
{
  if (*line && *size >= needed)
    return 1;
  size_t more = !*line || *size == 0 ? 120 : 2 * *size > needed ? 2 * *size : needed;
  char *made = realloc(*line, more);
  if (!made)
    return 0;
  *line = made;
  *size = more;
  return 1;
}

long getdelim(char **line, size_t *size, int end, void *file)
{
  size_t length = 0;
  int c = end + 1;
  if (!line || !size)
    return -1;
  if (!*line)
    *size = 0;
  if (!__predabs_room(line, size, 1))
    return -1;
  while (c != end && !__predabs_any_int()) { /* else there is no more */
    c = __predabs_any_uchar();
    if (!__predabs_room(line, size, length + 2))
      return -1;
    (*line)[length++] = c;
  }
  if (length == 0 || (c != end && __predabs_any_int())) /* or an error */
    return -1;
  (*line)[length] = 0;
  return length;
}

long __getdelim(char **line, size_t *size, int end, void *file)
{
  return getdelim(line, size, end, file);
}

long getline(char **line, size_t *size, void *file) { return getdelim(line, size, '\n', file); }

int vasprintf(char **to, const char *format, __builtin_va_list args)
{
  __builtin_va_list again;
  __builtin_va_copy(again, args);
  int length = vsnprintf(0, 0, format, again);
  if (length < 0)
    return -1;
  *to = malloc(length + 1ul);
  if (!*to)
    return -1;
  return vsnprintf(*to, length + 1ul, format, args);
}

int asprintf(char **to, const char *format, ...)
{
  __builtin_va_list args;
  __builtin_va_start(args, format);
  int length = vasprintf(to, format, args);
  __builtin_va_end(args);
  return length;
}

/* ---- the world ---------------------------------------------------------------------------------- */

long time(long *at)
{
  long now = __predabs_any_long();
  __VERIFIER_assume(now >= -1);
  if (at)
    *at = now;
  return now;
}

/* Any text of at most size - 1 characters, and its end. */
static void __predabs_name(char *to, size_t size)
{
  size_t i = 0;
  while (i < size - 1 && (to[i] = __predabs_any_uchar()))
    i++;
  to[i] = 0;
}

char *getcwd(char *to, size_t size)
{
  if (__predabs_any_int())
    return 0;
  if (!to) {
    size = size ? size : 4096;
    to = malloc(size);
  }
  if (!to || size < 2)
    return 0;
  to[0] = '/';
  __predabs_name(to + 1, size - 1);
  return to;
}

char *realpath(const char *path, char *to)
{
  if (__predabs_any_int())
    return 0;
  if (!to)
    to = malloc(4096);
  if (to) {
    to[0] = '/';
    __predabs_name(to + 1, 4095);
  }
  return to;
}

int gethostname(char *to, size_t size)
{
  if (size < 1 || __predabs_any_int())
    return -1;
  __predabs_name(to, size);
  return 0;
}

/* Texts of the library's own; what they say is not known. */
static char *__predabs_static_text(struct __predabs_text *text)
{
  *text = __predabs_unknown_text();
  text->c[sizeof *text - 1] = 0;
  return text->c;
}

char *strerror(int error)
{
  static struct __predabs_text text;
  return __predabs_static_text(&text);
}

char *strsignal(int signal)
{
  static struct __predabs_text text;
  return __predabs_static_text(&text);
}

/* The date in local time or not: it is not computed. */
struct __predabs_date { int parts[9]; long from_utc; const char *zone; };
struct __predabs_date __predabs_unknown_date(void);

static void *__predabs_some_date(void *to)
{
  static const char zone[4] = "UTC";
  static struct __predabs_date date;
  struct __predabs_date *at = to ? to : &date;
  if (__predabs_unknown_int()) /* a year that does not fit */
    return 0;
  *at = __predabs_unknown_date();
  at->zone = zone;
  return at;
}

void *gmtime(const long *time) { return __predabs_some_date(0); }
void *localtime(const long *time) { return __predabs_some_date(0); }
void *gmtime_r(const long *time, void *to) { return __predabs_some_date(to); }
void *localtime_r(const long *time, void *to) { return __predabs_some_date(to); }

char *asctime(const void *date)
{
  static struct __predabs_text text;
  return __predabs_unknown_int() ? 0 : __predabs_static_text(&text);
}

char *ctime(const long *time) { return asctime(0); }

/* Whoever asks may find that some function has set it. */
int *__errno_location(void)
{
  static int error;
  error = __predabs_unknown_int();
  return &error;
}

/* ---- numbers ------------------------------------------------------------------------------- */

int abs(int x)
{
  return x < 0 ? -x : x;
}

long labs(long x)
{
  return x < 0 ? -x : x;
}

long long llabs(long long x)
{
  return x < 0 ? -x : x;
}

/* The digits of a number in a base from 2 to 36, or 0 to find out; *end is where they end. What
 * does not fit becomes `most` or `least`. */
static unsigned long long __predabs_digits(const char *s, char **end, int base,
                                           unsigned long long most, unsigned long long least)
{
  const char *start = s;
  unsigned long long value = 0;
  int negative = 0, big = 0;
  while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
    s++;
  if (*s == '-' || *s == '+')
    negative = *s++ == '-';
  if ((base == 0 || base == 16) && *s == '0' && (s[1] == 'x' || s[1] == 'X')) {
    int after = tolower((unsigned char)s[2]);
    if ((after >= '0' && after <= '9') || (after >= 'a' && after <= 'f')) {
      s += 2;
      base = 16;
    }
  }
  if (base == 0)
    base = *s == '0' ? 8 : 10;
  for (;; s++) {
    int c = tolower((unsigned char)*s);
    int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : 99;
    if (digit >= base)
      break;
    start = 0;
    if (value > ((negative ? least : most) - digit) / base)
      big = 1;
    value = value * base + digit;
  }
  if (end)
    *end = (char *)(start ? start : s);
  if (big)
    return negative && least != most ? -least : most;
  return negative ? -value : value;
}

long strtol(const char *s, char **end, int base)
{
  unsigned long most = ~0ul >> 1;
  return __predabs_digits(s, end, base, most, most + 1ull);
}

unsigned long strtoul(const char *s, char **end, int base)
{
  return __predabs_digits(s, end, base, ~0ul, ~0ul);
}

long long strtoll(const char *s, char **end, int base)
{
  unsigned long long most = ~0ull >> 1;
  return __predabs_digits(s, end, base, most, most + 1);
}

unsigned long long strtoull(const char *s, char **end, int base)
{
  return __predabs_digits(s, end, base, ~0ull, ~0ull);
}

int atoi(const char *s)
{
  int value = 0;
  int negative = 0;
  while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
    s++;
  if (*s == '-' || *s == '+')
    negative = *s++ == '-';
  for (; *s >= '0' && *s <= '9'; s++)
    value = value * 10 + (*s - '0');
  return negative ? -value : value;
}

long atol(const char *s) { return strtol(s, 0, 10); }
long long atoll(const char *s) { return strtoll(s, 0, 10); }

static const char *__predabs_skip(const char *s, int hexadecimal)
{
  while ((*s >= '0' && *s <= '9')
         || (hexadecimal && ((*s >= 'a' && *s <= 'f') || (*s >= 'A' && *s <= 'F'))))
    s++;
  return s;
}

static int __predabs_starts(const char *s, const char *word)
{
  for (; *word; s++, word++)
    if (tolower((unsigned char)*s) != *word)
      return 0;
  return 1;
}

/* Where the text of a floating-point number ends; where it starts if there is none. A whole number
 * of at most 15 digits is `*whole`, and else that is -1. */
static const char *__predabs_number(const char *s, long long *whole)
{
  const char *start = s;
  *whole = -1;
  while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
    s++;
  if (*s == '-' || *s == '+')
    s++;
  if (__predabs_starts(s, "inf"))
    return s + (__predabs_starts(s, "infinity") ? 8 : 3);
  if (__predabs_starts(s, "nan")) {
    const char *end = s + 3;
    if (*end != '(')
      return end;
    do
      end++;
    while (*end == '_' || (*end >= '0' && *end <= '9') || (*end >= 'a' && *end <= 'z')
           || (*end >= 'A' && *end <= 'Z'));
    return *end == ')' ? end + 1 : s + 3;
  }
  int hexadecimal = *s == '0' && (s[1] == 'x' || s[1] == 'X');
  if (hexadecimal) {
    const char *digits = __predabs_skip(s + 2, 1);
    const char *end = *digits == '.' ? __predabs_skip(digits + 1, 1) : digits;
    if (digits == s + 2 && end <= digits + 1)
      return s + 1; /* the zero alone */
    s = end;
  } else {
    const char *digits = __predabs_skip(s, 0);
    const char *end = *digits == '.' ? __predabs_skip(digits + 1, 0) : digits;
    if (digits == s && end <= digits + 1)
      return start;
    if (end == digits && digits - s <= 15) {
      *whole = 0;
      for (; s < digits; s++)
        *whole = *whole * 10 + (*s - '0');
    }
    s = end;
  }
  if (tolower((unsigned char)*s) == (hexadecimal ? 'p' : 'e')) {
    const char *digits = s + 1 + (s[1] == '-' || s[1] == '+');
    const char *end = __predabs_skip(digits, 0);
    if (end > digits) {
      *whole = -1;
      s = end;
    }
  }
  return s;
}

double strtod(const char *s, char **end)
{
  long long whole;
  const char *after = __predabs_number(s, &whole);
  if (end)
    *end = (char *)after;
  if (after == s)
    return 0;
  if (whole < 0)
    return __predabs_unknown_double();
  while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
    s++;
  return *s == '-' ? -(double)whole : (double)whole;
}

float strtof(const char *s, char **end) { return strtod(s, end); }
long double strtold(const char *s, char **end) { return strtod(s, end); }
double atof(const char *s) { return strtod(s, 0); }

/* ---- floating point ------------------------------------------------------------------------ */

double trunc(double x);
float truncf(float x);
long double truncl(long double x);
double copysign(double x, double y);
float copysignf(float x, float y);
long double copysignl(long double x, long double y);

double modf(double x, double *whole)
{
  *whole = trunc(x);
  return copysign(x - x != 0 && x == x ? 0 : x - *whole, x);
}

float modff(float x, float *whole)
{
  *whole = truncf(x);
  return copysignf(x - x != 0 && x == x ? 0 : x - *whole, x);
}

long double modfl(long double x, long double *whole)
{
  *whole = truncl(x);
  return copysignl(x - x != 0 && x == x ? 0 : x - *whole, x);
}

double nextafter(double x, double y)
{
  if (x != x || y != y)
    return x + y;
  if (x == y)
    return y;
  unsigned long long bits = 1;
  if (x == 0) {
    double least = *(double *)&bits;
    return copysign(least, y);
  }
  bits = *(unsigned long long *)&x;
  bits = (x < y) == (x > 0) ? bits + 1 : bits - 1;
  return *(double *)&bits;
}

float nextafterf(float x, float y)
{
  if (x != x || y != y)
    return x + y;
  if (x == y)
    return y;
  unsigned bits = 1;
  if (x == 0) {
    float least = *(float *)&bits;
    return copysignf(least, y);
  }
  bits = *(unsigned *)&x;
  bits = (x < y) == (x > 0) ? bits + 1 : bits - 1;
  return *(float *)&bits;
}

/* ---- remainders ----------------------------------------------------------------------------- */

double fabs(double x);
float fabsf(float x);
long double fabsl(long double x);
double __libm_fmod(double x, double y);
long double __libm_fmodl(long double x, long double y);
double __libm_remainder(double x, double y);
long double __libm_remainderl(long double x, long double y);

/* What is said of a result is true of the exact one; a formula knows no more of it. For a divisor of
 * 24 bits or less, quotients of 28 bits give a product of no more than 53, so that all here is exact
 * but the quotient, which may be rounded up to the next whole number. */
double fmod(double x, double y)
{
  double r = __libm_fmod(x, y), size = fabs(x), divisor = fabs(y);
  if (x - x != 0 || y != y || y == 0) {
    __VERIFIER_assume(r != r);
    return r;
  }
  __VERIFIER_assume(fabs(r) < divisor && fabs(r) <= size && copysign(1, r) == copysign(1, x));
  if (size < divisor)
    __VERIFIER_assume(r == x);
  else if ((float)divisor == divisor) {
    double quotient = trunc(size / divisor);
    if (quotient < 0x1p28) {
      double left = size - quotient * divisor;
      __VERIFIER_assume(fabs(r) == (left < 0 ? left + divisor : left));
    }
  }
  return r;
}

float fmodf(float x, float y) { return fmod(x, y); }

long double fmodl(long double x, long double y)
{
  long double r = __libm_fmodl(x, y), size = fabsl(x), divisor = fabsl(y);
  if (x - x != 0 || y != y || y == 0) {
    __VERIFIER_assume(r != r);
    return r;
  }
  __VERIFIER_assume(fabsl(r) < divisor && fabsl(r) <= size && copysignl(1, r) == copysignl(1, x));
  __VERIFIER_assume(!(size < divisor) || r == x);
  return r;
}

/* The nearest multiple is away at most half of the divisor; of two as near it is the even one. */
double remainder(double x, double y)
{
  double r = __libm_remainder(x, y), size = fabs(x), divisor = fabs(y);
  if (x - x != 0 || y != y || y == 0) {
    __VERIFIER_assume(r != r);
    return r;
  }
  __VERIFIER_assume(fabs(r) <= divisor - fabs(r) && fabs(r) <= size);
  if (size < divisor - size)
    __VERIFIER_assume(r == x && copysign(1, r) == copysign(1, x));
  else if ((float)divisor == divisor && divisor - divisor == 0) {
    double quotient = trunc(size / divisor);
    if (quotient < 0x1p28) {
      double left = size - quotient * divisor;
      if (left < 0) {
        left += divisor;
        quotient--;
      }
      double more = divisor - left;
      int down = left < more || (left == more && quotient / 2 == trunc(quotient / 2));
      __VERIFIER_assume(fabs(r) == (down ? left : more));
      __VERIFIER_assume(r == 0 || (r < 0) == (down ? x < 0 : x > 0));
    }
  }
  return r;
}

float remainderf(float x, float y) { return remainder(x, y); }

long double remainderl(long double x, long double y)
{
  long double r = __libm_remainderl(x, y), size = fabsl(x), divisor = fabsl(y);
  if (x - x != 0 || y != y || y == 0) {
    __VERIFIER_assume(r != r);
    return r;
  }
  __VERIFIER_assume(fabsl(r) <= divisor - fabsl(r) && fabsl(r) <= size);
  __VERIFIER_assume(!(size < divisor - size) || r == x);
  return r;
}

double drem(double x, double y) { return remainder(x, y); }
float dremf(float x, float y) { return remainder(x, y); }
long double dreml(long double x, long double y) { return remainderl(x, y); }

/* ---- exponents and significands ------------------------------------------------------------ */

double rint(double x);
long double rintl(long double x);
double nextup(double x);
float nextupf(float x);
long double nextupl(long double x);
double nextdown(double x);
float nextdownf(float x);
long double nextdownl(long double x);
unsigned long long strtoull(const char *s, char **end, int base);

/* The n with 2^n <= |x| < 2^(n + 1), for a finite number that is not zero. */
int __predabs_exponent(double x)
{
  int more = 0;
  if (fabs(x) < 0x1p-1022) {
    x *= 0x1p60;
    more = 60;
  }
  return (int)(*(unsigned long long *)&x >> 52 & 2047) - 1023 - more;
}

int __predabs_exponentl(long double x)
{
  int more = 0;
  if (fabsl(x) < 0x1p-16382L) {
    x *= 0x1p70L;
    more = 70;
  }
  return (((unsigned short *)&x)[4] & 32767) - 16383 - more;
}

/* x * 2^n, rounded once. If the result is subnormal, it is made 2^60 times larger before. */
double scalbln(double x, long n)
{
  if (x - x != 0 || x == 0)
    return x + x;
  long exponent = __predabs_exponent(x);
  n = n > 3000 ? 3000 : n < -3000 ? -3000 : n;
  if (exponent + n > 1023)
    return 0x1p1000 * copysign(0x1p1000, x);
  if (exponent + n < -1080)
    return 0x1p-1000 * copysign(0x1p-1000, x);
  if (exponent < -1022)
    x *= 0x1p60;
  long field = exponent + n + 1023;
  double last = 1;
  if (field < 1) {
    field += 60;
    last = 0x1p-60;
  }
  unsigned long long bits = *(unsigned long long *)&x & ~(2047ULL << 52);
  bits |= (unsigned long long)field << 52;
  return last * *(double *)&bits;
}

long double scalblnl(long double x, long n)
{
  if (x - x != 0 || x == 0)
    return x + x;
  long exponent = __predabs_exponentl(x);
  n = n > 40000 ? 40000 : n < -40000 ? -40000 : n;
  if (exponent + n > 16383)
    return 0x1p16000L * copysignl(0x1p16000L, x);
  if (exponent + n < -16460)
    return 0x1p-16000L * copysignl(0x1p-16000L, x);
  if (exponent < -16382)
    x *= 0x1p70L;
  long field = exponent + n + 16383;
  long double last = 1;
  if (field < 1) {
    field += 70;
    last = 0x1p-70L;
  }
  unsigned short *at = (unsigned short *)&x + 4;
  *at = (*at & 32768) | field;
  return last * x;
}

float scalblnf(float x, long n) { return scalbln(x, n); }
double scalbn(double x, int n) { return scalbln(x, n); }
float scalbnf(float x, int n) { return scalbln(x, n); }
long double scalbnl(long double x, int n) { return scalblnl(x, n); }
double ldexp(double x, int n) { return scalbln(x, n); }
float ldexpf(float x, int n) { return scalbln(x, n); }
long double ldexpl(long double x, int n) { return scalblnl(x, n); }

double frexp(double x, int *exponent)
{
  *exponent = 0;
  if (x - x != 0 || x == 0)
    return x + x;
  int n = __predabs_exponent(x) + 1;
  *exponent = n;
  return scalbln(x, -n);
}

float frexpf(float x, int *exponent) { return frexp(x, exponent); }

long double frexpl(long double x, int *exponent)
{
  *exponent = 0;
  if (x - x != 0 || x == 0)
    return x + x;
  int n = __predabs_exponentl(x) + 1;
  *exponent = n;
  return scalblnl(x, -n);
}

double logb(double x)
{
  if (x != x)
    return x + x;
  if (x == 0)
    return -1 / fabs(x);
  return x - x != 0 ? fabs(x) : __predabs_exponent(x);
}

long double logbl(long double x)
{
  if (x != x)
    return x + x;
  if (x == 0)
    return -1 / fabsl(x);
  return x - x != 0 ? fabsl(x) : __predabs_exponentl(x);
}

float logbf(float x) { return logb(x); }

/* FP_ILOGB0 and FP_ILOGBNAN are INT_MIN on x86. */
int ilogb(double x)
{
  if (x == 0 || x != x)
    return -__INT_MAX__ - 1;
  return x - x != 0 ? __INT_MAX__ : __predabs_exponent(x);
}

int ilogbl(long double x)
{
  if (x == 0 || x != x)
    return -__INT_MAX__ - 1;
  return x - x != 0 ? __INT_MAX__ : __predabs_exponentl(x);
}

int ilogbf(float x) { return ilogb(x); }

double significand(double x)
{
  return x - x != 0 || x == 0 ? x + x : scalbln(x, -__predabs_exponent(x));
}

float significandf(float x) { return significand(x); }

long double significandl(long double x)
{
  return x - x != 0 || x == 0 ? x + x : scalblnl(x, -__predabs_exponentl(x));
}

/* The payload of a NaN is a number in the text, if that is all of it. */
unsigned long long __predabs_payload(const char *text)
{
  const char *end = text;
  while ((*end >= '0' && *end <= '9') || (*end >= 'a' && *end <= 'z') || (*end >= 'A' && *end <= 'Z') || *end == '_')
    end++;
  if (*end || end == text)
    return 0;
  char *after;
  unsigned long long payload = strtoull(text, &after, 0);
  return *after ? 0 : payload;
}

double nan(const char *text)
{
  unsigned long long bits = 0x7ff8000000000000ULL | (__predabs_payload(text) & 0x7ffffffffffffULL);
  return *(double *)&bits;
}

float nanf(const char *text)
{
  unsigned bits = 0x7fc00000U | (__predabs_payload(text) & 0x3fffffU);
  return *(float *)&bits;
}

long double nextafterl(long double x, long double y)
{
  if (x != x || y != y)
    return x + y;
  if (x == y)
    return y;
  if (x == 0)
    return copysignl(nextupl(0), y);
  return x < y ? nextupl(x) : nextdownl(x);
}

long double nexttowardl(long double x, long double y) { return nextafterl(x, y); }

double nexttoward(double x, long double y)
{
  if (x != x || y != y)
    return x + y;
  if (x == y)
    return y;
  if (x == 0)
    return copysign(nextup(0), y);
  return x < y ? nextup(x) : nextdown(x);
}

float nexttowardf(float x, long double y)
{
  if (x != x || y != y)
    return x + y;
  if (x == y)
    return y;
  if (x == 0)
    return copysignf(nextupf(0), y);
  return x < y ? nextupf(x) : nextdownf(x);
}

/* The quotient of what is left of x modulo 8 * y, and its sign. Rounded up it may be 8: glibc gives
 * that, but for its version in the machine language of 32 bits. */
double remquo(double x, double y, int *quotient)
{
  double r = remainder(x, y);
  *quotient = 0;
  if (r == r && x - x == 0 && y - y == 0) {
    double size = fabs(y), nearest = copysign(1, x) * r;
    double part = size < 0x1p1020 ? fmod(fabs(x), 8 * size) : fabs(x);
    int count = rint((part - nearest) / size);
    if (sizeof(void *) == 4)
      count &= 7;
    *quotient = copysign(1, x) == copysign(1, y) ? count : -count;
  }
  return r;
}

float remquof(float x, float y, int *quotient) { return remquo(x, y, quotient); }

long double remquol(long double x, long double y, int *quotient)
{
  long double r = remainderl(x, y);
  *quotient = 0;
  if (r == r && x - x == 0 && y - y == 0) {
    long double size = fabsl(y), nearest = copysignl(1, x) * r;
    long double part = size < 0x1p16380L ? fmodl(fabsl(x), 8 * size) : fabsl(x);
    int count = rintl((part - nearest) / size);
    if (sizeof(void *) == 4)
      count &= 7;
    *quotient = copysignl(1, x) == copysignl(1, y) ? count : -count;
  }
  return r;
}

/* One rounding at the end [BM08]: the parts of a sum that is not exact are added to the one of the
 * two numbers around it whose last bit is set, so that rounding again to a number with two bits less
 * gives what rounding once would. */
float fmaf(float x, float y, float z)
{
  double product = (double)x * y; /* exact */
  double sum = product + z;
  if (sum - sum == 0) {
    double back = sum - product;
    double error = (product - (sum - back)) + (z - back);
    if (error != 0 && !(*(unsigned long long *)&sum & 1))
      sum = error > 0 ? nextup(sum) : nextdown(sum);
  }
  return sum;
}

long double __predabs_odd_sum(long double a, long double b)
{
  long double sum = a + b, back = sum - a;
  long double error = (a - (sum - back)) + (b - back);
  if (error != 0 && !(*(unsigned long long *)&sum & 1))
    return error > 0 ? nextupl(sum) : nextdownl(sum);
  return sum;
}

double fma(double x, double y, double z)
{
  long double a = x, b = y, c = z;
  long double product = a * b;
  if (product - product != 0 || z - z != 0 || product == 0 || z == 0)
    return product + c;
  /* The error of the product [Dek71]: each factor in two halves of 32 bits. */
  long double high = a * 0x100000001p0L, other = b * 0x100000001p0L;
  high = high - (high - a);
  other = other - (other - b);
  long double low = a - high, rest = b - other;
  long double error = ((high * other - product) + high * rest + low * other) + low * rest;
  /* Its sum with the other two, without an error but for the smallest part. */
  long double small = c + error, back = small - c;
  long double smaller = (c - (small - back)) + (error - back);
  long double large = product + small;
  back = large - product;
  error = (product - (large - back)) + (small - back);
  return __predabs_odd_sum(large, __predabs_odd_sum(error, smaller));
}

/* What only the library knows, as far as it is known: the numbers in a run are the library's. */

double __libm_sin(double x);
double sin(double x)
{
  double r = __libm_sin(x);
  __VERIFIER_assume(x - x != 0 ? r != r : r >= -1 && r <= 1);
  return r;
}

float __libm_sinf(float x);
float sinf(float x)
{
  float r = __libm_sinf(x);
  __VERIFIER_assume(x - x != 0 ? r != r : r >= -1 && r <= 1);
  return r;
}

double __libm_cos(double x);
double cos(double x)
{
  double r = __libm_cos(x);
  __VERIFIER_assume(x - x != 0 ? r != r : r >= -1 && r <= 1);
  return r;
}

float __libm_cosf(float x);
float cosf(float x)
{
  float r = __libm_cosf(x);
  __VERIFIER_assume(x - x != 0 ? r != r : r >= -1 && r <= 1);
  return r;
}

double __libm_tan(double x);
double tan(double x)
{
  double r = __libm_tan(x);
  __VERIFIER_assume(x - x != 0 ? r != r : r - r == 0);
  return r;
}

float __libm_tanf(float x);
float tanf(float x)
{
  float r = __libm_tanf(x);
  __VERIFIER_assume(x - x != 0 ? r != r : r - r == 0);
  return r;
}

double __libm_asin(double x);
double asin(double x)
{
  double r = __libm_asin(x);
  __VERIFIER_assume(x >= -1 && x <= 1 ? r > -1.5708 && r < 1.5708 && (x < 0 ? r <= 0 : x > 0 ? r >= 0 : r == 0) : r != r);
  return r;
}

float __libm_asinf(float x);
float asinf(float x)
{
  float r = __libm_asinf(x);
  __VERIFIER_assume(x >= -1 && x <= 1 ? r > -1.5708 && r < 1.5708 && (x < 0 ? r <= 0 : x > 0 ? r >= 0 : r == 0) : r != r);
  return r;
}

double __libm_acos(double x);
double acos(double x)
{
  double r = __libm_acos(x);
  __VERIFIER_assume(x >= -1 && x <= 1 ? r >= 0 && r < 3.1416 : r != r);
  return r;
}

float __libm_acosf(float x);
float acosf(float x)
{
  float r = __libm_acosf(x);
  __VERIFIER_assume(x >= -1 && x <= 1 ? r >= 0 && r < 3.1416 : r != r);
  return r;
}

double __libm_atan(double x);
double atan(double x)
{
  double r = __libm_atan(x);
  __VERIFIER_assume(x != x ? r != r : r > -1.5708 && r < 1.5708 && (x < 0 ? r <= 0 : x > 0 ? r >= 0 : r == 0));
  return r;
}

float __libm_atanf(float x);
float atanf(float x)
{
  float r = __libm_atanf(x);
  __VERIFIER_assume(x != x ? r != r : r > -1.5708 && r < 1.5708 && (x < 0 ? r <= 0 : x > 0 ? r >= 0 : r == 0));
  return r;
}

double __libm_sinh(double x);
double sinh(double x)
{
  double r = __libm_sinh(x);
  __VERIFIER_assume(x != x ? r != r : x < 0 ? r <= 0 : x > 0 ? r >= 0 : r == 0);
  return r;
}

float __libm_sinhf(float x);
float sinhf(float x)
{
  float r = __libm_sinhf(x);
  __VERIFIER_assume(x != x ? r != r : x < 0 ? r <= 0 : x > 0 ? r >= 0 : r == 0);
  return r;
}

double __libm_cosh(double x);
double cosh(double x)
{
  double r = __libm_cosh(x);
  __VERIFIER_assume(x != x ? r != r : r >= 1);
  return r;
}

float __libm_coshf(float x);
float coshf(float x)
{
  float r = __libm_coshf(x);
  __VERIFIER_assume(x != x ? r != r : r >= 1);
  return r;
}

double __libm_tanh(double x);
double tanh(double x)
{
  double r = __libm_tanh(x);
  __VERIFIER_assume(x != x ? r != r : r >= -1 && r <= 1 && (x < 0 ? r <= 0 : x > 0 ? r >= 0 : r == 0));
  return r;
}

float __libm_tanhf(float x);
float tanhf(float x)
{
  float r = __libm_tanhf(x);
  __VERIFIER_assume(x != x ? r != r : r >= -1 && r <= 1 && (x < 0 ? r <= 0 : x > 0 ? r >= 0 : r == 0));
  return r;
}

double __libm_exp(double x);
double exp(double x)
{
  double r = __libm_exp(x);
  __VERIFIER_assume(x != x ? r != r : x < 0 ? r >= 0 && r <= 1 : x > 0 ? r >= 1 : r == 1);
  return r;
}

float __libm_expf(float x);
float expf(float x)
{
  float r = __libm_expf(x);
  __VERIFIER_assume(x != x ? r != r : x < 0 ? r >= 0 && r <= 1 : x > 0 ? r >= 1 : r == 1);
  return r;
}

double __libm_exp2(double x);
double exp2(double x)
{
  double r = __libm_exp2(x);
  __VERIFIER_assume(x != x ? r != r : x < 0 ? r >= 0 && r <= 1 : x > 0 ? r >= 1 : r == 1);
  return r;
}

float __libm_exp2f(float x);
float exp2f(float x)
{
  float r = __libm_exp2f(x);
  __VERIFIER_assume(x != x ? r != r : x < 0 ? r >= 0 && r <= 1 : x > 0 ? r >= 1 : r == 1);
  return r;
}

double __libm_expm1(double x);
double expm1(double x)
{
  double r = __libm_expm1(x);
  __VERIFIER_assume(x != x ? r != r : x < 0 ? r >= -1 && r <= 0 : x > 0 ? r >= 0 : r == 0);
  return r;
}

float __libm_expm1f(float x);
float expm1f(float x)
{
  float r = __libm_expm1f(x);
  __VERIFIER_assume(x != x ? r != r : x < 0 ? r >= -1 && r <= 0 : x > 0 ? r >= 0 : r == 0);
  return r;
}

double __libm_log(double x);
double log(double x)
{
  double r = __libm_log(x);
  __VERIFIER_assume(x < 0 || x != x ? r != r : x == 0 ? r < 0 && r - r != 0 : x < 1 ? r <= 0 && r > -746 : x == 1 ? r == 0 : r >= 0 && (r < 710 || r == x));
  return r;
}

float __libm_logf(float x);
float logf(float x)
{
  float r = __libm_logf(x);
  __VERIFIER_assume(x < 0 || x != x ? r != r : x == 0 ? r < 0 && r - r != 0 : x < 1 ? r <= 0 && r > -746 : x == 1 ? r == 0 : r >= 0 && (r < 710 || r == x));
  return r;
}

double __libm_log2(double x);
double log2(double x)
{
  double r = __libm_log2(x);
  __VERIFIER_assume(x < 0 || x != x ? r != r : x == 0 ? r < 0 && r - r != 0 : x < 1 ? r <= 0 && r >= -1074 : x == 1 ? r == 0 : r >= 0 && (r <= 1024 || r == x));
  return r;
}

float __libm_log2f(float x);
float log2f(float x)
{
  float r = __libm_log2f(x);
  __VERIFIER_assume(x < 0 || x != x ? r != r : x == 0 ? r < 0 && r - r != 0 : x < 1 ? r <= 0 && r >= -1074 : x == 1 ? r == 0 : r >= 0 && (r <= 1024 || r == x));
  return r;
}

double __libm_log10(double x);
double log10(double x)
{
  double r = __libm_log10(x);
  __VERIFIER_assume(x < 0 || x != x ? r != r : x == 0 ? r < 0 && r - r != 0 : x < 1 ? r <= 0 && r > -324 : x == 1 ? r == 0 : r >= 0 && (r < 309 || r == x));
  return r;
}

float __libm_log10f(float x);
float log10f(float x)
{
  float r = __libm_log10f(x);
  __VERIFIER_assume(x < 0 || x != x ? r != r : x == 0 ? r < 0 && r - r != 0 : x < 1 ? r <= 0 && r > -324 : x == 1 ? r == 0 : r >= 0 && (r < 309 || r == x));
  return r;
}

double __libm_log1p(double x);
double log1p(double x)
{
  double r = __libm_log1p(x);
  __VERIFIER_assume(x < -1 || x != x ? r != r : x == -1 ? r < 0 && r - r != 0 : x < 0 ? r <= 0 && r > -746 : x == 0 ? r == 0 : r >= 0 && (r < 710 || r == x));
  return r;
}

float __libm_log1pf(float x);
float log1pf(float x)
{
  float r = __libm_log1pf(x);
  __VERIFIER_assume(x < -1 || x != x ? r != r : x == -1 ? r < 0 && r - r != 0 : x < 0 ? r <= 0 && r > -746 : x == 0 ? r == 0 : r >= 0 && (r < 710 || r == x));
  return r;
}

double __libm_cbrt(double x);
double cbrt(double x)
{
  double r = __libm_cbrt(x);
  __VERIFIER_assume(x != x ? r != r : x == 0 ? r == 0 : x < 0 ? r < 0 : r > 0);
  return r;
}

float __libm_cbrtf(float x);
float cbrtf(float x)
{
  float r = __libm_cbrtf(x);
  __VERIFIER_assume(x != x ? r != r : x == 0 ? r == 0 : x < 0 ? r < 0 : r > 0);
  return r;
}

double __libm_pow(double x, double y);
double pow(double x, double y)
{
  double r = __libm_pow(x, y);
  __VERIFIER_assume(y == 0 || x == 1 ? r == 1 : x != x || y != y ? r != r : x < 0 || r >= 0);
  __VERIFIER_assume(x != 0 || y == 0 || (y > 0 ? r == 0 : r - r != 0));
  return r;
}

float __libm_powf(float x, float y);
float powf(float x, float y)
{
  float r = __libm_powf(x, y);
  __VERIFIER_assume(y == 0 || x == 1 ? r == 1 : x != x || y != y ? r != r : x < 0 || r >= 0);
  __VERIFIER_assume(x != 0 || y == 0 || (y > 0 ? r == 0 : r - r != 0));
  return r;
}

double __libm_atan2(double y, double x);
double atan2(double y, double x)
{
  double r = __libm_atan2(y, x);
  __VERIFIER_assume(x != x || y != y ? r != r : r > -3.1416 && r < 3.1416 && (y < 0 ? r <= 0 : y > 0 ? r >= 0 : 1));
  return r;
}

float __libm_atan2f(float y, float x);
float atan2f(float y, float x)
{
  float r = __libm_atan2f(y, x);
  __VERIFIER_assume(x != x || y != y ? r != r : r > -3.1416 && r < 3.1416 && (y < 0 ? r <= 0 : y > 0 ? r >= 0 : 1));
  return r;
}

double __libm_hypot(double x, double y);
double hypot(double x, double y)
{
  double r = __libm_hypot(x, y);
  int infinite = (x - x != 0 && x == x) || (y - y != 0 && y == y);
  __VERIFIER_assume(infinite ? r == __builtin_inf() : x != x || y != y ? r != r : r >= 0 && (r == 0) == (x == 0 && y == 0));
  return r;
}

float __libm_hypotf(float x, float y);
float hypotf(float x, float y)
{
  float r = __libm_hypotf(x, y);
  int infinite = (x - x != 0 && x == x) || (y - y != 0 && y == y);
  __VERIFIER_assume(infinite ? r == __builtin_inf() : x != x || y != y ? r != r : r >= 0 && (r == 0) == (x == 0 && y == 0));
  return r;
}

/* ---- characters, in the "C" locale --------------------------------------------------------- */

int isdigit(int c) { return c >= '0' && c <= '9'; }
int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int isalpha(int c) { return isupper(c) || islower(c); }
int isalnum(int c) { return isalpha(c) || isdigit(c); }
int isblank(int c) { return c == ' ' || c == '\t'; }
int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int iscntrl(int c) { return (c >= 0 && c < 32) || c == 127; }
int isprint(int c) { return c >= 32 && c < 127; }
int isgraph(int c) { return c > 32 && c < 127; }
int ispunct(int c) { return isgraph(c) && !isalnum(c); }
int isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/* What the macros of glibc's <ctype.h> look up: the bits of the classes, and the other case. */
enum {
  BLANK = 1,
  CNTRL = 2,
  PUNCT = 4,
  ALNUM = 8,
  UPPER = 256,
  LOWER = 512,
  ALPHA = 1024,
  DIGIT = 2048,
  XDIGIT = 4096,
  SPACE = 8192,
  PRINT = 16384,
  GRAPH = 32768,
  MARK = PUNCT | PRINT | GRAPH,
  WORD = ALNUM | PRINT | GRAPH,
};

const unsigned short **__ctype_b_loc(void)
{
  static const unsigned short table[384] = {
      [128 ... 159] = CNTRL,
      [128 + '\t'] = CNTRL | SPACE | BLANK,
      [128 + '\n'... 128 + '\r'] = CNTRL | SPACE,
      [128 + ' '] = SPACE | BLANK | PRINT,
      [128 + '!'... 128 + '/'] = MARK,
      [128 + '0'... 128 + '9'] = WORD | DIGIT | XDIGIT,
      [128 + ':'... 128 + '@'] = MARK,
      [128 + 'A'... 128 + 'F'] = WORD | ALPHA | UPPER | XDIGIT,
      [128 + 'G'... 128 + 'Z'] = WORD | ALPHA | UPPER,
      [128 + '['... 128 + '`'] = MARK,
      [128 + 'a'... 128 + 'f'] = WORD | ALPHA | LOWER | XDIGIT,
      [128 + 'g'... 128 + 'z'] = WORD | ALPHA | LOWER,
      [128 + '{'... 128 + '~'] = MARK,
      [255] = CNTRL,
  };
  static const unsigned short *start = table + 128;
  return &start;
}

const int **__ctype_tolower_loc(void)
{
  static int table[384];
  static const int *start;
  if (!start)
    for (int c = -128; c < 256; c++)
      table[128 + c] = tolower(c);
  start = table + 128;
  return &start;
}

const int **__ctype_toupper_loc(void)
{
  static int table[384];
  static const int *start;
  if (!start)
    for (int c = -128; c < 256; c++)
      table[128 + c] = toupper(c);
  start = table + 128;
  return &start;
}

/* ---- the compiler's bit tricks ------------------------------------------------------------- */

int __predabs_popcountll(unsigned long long x)
{
  int n = 0;
  for (; x; x &= x - 1)
    n++;
  return n;
}

int __predabs_popcountl(unsigned long x) { return __predabs_popcountll(x); }
int __predabs_popcount(unsigned x) { return __predabs_popcountll(x); }
int __predabs_parity(unsigned x) { return __predabs_popcountll(x) & 1; }
int __predabs_parityl(unsigned long x) { return __predabs_popcountll(x) & 1; }
int __predabs_parityll(unsigned long long x) { return __predabs_popcountll(x) & 1; }

/* gcc leaves the result for zero open, as do some of its machines */
int __predabs_ctzll(unsigned long long x)
{
  int n = 0;
  if (!x)
    return __predabs_unknown_int();
  while (n < 63 && !(x >> n & 1))
    n++;
  return n;
}

int __predabs_ctzl(unsigned long x) { return __predabs_ctzll(x); }
int __predabs_ctz(unsigned x) { return __predabs_ctzll(x); }
int __predabs_ffsll(long long x) { return x ? __predabs_ctzll(x) + 1 : 0; }
int __predabs_ffsl(long x) { return x ? __predabs_ctzll(x) + 1 : 0; }
int __predabs_ffs(int x) { return x ? __predabs_ctzll(x) + 1 : 0; }

int __predabs_clzll(unsigned long long x)
{
  int n = 0;
  if (!x)
    return __predabs_unknown_int();
  while (n < 63 && !(x >> (63 - n) & 1))
    n++;
  return n;
}

int __predabs_clrsbll(long long x)
{
  int n = 0;
  while (n < 63 && (x >> 63 & 1) == (x >> (62 - n) & 1))
    n++;
  return n;
}

int ffs(int x) { return __predabs_ffs(x); }
int ffsl(long x) { return __predabs_ffsl(x); }
int ffsll(long long x) { return __predabs_ffsll(x); }

int __predabs_clrsbl(long x) { return __predabs_clrsbll(x) - (64 - 8 * (int)sizeof x); }
int __predabs_clrsb(int x) { return __predabs_clrsbll(x) - 32; }
int __predabs_clzl(unsigned long x) { return __predabs_clzll(x) - (64 - 8 * (int)sizeof x); }
int __predabs_clz(unsigned x) { return __predabs_clzll(x) - 32; }

unsigned short __predabs_bswap16(unsigned short x)
{
  return (unsigned short)(x << 8 | x >> 8);
}

unsigned __predabs_bswap32(unsigned x)
{
  return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}

unsigned long long __predabs_bswap64(unsigned long long x)
{
  return (unsigned long long)__predabs_bswap32((unsigned)x) << 32
         | __predabs_bswap32((unsigned)(x >> 32));
}
