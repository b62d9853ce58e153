/* archive/archive.c - archives of any kind: read them, open their files, write them. */
#include "archive/archive.h"
#include "base/arena.h"
#include "base/budget.h"
#include "base/error.h"

#include <string.h>

/* -- Reading ------------------------------------------------------------ */

static facet_status read_tar(facet_archive *archive, facet_error *error)
{
    archive->kind = FACET_ARCHIVE_TAR;
    return facet_tar_read(archive, error);
}

static facet_status read_members(facet_archive *archive, facet_error *error)
{
    const uint8_t *data = archive->bytes;
    if (facet_rarc_begins(data, archive->size)) {
        archive->kind = FACET_ARCHIVE_RARC;
        return facet_rarc_read(archive, error);
    }
    if (facet_u8_begins(data, archive->size)) {
        archive->kind = FACET_ARCHIVE_U8;
        return facet_u8_read(archive, error);
    }
    if (facet_zip_begins(data, archive->size)) {
        archive->kind = FACET_ARCHIVE_ZIP;
        return facet_zip_read(archive, error);
    }
    if (facet_tar_begins(data, archive->size))
        return read_tar(archive, error);
    return facet_fail(error, FACET_ERROR_UNSUPPORTED, "FORMAT-UNKNOWN", 0,
                      "unknown archive format, expected RARC, U8, ZIP or tar");
}

/* Members of RARC and U8 can share a long name. */
static facet_status check_names(const facet_archive *archive, const facet_options *options,
                                facet_error *error)
{
    facet_budget budget = facet_budget_of(options, archive->size, FACET_BUDGET_FILES);
    for (uint32_t i = 0; i < archive->member_count; i++)
        TRY(facet_budget_spend(&budget, strlen(archive->members[i].name), "names of files", error));
    return FACET_OK;
}

static facet_status read_as(const facet_source *source, const facet_options *options,
                            facet_status (*read)(facet_archive *, facet_error *),
                            facet_archive **archive, facet_error *error)
{
    facet_archive *made = NULL;
    facet_status status = facet_archive_create(FACET_ARCHIVE_RARC, "", options, &made, error);
    if (status)
        return status;
    made->bytes = source->data;
    made->size = source->size;
    made->rearranged = false;
    status = read(made, error);
    if (!status)
        status = check_names(made, options, error);
    if (!status && !facet_archive_sort_names(made))
        status = facet_fail_arena(made->arena, error);
    if (status)
        facet_archive_free(made);
    else
        *archive = made;
    return status;
}

facet_status facet_archive_read(const facet_source *source, const facet_options *options,
                                facet_archive **archive, facet_error *error)
{
    TRY(read_as(source, options, read_members, archive, error));
    if ((*archive)->kind == FACET_ARCHIVE_TAR && options && options->report)
        facet_tar_check(*archive, options->report);
    return FACET_OK;
}

facet_status facet_tar_read_source(const facet_source *source, facet_archive **archive,
                                   facet_error *error)
{
    TRY(read_as(source, NULL, read_tar, archive, error));
    (*archive)->is_piece = true;
    return FACET_OK;
}

void facet_archive_free(facet_archive *archive)
{
    if (!archive)
        return;
    facet_zip_close(archive);
    facet_arena_free(archive->arena);
}

/* -- Files -------------------------------------------------------------- */

static facet_status get_into(const facet_archive *archive, uint32_t member, facet_arena *arena,
                             const uint8_t **data, size_t *size, facet_error *error)
{
    if (member >= archive->member_count || facet_archive_is_folder(&archive->members[member]))
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "member %u is not a file", (unsigned)member);
    *data = archive->members[member].data;
    *size = archive->members[member].size;
    if (archive->kind == FACET_ARCHIVE_ZIP && !archive->members[member].replaced)
        return facet_zip_get(archive, member, arena, data, error);
    return FACET_OK;
}

facet_status facet_archive_get(const facet_archive *archive, uint32_t member, const uint8_t **data,
                               size_t *size, facet_error *error)
{
    const uint8_t *found = NULL;
    size_t length = 0;
    TRY(get_into(archive, member, archive->arena, &found, &length, error));
    *data = found;
    *size = length;
    return FACET_OK;
}

