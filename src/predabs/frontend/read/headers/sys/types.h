#ifndef PREDABS_SYS_TYPES_H
#define PREDABS_SYS_TYPES_H
#include <stddef.h>
typedef __INTPTR_TYPE__ ssize_t;
typedef long off_t;
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int mode_t;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
#endif
