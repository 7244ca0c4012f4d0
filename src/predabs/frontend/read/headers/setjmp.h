#ifndef PREDABS_SETJMP_H
#define PREDABS_SETJMP_H
typedef long jmp_buf[25];
int setjmp(jmp_buf) __attribute__((__returns_twice__));
void longjmp(jmp_buf, int) __attribute__((__noreturn__));
#endif