/* Data of a member's source. */
typedef struct opened {
    facet_arena *arena; /* owns this struct */
    const facet_archive *archive;
    uint32_t member;
    const char *prefix;
    facet_options options; /* for siblings */
} opened;

static void close_member(facet_source *source)
{
    facet_arena_free(((opened *)source->user)->arena);
}

static facet_status open_beside(const facet_source *source, const char *name, facet_source *sibling,
                                facet_error *error)
{
    const opened *o = source->user;
    uint32_t folder = o->archive->members[o->member].folder;
    uint32_t found = name[0] == '/' ? FACET_NONE : facet_archive_find(o->archive, folder, name);
    if (found == FACET_NONE || facet_archive_is_folder(&o->archive->members[found]))
        return FACET_ERROR_IO;
    return facet_archive_open(o->archive, found, o->prefix, &o->options, sibling, error);
}

/* The name, for example "PREFIX/bdl/cl.bdl". */
static const char *name_of(const opened *o)
{
    size_t prefix = o->prefix ? strlen(o->prefix) + 1 : 0;
    size_t length = facet_archive_path(o->archive, o->member, NULL, 0) + 1;
    char *name = facet_arena_allocate(o->arena, prefix + length, 1);
    if (!name)
        return NULL;
    if (prefix > 0) {
        memcpy(name, o->prefix, prefix - 1);
        name[prefix - 1] = '/';
    }
    facet_archive_path(o->archive, o->member, name + prefix, length);
    return name;
}

facet_status facet_archive_open_member(const facet_archive *archive, uint32_t member,
                                       const char *prefix, bool stored,
                                       const facet_options *options, facet_source *source,
                                       facet_error *error)
{
    facet_arena *arena = NULL;
    facet_source made = {.open_sibling = open_beside, .close = close_member};
    facet_status status = facet_check_options(options, error);
    if (!status)
        status = facet_arena_create(options, &arena, error);
    if (status)
        return status;
    opened *o = facet_arena_allocate_zeroed(arena, 1, sizeof *o);
    if (o) {
        *o = (opened){arena, archive, member, NULL, {0}};
        o->options.allocator = options ? options->allocator : NULL;
        o->options.memory_limit = options ? options->memory_limit : 0;
        o->prefix = prefix ? facet_arena_string(arena, prefix, strlen(prefix)) : NULL;
        made.user = o;
        status = get_into(archive, member, arena, &made.data, &made.size, error);
        if (!status && !stored)
            status = facet_decompress_into(arena, options, &made.data, &made.size, error);
        if (!status)
            made.name = name_of(o);
    }
    if (!status && (!o || (prefix && !o->prefix) || !made.name))
        status = facet_fail_arena(arena, error);
    if (status)
        facet_arena_free(arena);
    else
        *source = made;
    return status;
}

void facet_archive_check_origin(const facet_source *source, facet_report *report)
{
    const opened *o = source->open_sibling == open_beside ? source->user : NULL;
    if (o && o->archive->kind == FACET_ARCHIVE_TAR && !o->archive->is_piece)
        facet_tar_check(o->archive, report);
}

facet_status facet_archive_open(const facet_archive *archive, uint32_t member, const char *prefix,
                                const facet_options *options, facet_source *source,
                                facet_error *error)
{
    return facet_archive_open_member(archive, member, prefix, false, options, source, error);
}

/* -- Writing ------------------------------------------------------------ */

facet_status facet_archive_write(const facet_archive *archive, const facet_options *options,
                                 facet_output *output, facet_error *error)
{
    TRY(facet_check_options(options, error));
    TRY(facet_archive_check_order(archive, error));
    if (archive->kind == FACET_ARCHIVE_RARC)
        return facet_rarc_write(archive, options, output, error);
    if (archive->kind == FACET_ARCHIVE_U8)
        return facet_u8_write(archive, options, output, error);
    return facet_fail(error, FACET_ERROR_UNSUPPORTED, "FORMAT-DIRECTION", FACET_NO_OFFSET,
                      "%s archives are read, not written",
                      archive->kind == FACET_ARCHIVE_TAR ? "tar" : "ZIP");
}
