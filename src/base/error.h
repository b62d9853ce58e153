/* base/error.h - creation of errors. Every failure of the library passes through facet_fail_v: a
 * breakpoint there stops at all of them. */
#ifndef FACET_BASE_ERROR_H
#define FACET_BASE_ERROR_H

#include "base/text.h"

#include <facet/base.h>
#include <stdarg.h>

/* Return the status of a failed call from the function. */
#define TRY(call)                    \
    do {                             \
        facet_status tried = (call); \
        if (tried)                   \
            return tried;            \
    } while (0)

/* Fill *error (if not NULL) and return `status`. rule may be NULL. */
facet_status facet_fail_v(facet_error *error, facet_status status, const char *rule,
                          uint64_t offset, uint64_t line, const char *format, va_list arguments);

/* Report an error at a byte offset (or FACET_NO_OFFSET). */
facet_status facet_fail(facet_error *error, facet_status status, const char *rule, uint64_t offset,
                        const char *format, ...) FACET_PRINTF(5, 6);
/* Report an error at a line of a text file. */
facet_status facet_fail_line(facet_error *error, facet_status status, const char *rule,
                             uint64_t line, const char *format, ...) FACET_PRINTF(5, 6);
/* Report that an allocation of `size` bytes without an arena failed. For arenas, use
 * facet_fail_arena of base/arena.h, which distinguishes a limit from a failed allocator. */
facet_status facet_fail_memory(facet_error *error, size_t size);
/* Report that `size` bytes exceed the rest of facet_options.memory_limit. */
facet_status facet_fail_limit(facet_error *error, size_t size, size_t limit);
/* True if the status is from a failed allocation, for any cause. */
bool facet_lacks_memory(facet_status status);
/* Set the file of an error, unless it already has one (a sibling). Either may be NULL. */
void facet_error_set_file(facet_error *error, const char *file);
/* Report that a system call failed with errno `code` on `path`: "cannot open 'a.obj': ...". Without
 * a path, pass "". */
facet_status facet_fail_system(facet_error *error, int code, const char *verb, const char *path);

/* Report that this build lacks a library. `thing` is the subject ("collision hulls need"),
 * `library` is what it needs, and `build_switch` is the build option that adds it. */
facet_status facet_fail_absent(facet_error *error, const char *thing, const char *library,
                               const char *build_switch);

/* FACET_ERROR_ARGUMENT if the struct_size of the caller's struct `name` is neither 0 nor `size`,
 * the library's own: the caller was compiled for another release. When a struct grows, its entry
 * points copy the members that an older caller has. */
facet_status facet_check_struct_size(uint32_t struct_size, size_t size, const char *name,
                                     facet_error *error);
/* Check a struct of that type, which may be NULL. */
#define FACET_CHECK_STRUCT(options, type, error)                                             \
    ((options) ? facet_check_struct_size((options)->struct_size, sizeof(type), #type, error) \
               : FACET_OK)
/* Check the general options, which may be NULL. */
facet_status facet_check_options(const facet_options *options, facet_error *error);

/* Call the progress callback. FACET_ERROR_CANCELED if it returns false. options may be NULL. */
facet_status facet_step(const facet_options *options, const char *step, double fraction,
                        facet_error *error);
/* Like facet_step, at `done` of `count`, for a step whose fractions are range[0] to range[1]. */
facet_status facet_step_within(const facet_options *options, const char *step,
                               const double range[2], uint64_t done, uint64_t count,
                               facet_error *error);

/* Progress of a part of a job that is not a separate step. */
typedef struct facet_stretch {
    const facet_options *options;
    const char *step;
    double range[2];
} facet_stretch;

#endif
