/* convert/compare_siblings.c - comparison of the files that two files of equal bytes name: buffers,
 * material libraries and images. */
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/report.h"
#include "base/table.h"
#include "convert/compare.h"

#include <string.h>

/* -- Names -------------------------------------------------------------- */

/* The siblings that the reader of a source opens. */
typedef struct recorder {
    const facet_source *source;
    facet_names opened, missing;
    bool failed; /* out of memory */
} recorder;

static facet_status open_recorded(const facet_source *source, const char *name,
                                  facet_source *sibling, facet_error *error)
{
    recorder *r = source->user;
    facet_status status = facet_source_open_sibling(r->source, name, sibling, error);
    facet_names *names = status ? &r->missing : &r->opened;
    r->failed |= facet_names_put_copy(names, name, strlen(name)) == UINT32_MAX;
    return status;
}

/* Report an error if it stops the comparison: no memory left, or canceled. */
static facet_status pass_on(facet_status status, const facet_error *reason, facet_error *error)
{
    if (!facet_lacks_memory(status) && status != FACET_ERROR_CANCELED)
        return FACET_OK;
    if (error)
        *error = *reason;
    return status;
}

/* Record the names that the reader of a source opens, also if it rejects the source. */
static facet_status record_siblings(const facet_comparing *c, const facet_source *source,
                                    const facet_format *format, recorder *r, facet_error *error)
{
    facet_options quiet = *c->options;
    facet_source recorded = *source;
    facet_scene *scene = NULL;
    facet_error reason;
    quiet.report = NULL;
    recorded.open_sibling = open_recorded;
    recorded.close = NULL;
    recorded.user = r;
    facet_status status = facet_compare_load(&recorded, format, &quiet, &scene, &reason);
    if (!status)
        facet_scene_free(scene);
    return r->failed ? facet_fail_arena(c->arena, error) : pass_on(status, &reason, error);
}

/* True if the reader opened a shorter end of a missing path in its place, or if the path is itself
 * such an end. Readers try both for paths of other machines. */
static facet_status is_settled(const recorder *r, facet_names *ends, const char *path,
                               bool *settled, facet_error *error)
{
    *settled = facet_names_find(ends, path, strlen(path)) != UINT32_MAX;
    for (const char *at = path; *at; at++) {
        if (*at != '/')
            continue;
        *settled |= facet_names_find(&r->opened, at + 1, strlen(at + 1)) != UINT32_MAX;
        if (facet_names_put(ends, at + 1, strlen(at + 1)) == UINT32_MAX)
            return facet_fail_arena(ends->table.arena, error);
    }
    return FACET_OK;
}

/* -- Bytes -------------------------------------------------------------- */

/* Compare the bytes of one sibling of both sources. *absent: neither has it. */
static facet_status compare_sibling(const facet_comparing *c, const facet_source *a,
                                    const facet_source *b, const char *name, bool *same,
                                    bool *absent, facet_error *error)
{
    facet_source here = {0}, there = {0};
    facet_error reasons[2];
    facet_quoted quoted;
    facet_status status = facet_source_open_sibling(a, name, &here, &reasons[0]);
    facet_status second = facet_source_open_sibling(b, name, &there, &reasons[1]);
    facet_quote(&quoted, name, strlen(name));
    *absent = status && second;
    if (!status != !second) {
        *same = false;
        facet_report_add(c->report, "COMPARE-BYTES", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                         "only the %s file has '%.300s' next to it", status ? "second" : "first",
                         quoted.text);
    } else if (!status &&
               (here.size != there.size || memcmp(here.data, there.data, here.size) != 0)) {
        *same = false;
        facet_report_add(c->report, "COMPARE-BYTES", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                         "'%.300s' differs: %zu bytes, %zu next to the second file", quoted.text,
                         here.size, there.size);
    }
    facet_source_close(&there);
    facet_source_close(&here);
    TRY(pass_on(status, &reasons[0], error));
    return pass_on(second, &reasons[1], error);
}

facet_status facet_compare_siblings(const facet_comparing *c, const facet_source *a,
                                    const facet_source *b, const facet_format *format, bool *same,
                                    facet_error *error)
{
    recorder r = {a, facet_names_make(c->arena), facet_names_make(c->arena), false};
    facet_names ends = facet_names_make(c->arena);
    bool absent, settled;
    TRY(record_siblings(c, a, format, &r, error));
    *same = true;
    for (uint32_t i = 0; i < r.opened.count; i++)
        TRY(compare_sibling(c, a, b, r.opened.items[i].text, same, &absent, error));
    for (uint32_t i = 0; i < r.missing.count; i++) {
        const char *name = r.missing.items[i].text;
        facet_quoted quoted;
        TRY(compare_sibling(c, a, b, name, same, &absent, error));
        TRY(is_settled(&r, &ends, name, &settled, error));
        if (absent && !settled)
            facet_compare_add_absent(c, FACET_COMPARE_DOCUMENT, "COMPARE-UNREAD",
                                     "not compared: '%.300s', which both files name, cannot be "
                                     "opened",
                                     facet_quote(&quoted, name, strlen(name)));
    }
    return FACET_OK;
}
