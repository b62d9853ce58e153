/* convert/repair.c - repair of models in archives, member by member. */
#include "convert/repair.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "scene/format.h"

#include <stdio.h>
#include <string.h>

typedef struct repairing {
    const facet_options *options;
    facet_archive *archive;
    const char *prefix; /* prefix of paths in messages: "", or the path of the enclosing archives */
    unsigned depth;
    facet_error *error;
} repairing;

static facet_status repair_archive(const facet_source *source, const char *prefix, unsigned depth,
                                   const facet_options *options, facet_output *output,
                                   facet_error *error);

/* Report the findings of a member with its path; no notes for an unchanged member. */
static void pass_on(const repairing *r, const char *path, const facet_report *found,
                    bool is_changed)
{
    for (size_t i = 0; i < facet_report_count(found); i++) {
        const facet_finding *finding = facet_report_get(found, i);
        if (!is_changed && finding->severity == FACET_SEVERITY_NOTE)
            continue;
        facet_report_add(r->options->report, finding->rule, finding->severity, finding->offset,
                         "%s: %s", path, finding->message);
    }
}

/* Report a member that is not changed, although it may be or contain a model. */
static void keep_unread(const repairing *r, const char *path, const char *why)
{
    facet_report_add(r->options->report, "J3D-UNREPAIRED", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                     "%s: not repaired: %s", path, why);
}

/* Store the bytes of an output as a member, in the memory of the archive. */
static facet_status store(repairing *r, uint32_t member, facet_output *made)
{
    const uint8_t *old;
    size_t old_size, size = (size_t)facet_output_size(made);
    facet_output *packed = NULL;
    TRY(facet_archive_get(r->archive, member, &old, &old_size, r->error));
    facet_compression compression = facet_get_compression(old, old_size);
    facet_status status = FACET_OK;
    if (compression != FACET_COMPRESSION_NONE) {
        status = facet_output_open_memory(r->options->allocator, &packed, r->error);
        if (!status)
            status = facet_compress(facet_output_data(made), size, compression,
                                    FACET_COMPRESSION_OFFICIAL, 32, r->options, packed, r->error);
        if (!status)
            status = facet_output_commit(packed, r->error);
        made = packed;
        size = status ? 0 : (size_t)facet_output_size(made);
    }
    uint8_t *kept = status ? NULL : facet_arena_allocate(r->archive->arena, size, 1);
    if (!status && !kept)
        status = facet_fail_arena(r->archive->arena, r->error);
    if (!status && size > 0)
        memcpy(kept, facet_output_data(made), size);
    if (!status)
        status = facet_archive_replace(r->archive, member, kept, size, r->error);
    facet_output_free(packed);
    return status;
}

/* Copy the member with its format, or as an archive. *why is set if that fails. */
static facet_status make(const repairing *r, const facet_source *source, const char *path,
                         const facet_format *format, facet_report *found, facet_output *made,
                         facet_error *why)
{
    facet_options with = *r->options;
    if (format->folder)
        return repair_archive(source, path, r->depth + 1, &with, made, why);
    with.report = found;
    return format->copy(source, &with, made, why);
}

bool facet_repairs_copies(const facet_options *options)
{
    for (size_t i = 0; i < facet_format_count(); i++) {
        const facet_format *format = facet_format_get(i);
        if (format->repairs && format->repairs(options))
            return true;
    }
    return false;
}

static bool is_repaired(const repairing *r, const facet_format *format)
{
    if (!format)
        return false;
    return format->folder ? format->copy != NULL : format->repairs && format->repairs(r->options);
}

static bool differs(const facet_source *source, facet_output *made)
{
    return facet_output_size(made) != source->size ||
           memcmp(facet_output_data(made), source->data, source->size) != 0;
}

static bool is_fatal(facet_status status)
{
    return status == FACET_ERROR_MEMORY || status == FACET_ERROR_MEMORY_LIMIT ||
           status == FACET_ERROR_CANCELED;
}

static facet_status repair_source(repairing *r, uint32_t member, const facet_source *source,
                                  const char *path)
{
    const facet_format *format = facet_format_probe(source);
    facet_report *found = NULL;
    facet_output *made = NULL;
    facet_error why;
    if (!is_repaired(r, format))
        return FACET_OK;
    if (format->folder && r->depth + 1 >= FACET_ARCHIVE_MAX_NESTING) {
        keep_unread(r, path, "archives are in one another too often");
        return FACET_OK;
    }
    TRY(facet_output_open_memory(r->options->allocator, &made, r->error));
    facet_status status = facet_report_create(r->options->allocator, &found, r->error);
    if (!status) {
        status = make(r, source, path, format, found, made, &why);
        if (!status)
            status = facet_output_commit(made, &why);
        bool changed = !status && differs(source, made);
        if (status && !is_fatal(status))
            keep_unread(r, path, why.message);
        else if (status)
            *r->error = why;
        else
            pass_on(r, path, found, changed);
        if (changed)
            status = store(r, member, made);
        else if (!is_fatal(status))
            status = FACET_OK;
    }
    facet_report_free(found);
    facet_output_free(made);
    return status;
}

static facet_status repair_member(repairing *r, uint32_t member)
{
    char path[4096];
    facet_source source;
    facet_error why;
    size_t used = (size_t)snprintf(path, sizeof path, "%s%s", r->prefix, *r->prefix ? "/" : "");
    if (used >= sizeof path || facet_archive_path(r->archive, member, path + used,
                                                  sizeof path - used) >= sizeof path - used) {
        keep_unread(r, r->prefix, "the path of a member is too long");
        return FACET_OK;
    }
    facet_status status =
        facet_archive_open(r->archive, member, r->prefix, r->options, &source, &why);
    if (status && is_fatal(status)) {
        *r->error = why;
        return status;
    }
    if (status) { /* compressed, and damaged */
        keep_unread(r, path, why.message);
        return FACET_OK;
    }
    status = repair_source(r, member, &source, path);
    facet_source_close(&source);
    return status;
}

static facet_status repair_archive(const facet_source *source, const char *prefix, unsigned depth,
                                   const facet_options *options, facet_output *output,
                                   facet_error *error)
{
    repairing r = {options, NULL, prefix, depth, error};
    TRY(facet_archive_read(source, options, &r.archive, error));
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < r.archive->member_count && !status; i++) {
        if (!(r.archive->members[i].flags & FACET_ARCHIVE_FOLDER))
            status = repair_member(&r, i);
    }
    if (!status)
        status = facet_archive_write(r.archive, options, output, error);
    facet_archive_free(r.archive);
    return status;
}

facet_status facet_repair_archive(const facet_source *source, const facet_options *options,
                                  facet_output *output, facet_error *error)
{
    facet_options with = options ? *options : (facet_options){0};
    facet_error ignored;
    return repair_archive(source, "", 0, &with, output, error ? error : &ignored);
}
