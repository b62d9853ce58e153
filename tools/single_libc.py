"""Declarations of the C library for single headers, used by tools/amalgamate. With FACET_NO_LIBC,
single headers include only the compiler's headers, and declare the functions that they call."""

import re

# Every compiler has these headers, with or without a C library.
COMPILERS = {"<float.h>", "<limits.h>", "<stdarg.h>", "<stdbool.h>", "<stddef.h>", "<stdint.h>"}
FUNCTIONS = [
    "void *memchr(const void *bytes, int byte, size_t size)",
    "int memcmp(const void *a, const void *b, size_t size)",
    "void *memcpy(void *to, const void *from, size_t size)",
    "void *memmove(void *to, const void *from, size_t size)",
    "void *memset(void *to, int byte, size_t size)",
    "size_t strlen(const char *text)",
    "int strcmp(const char *a, const char *b)",
    "int strncmp(const char *a, const char *b, size_t size)",
    "int strcasecmp(const char *a, const char *b)",
    "int strncasecmp(const char *a, const char *b, size_t size)",
    "char *strchr(const char *text, int character)",
    "char *strrchr(const char *text, int character)",
    "char *strstr(const char *text, const char *part)",
    "size_t strcspn(const char *text, const char *characters)",
    "size_t strspn(const char *text, const char *characters)",
    "int vsnprintf(char *to, size_t size, const char *format, va_list arguments)",
    "int snprintf(char *to, size_t size, const char *format, ...)",
    "void *malloc(size_t size)",
    "void *calloc(size_t count, size_t size)",
    "void *realloc(void *block, size_t size)",
    "void free(void *block)",
    "void qsort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *))",
    "void *bsearch(const void *key, const void *items, size_t count, size_t size,\n"
    "              int (*compare)(const void *, const void *))",
    "unsigned long strtoul(const char *text, char **end, int base)",
    "int isdigit(int character)",
    "int tolower(int character)",
    *(f"double {name}(double x)" for name in ("acos", "ceil", "cos", "exp", "fabs", "floor", "log", "round", "sin", "sqrt", "trunc")),
    *(f"float {name}(float x)" for name in ("acosf", "cosf", "fabsf", "floorf", "roundf", "sinf", "sqrtf")),
    "double atan2(double y, double x)",
    "double pow(double x, double y)",
    "float powf(float x, float y)",
    "float atan2f(float y, float x)",
    "double fmax(double a, double b)",
    "float fmaxf(float a, float b)",
    "float fminf(float a, float b)",
    "double fmod(double x, double y)",
    "double ldexp(double x, int exponent)",
    "float ldexpf(float x, int exponent)",
]
# Macros of <math.h> and <assert.h>, with their arguments and replacements.
MACROS = [
    ("isfinite", "(x)", "((x) - (x) == 0)"),
    ("isinf", "(x)", "((x) == (x) && (x) - (x) != 0)"),
    ("isnan", "(x)", "((x) != (x))"),
    ("signbit", "(x)", "((x) < 0 || ((x) == 0 && 1 / (x) < 0))"),
    ("assert", "(x)", "((void)0)"),
]
CONSTANTS = """\
#ifndef INFINITY
#ifdef __GNUC__
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#else
#define INFINITY ((float)(1e300 * 1e300))
#define NAN (INFINITY - INFINITY)
#endif
#define HUGE_VALF INFINITY
#endif"""
# In tcc, those of a C library are calls, which cannot initialize data.
TCC_CONSTANTS = """\
#ifdef __TINYC__
#undef INFINITY
#undef HUGE_VALF
#define INFINITY ((float)(1e300 * 1e300))
#define HUGE_VALF INFINITY
#endif"""
# Macros of <inttypes.h>. On 64-bit systems, 64-bit integers are long, except on Windows and Apple's.
FORMATS = [f'#ifndef PRI{kind}32\n#define PRI{kind}32 "{kind}"\n#endif' for kind in "duX"] + \
    ["#ifndef PRIu64\n#if defined(__LP64__) && !defined(__APPLE__)\n"
     '#define PRId64 "ld"\n#define PRIu64 "lu"\n#define PRIX64 "lX"\n#else\n'
     '#define PRId64 "lld"\n#define PRIu64 "llu"\n#define PRIX64 "llX"\n#endif\n#endif']


def includes_of(includes, text):
    """Lines that include headers, or declare the functions and macros that the text uses."""
    own = sorted(each for each in set(includes) if each in COMPILERS)
    library = sorted(each for each in set(includes) - COMPILERS)
    if not library:
        return [f"#include {each}" for each in own]
    declared = []
    for function in FUNCTIONS:
        name = re.search(r"(\w+)\(", function)[1]
        if re.search(rf"\b{name}\(", text):
            declared += [f"#ifndef {name}", f"{function};", "#endif"]
    for name, arguments, meaning in MACROS:
        if re.search(rf"\b{name}\(", text):
            declared += [f"#ifndef {name}", f"#define {name}{arguments} {meaning}", "#endif"]
    constants = re.search(r"\b(INFINITY|NAN|HUGE_VALF)\b", text)
    declared += CONSTANTS.split("\n") if constants else []
    formats = "\n".join(FORMATS).split("\n") if "<inttypes.h>" in library else []
    return [*(f"#include {each}" for each in own),
            "/* Without a C library: each of these is a macro, or a function of the program's. */",
            "#ifdef FACET_NO_LIBC", "#ifdef __cplusplus", 'extern "C" {', "#endif", *declared,
            "#ifdef __cplusplus", "}", "#endif", *formats, "#else",
            *(f"#include {each}" for each in library), "#endif",
            *(TCC_CONSTANTS.split("\n") if constants else [])]
