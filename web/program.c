/* program.c - the program facet as a WebAssembly module calls it: its main again and
 * again, and opening files, which Emscripten's C library leaves out of modules without
 * its JavaScript. */
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>

int main(int count, char **words);

/* How far a step is, 0 to 1; 0 to cancel. */
__attribute__((import_module("env"), import_name("facet_progress"))) int
host_progress(const char *step, double fraction);

static bool watch(void *user, const char *step, double fraction)
{
    (void)user;
    return host_progress(step, fraction) != 0;
}

/* The program: an exit status. It may be called any number of times. */
int facet_program(int count, char **words);
int facet_program(int count, char **words)
{
    cli_watch(watch);
    return main(count, words);
}

/* A descriptor, or an error number below 0. */
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
