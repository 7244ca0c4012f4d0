#ifndef PREDABS_STDNORETURN_H
#define PREDABS_STDNORETURN_H
#define noreturn _Noreturn
#endif
