/* program.c - the program facet as functions of a WebAssembly module: main, which can be called
 * repeatedly, and opening files, which Emscripten's C library lacks in modules without its
 * JavaScript. */
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>

int main(int count, char **words);

/* Report the finished part of a step, 0 to 1. Returns 0 to cancel. */
__attribute__((import_module("env"), import_name("facet_progress"))) int
host_progress(const char *step, double fraction);

static bool watch(void *user, const char *step, double fraction)
{
    (void)user;
    return host_progress(step, fraction) != 0;
}

/* Run the program and return its exit status. May be called any number of times. */
int facet_program(int count, char **words);
int facet_program(int count, char **words)
{
    cli_watch(watch);
    return main(count, words);
}

/* Returns a descriptor, or a negative error number. */
__attribute__((import_module("env"), import_name("__syscall_openat"))) int
host_openat(int directory, const char *path, int flags, int mode);

enum { WORKING_FOLDER = -100 };

int __syscall_open(intptr_t path, int flags, ...);
int __syscall_open(intptr_t path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    int mode = va_arg(rest, int);
    va_end(rest);
    return host_openat(WORKING_FOLDER, (const char *)path, flags, mode);
}
