/* base/error.h - raising errors. Every failure of the library passes through
 * facet_fail_v: a breakpoint there stops at any of them. */
#ifndef FACET_BASE_ERROR_H
#define FACET_BASE_ERROR_H

#include "base/text.h"

#include <facet/base.h>
#include <stdarg.h>

/* Leave the function with the status of a call that failed. */
#define TRY(call)                    \
    do {                             \
        facet_status tried = (call); \
        if (tried)                   \
            return tried;            \
    } while (0)

/* Fill *error (if not NULL) and return `status`. rule may be NULL. */
facet_status facet_fail_v(facet_error *error, facet_status status, const char *rule,
                          uint64_t offset, uint64_t line, const char *format, va_list arguments);

/* A fault at a byte offset (or FACET_NO_OFFSET). */
facet_status facet_fail(facet_error *error, facet_status status, const char *rule, uint64_t offset,
                        const char *format, ...) FACET_PRINTF(5, 6);
/* A fault at a line of a text file. */
facet_status facet_fail_line(facet_error *error, facet_status status, const char *rule,
                             uint64_t line, const char *format, ...) FACET_PRINTF(5, 6);
/* An allocation of `size` bytes that no arena made failed. For those of arenas there is
 * facet_fail_arena of base/arena.h, which knows whether a limit refused it. */
facet_status facet_fail_memory(facet_error *error, size_t size);
/* `size` bytes are more than facet_options.memory_limit leaves. */
facet_status facet_fail_limit(facet_error *error, size_t size, size_t limit);
/* Is this the status of a failed allocation, whatever refused it? */
bool facet_lacks_memory(facet_status status);
/* The file that an error is in, unless a side file is said already. Either may be NULL. */
void facet_error_set_file(facet_error *error, const char *file);
/* A system call failed with errno `code` on `path`: "cannot open 'a.obj': ...".
 * What has no path is "". */
facet_status facet_fail_system(facet_error *error, int code, const char *verb, const char *path);

/* This build lacks what `thing` ("collision hulls need") takes: `library`, which the
 * switch of that name in the build brings. */
facet_status facet_fail_absent(facet_error *error, const char *thing, const char *library,
                               const char *build_switch);

/* FACET_ERROR_ARGUMENT when the struct_size that a caller gave its `name` is
 * neither 0 nor `size`, the library's own: it was compiled for another release.
 * When a struct grows, its entry points copy what an older caller has of it. */
facet_status facet_check_struct_size(uint32_t struct_size, size_t size, const char *name,
                                     facet_error *error);
/* The same for a struct of that type, which may be NULL. */
#define FACET_CHECK_STRUCT(options, type, error)                                             \
    ((options) ? facet_check_struct_size((options)->struct_size, sizeof(type), #type, error) \
               : FACET_OK)
/* The same for the general options, which may be NULL. */
facet_status facet_check_options(const facet_options *options, facet_error *error);

/* Ask the caller's progress callback; FACET_ERROR_CANCELED when it says stop.
 * options may be NULL. */
facet_status facet_step(const facet_options *options, const char *step, double fraction,
                        facet_error *error);
/* The same where `done` of `count` is done of what goes from fraction range[0] to range[1]. */
facet_status facet_step_within(const facet_options *options, const char *step,
                               const double range[2], uint64_t done, uint64_t count,
                               facet_error *error);

/* A part of a job, for what has no step of its own. */
typedef struct facet_stretch {
    const facet_options *options;
    const char *step;
    double range[2];
} facet_stretch;

#endif
