/* mingw.h - the headers of mingw-w64 for a compiler that is neither GCC nor MSVC.

   They write attributes of MSVC after declarations, where clang does not accept them. Their
   infinity is a variable there, and their macros of <math.h> use extensions of GCC; MSVC's do not.
   They do not declare all functions of MSVC's <intrin.h>. */
#include <_mingw.h>
#undef __attribute__ /* which the compiler's own headers use */
#undef __MINGW_ATTRIB_NORETURN
#undef __MINGW_ATTRIB_MALLOC
#undef __MINGW_ATTRIB_DEPRECATED
#define __MINGW_ATTRIB_NORETURN
#define __MINGW_ATTRIB_MALLOC
#define __MINGW_ATTRIB_DEPRECATED
#include <math.h>
#undef INFINITY
#undef NAN
#undef HUGE_VAL
#undef HUGE_VALF
#define INFINITY ((float)(1e+300 * 1e+300))
#define NAN (-(float)(INFINITY * 0.0F))
#define HUGE_VAL ((double)INFINITY)
#define HUGE_VALF INFINITY
#undef isfinite
#undef isinf
#undef isnan
#undef isnormal
#undef signbit
int isfinite(double), isinf(double), isnan(double), isnormal(double), signbit(double);
__int64 _InterlockedExchangeAdd64(__int64 volatile *, __int64);
