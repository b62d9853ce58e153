/* formats/bpx/glsl.c - checks of GLSL sources with glslang. */
#include "formats/bpx/glsl.h"
#include "base/atomic.h"
#include "base/error.h"
#include "formats/bpx/bpx.h"

#include <stdlib.h>
#include <string.h>

/* Skip white space and comments: nothing else can precede the version. */
static const char *skip_comments(const char *at)
{
    for (;;) {
        at += strspn(at, " \t\r\n\f\v");
        if (at[0] == '/' && at[1] == '/') {
            at += strcspn(at, "\n");
        } else if (at[0] == '/' && at[1] == '*') {
            const char *end = strstr(at + 2, "*/");
            if (!end)
                return at;
            at = end + 2;
        } else {
            return at;
        }
    }
}

/* Version of the source: 33 for "#version 330 core", 0 if missing. */
static uint32_t version_of(const char *source, bool *is_es)
{
    const char *at = skip_comments(source);
    *is_es = false;
    if (*at++ != '#')
        return 0;
    at += strspn(at, " \t");
    if (strncmp(at, "version", 7) != 0)
        return 0;
    char *end;
    unsigned long number = strtoul(at + 7, &end, 10);
    end += strspn(end, " \t");
    *is_es = number == 100 || strncmp(end, "es", 2) == 0;
    return number >= 100 && number < 1000 ? (uint32_t)(number / 10) : 0;
}

#ifdef FACET_HAVE_GLSLANG
#include "base/module.h"
#include "formats/bpx/glsl_calls.h"

#include <pthread.h>

#ifdef FACET_MODULES
static facet_module module = {"glslang", "checked shaders", NULL};
#else
extern const facet_glsl_calls facet_glslang_table;
static facet_module module = {"glslang", "", &facet_glslang_table};
#endif

/* Initializes glslang once. Its state is global, and two threads must not set it up at the same
 * time. It stays until the end: glslang counts its users, so others in the process are not
 * affected. After an out-of-memory error, the state can be incomplete or locked, so glslang is not
 * called again. */
static pthread_once_t glslang_once = PTHREAD_ONCE_INIT;
static atomic_bool glslang_ready;

static const facet_glsl_calls *glslang(void)
{
    return facet_module_table(&module);
}

static void prepare_glslang(void)
{
    atomic_store(&glslang_ready, glslang()->prepare() == FACET_GLSL_OK);
}

/* OpenGL 3.0 to 3.2 have GLSL 1.30 to 1.50. */
static uint32_t api_version(uint32_t glsl)
{
    return glsl >= 13 && glsl <= 15 ? glsl + 17 : glsl;
}

/* Report the first error of a log: "ERROR: 0:12: 'x' : undeclared identifier" gives the line and
 * the message. Then the number of further errors, without the summary line. */
static void report_log(const char *log, void *user)
{
    facet_error *error = user;
    const char *at = strstr(log, "ERROR: ");
    unsigned more = 0;
    uint64_t line = 0;
    for (const char *next = at ? strstr(at + 7, "ERROR: ") : NULL; next;
         next = strstr(next + 7, "ERROR: "))
        more += strstr(next, "compilation errors") != next + 7 + strspn(next + 7, "0123456789 ");
    if (at) {
        at += 7;
        const char *colon = strchr(at, ':');
        if (colon && at[0] >= '0' && at[0] <= '9') {
            char *end;
            line = strtoul(colon + 1, &end, 10);
            at = *end == ':' ? end + 1 : end;
        }
    } else {
        at = log;
    }
    at += strspn(at, " ");
    int length = (int)strcspn(at, "\n");
    while (length > 0 && at[length - 1] == ' ')
        length--;
    if (more > 0)
        facet_fail_line(error, FACET_ERROR_MALFORMED, "GLSL-SOURCE", line,
                        "%.*s (and %u more error%s)", length < 300 ? length : 300, at, more,
                        more > 1 ? "s" : "");
    else
        facet_fail_line(error, FACET_ERROR_MALFORMED, "GLSL-SOURCE", line, "%.*s", length, at);
}

static facet_status check_source(const char *source, facet_glsl_stage stage, facet_error *error)
{
    facet_error said = {.status = FACET_ERROR_MALFORMED};
    switch (glslang()->check(source, stage, report_log, &said)) {
    case FACET_GLSL_OK:
        return FACET_OK;
    case FACET_GLSL_REFUSED:
        if (error)
            *error = said;
        return said.status;
    case FACET_GLSL_NO_MEMORY:
        break;
    }
    atomic_store(&glslang_ready, false);
    return facet_fail_memory(error, strlen(source));
}

facet_status facet_glsl_check(const facet_bpx_shader *shader, facet_glsl_stage stage,
                              uint32_t *version, facet_error *error)
{
    char *source = malloc(shader->size + 1);
    if (!source)
        return facet_fail_memory(error, shader->size + 1);
    memcpy(source, shader->data, shader->size);
    source[shader->size] = '\0';
    facet_status status;
    bool is_es;
    uint32_t found = version_of(source, &is_es);
    if (found == 0)
        status = facet_fail_line(error, FACET_ERROR_MALFORMED, "GLSL-SOURCE", 1,
                                 "the source does not begin with a #version");
    else if (is_es)
        status = facet_fail_line(error, FACET_ERROR_MALFORMED, "GLSL-SOURCE", 1,
                                 "the source is for OpenGL ES, expected OpenGL");
    else if ((status = facet_module_open(&module, error)) != FACET_OK)
        (void)0; /* the report has the reason */
    else if (pthread_once(&glslang_once, prepare_glslang) != 0 || !atomic_load(&glslang_ready))
        status = facet_fail_memory(error, 0);
    else
        status = check_source(source, stage, error);
    free(source);
    if (!status)
        *version = api_version(found);
    return status;
}
#else
facet_status facet_glsl_check(const facet_bpx_shader *shader, facet_glsl_stage stage,
                              uint32_t *version, facet_error *error)
{
    (void)shader, (void)stage, (void)version, (void)version_of;
    return facet_fail(error, FACET_ERROR_UNSUPPORTED, "GLSL-SOURCE", FACET_NO_OFFSET,
                      "this library was built without glslang: the source is not checked");
}
#endif
