#ifndef PREDABS_STRINGS_H
#define PREDABS_STRINGS_H
#include <stddef.h>
void bzero(void *, size_t);
int strcasecmp(const char *, const char *);
int strncasecmp(const char *, const char *, size_t);
int ffs(int);
#endif
