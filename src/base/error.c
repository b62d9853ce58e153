/* base/error.c - status names, errors, and progress callbacks. */
#include "base/error.h"
#include "base/system.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define FACET_STRING_(x) #x
#define FACET_STRING(x) FACET_STRING_(x)

/* "+" and the commit that a release was built from. */
#ifndef FACET_COMMIT
#define FACET_COMMIT ""
#endif

const char *facet_version(void)
{
    return FACET_STRING(FACET_VERSION_MAJOR) "." FACET_STRING(FACET_VERSION_MINOR) "." FACET_STRING(
        FACET_VERSION_PATCH) FACET_COMMIT;
}

const char *facet_status_name(facet_status status)
{
    switch (status) {
    case FACET_OK:
        return "done";
    case FACET_ERROR_ARGUMENT:
        return "wrong call";
    case FACET_ERROR_UNSUPPORTED:
        return "not supported";
    case FACET_ERROR_MALFORMED:
        return "malformed input";
    case FACET_ERROR_LOSS:
        return "would lose";
    case FACET_ERROR_LIMIT:
        return "limit exceeded";
    case FACET_ERROR_MEMORY_LIMIT:
        return "memory limit reached";
    case FACET_ERROR_MEMORY:
        return "out of memory";
    case FACET_ERROR_IO:
        return "system error";
    case FACET_ERROR_CANCELED:
        return "canceled";
    }
    return "unknown status";
}

/* -- Errors ------------------------------------------------------------- */

facet_status facet_fail_v(facet_error *error, facet_status status, const char *rule,
                          uint64_t offset, uint64_t line, const char *format, va_list arguments)
{
    if (error) {
        memset(error, 0, sizeof *error);
        error->status = status;
        error->offset = offset;
        error->line = line;
        snprintf(error->rule, sizeof error->rule, "%s", rule ? rule : "");
        vsnprintf(error->message, sizeof error->message, format, arguments);
    }
    return status;
}

facet_status facet_fail(facet_error *error, facet_status status, const char *rule, uint64_t offset,
                        const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    facet_fail_v(error, status, rule, offset, 0, format, arguments);
    va_end(arguments);
    return status;
}

facet_status facet_fail_line(facet_error *error, facet_status status, const char *rule,
                             uint64_t line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    facet_fail_v(error, status, rule, FACET_NO_OFFSET, line, format, arguments);
    va_end(arguments);
    return status;
}

bool facet_lacks_memory(facet_status status)
{
    return status == FACET_ERROR_MEMORY || status == FACET_ERROR_MEMORY_LIMIT;
}

facet_status facet_fail_memory(facet_error *error, size_t size)
{
    if (size == 0) /* the size is unknown */
        return facet_fail(error, FACET_ERROR_MEMORY, NULL, FACET_NO_OFFSET,
                          "memory could not be allocated");
    return facet_fail(error, FACET_ERROR_MEMORY, NULL, FACET_NO_OFFSET,
                      "%zu bytes of memory could not be allocated", size);
}

facet_status facet_fail_limit(facet_error *error, size_t size, size_t limit)
{
    return facet_fail(error, FACET_ERROR_MEMORY_LIMIT, "MEMORY-LIMIT", FACET_NO_OFFSET,
                      "%zu bytes of memory exceed what the limit of %zu leaves", size, limit);
}

void facet_error_set_file(facet_error *error, const char *file)
{
    if (error && !*error->file && file)
        snprintf(error->file, sizeof error->file, "%s", file);
}

facet_status facet_fail_system(facet_error *error, int code, const char *verb, const char *path)
{
    facet_quoted quoted;
    char reason[128];
    facet_system_reason(code, reason, sizeof reason);
    /* If one file cannot be read, the file is the cause, unless no file can be opened. */
    bool reads = strcmp(verb, "read") == 0 || strcmp(verb, "open") == 0;
    const char *rule =
        facet_system_is_at_fault(code) && (!reads || code == EMFILE || code == ENFILE)
            ? "SYSTEM-FAULT"
            : NULL;
    if (*path)
        facet_fail(error, FACET_ERROR_IO, rule, FACET_NO_OFFSET, "cannot %s '%s': %s", verb,
                   facet_quote(&quoted, path, strlen(path)), reason);
    else
        facet_fail(error, FACET_ERROR_IO, rule, FACET_NO_OFFSET, "cannot %s: %s", verb, reason);
    facet_error_set_file(error, path);
    return FACET_ERROR_IO;
}

/* -- Progress ----------------------------------------------------------- */

facet_status facet_fail_absent(facet_error *error, const char *thing, const char *library,
                               const char *build_switch)
{
    return facet_fail(error, FACET_ERROR_UNSUPPORTED, "FORMAT-ABSENT", FACET_NO_OFFSET,
                      "%s %s, which this build does not include; build with %s=ON", thing, library,
                      build_switch);
}

facet_status facet_check_struct_size(uint32_t struct_size, size_t size, const char *name,
                                     facet_error *error)
{
    if (struct_size == 0 || struct_size == size)
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_ARGUMENT, "STRUCT-SIZE", FACET_NO_OFFSET,
                      "%s has struct_size %u, expected 0 or %zu: it is that of %s release", name,
                      struct_size, size, struct_size > size ? "a newer" : "no");
}

facet_status facet_check_options(const facet_options *options, facet_error *error)
{
    return options ? facet_check_struct_size(options->struct_size, sizeof *options, "facet_options",
                                             error)
                   : FACET_OK;
}

facet_status facet_step(const facet_options *options, const char *step, double fraction,
                        facet_error *error)
{
    if (!options || !options->progress || options->progress(options->progress_user, step, fraction))
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_CANCELED, NULL, FACET_NO_OFFSET, "canceled during %s",
                      step);
}

facet_status facet_step_within(const facet_options *options, const char *step,
                               const double range[2], uint64_t done, uint64_t count,
                               facet_error *error)
{
    double share = count > 0 ? (double)done / (double)count : 1;
    return facet_step(options, step, range[0] + (range[1] - range[0]) * share, error);
}
