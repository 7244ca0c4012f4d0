#ifndef PREDABS_MATH_H
#define PREDABS_MATH_H
#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define M_E 2.7182818284590452354
#define M_PI 3.14159265358979323846
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)
#define PREDABS_MATH1(name) \
    double name(double);    \
    float name##f(float);   \
    long double name##l(long double);
#define PREDABS_MATH2(name)      \
    double name(double, double); \
    float name##f(float, float); \
    long double name##l(long double, long double);
PREDABS_MATH1(acos) PREDABS_MATH1(asin) PREDABS_MATH1(atan) PREDABS_MATH1(cos)
PREDABS_MATH1(sin) PREDABS_MATH1(tan) PREDABS_MATH1(cosh) PREDABS_MATH1(sinh)
PREDABS_MATH1(tanh) PREDABS_MATH1(exp) PREDABS_MATH1(exp2) PREDABS_MATH1(expm1)
PREDABS_MATH1(log) PREDABS_MATH1(log2) PREDABS_MATH1(log10) PREDABS_MATH1(log1p)
PREDABS_MATH1(sqrt) PREDABS_MATH1(cbrt) PREDABS_MATH1(fabs) PREDABS_MATH1(ceil)
PREDABS_MATH1(floor) PREDABS_MATH1(trunc) PREDABS_MATH1(round) PREDABS_MATH1(rint)
PREDABS_MATH1(nearbyint)
PREDABS_MATH2(atan2) PREDABS_MATH2(pow) PREDABS_MATH2(hypot) PREDABS_MATH2(fmod)
PREDABS_MATH2(remainder) PREDABS_MATH2(copysign) PREDABS_MATH2(nextafter)
PREDABS_MATH2(fdim) PREDABS_MATH2(fmax) PREDABS_MATH2(fmin)
#undef PREDABS_MATH1
#undef PREDABS_MATH2
double frexp(double, int *);
double ldexp(double, int);
double modf(double, double *);
double fma(double, double, double);
long lround(double);
long long llround(double);
#endif
