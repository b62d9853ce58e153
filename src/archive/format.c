/* archive/format.c - lines of the format table for archives. */
#include "scene/format.h"
#include "archive/archive.h"
#include "archive/describe.h"
#include "base/arena.h"
#include "base/error.h"

/* -- Detection ---------------------------------------------------------- */

static int probe_rarc(const facet_source *source)
{
    return facet_rarc_begins(source->data, source->size) ? 100 : 0;
}

static int probe_u8(const facet_source *source)
{
    return facet_u8_begins(source->data, source->size) ? 100 : 0;
}

/* 3MF and other ZIP-based formats score the same: the file name decides. */
static int probe_zip(const facet_source *source)
{
    return facet_zip_begins(source->data, source->size) ? 90 : 0;
}

/* A tar begins with the name of its first member, which can look like the magic number of another
 * format. Its checksum proves it. */
static int probe_tar(const facet_source *source)
{
    return facet_tar_begins(source->data, source->size) ? 101 : 0;
}

/* -- Copies and members ------------------------------------------------- */

/* Copy the bytes unchanged after checking that they are an archive. Only the file's name and
 * compression can change. */
static facet_status copy(const facet_source *source, const facet_options *options,
                         facet_output *output, facet_error *error)
{
    facet_archive *archive = NULL;
    TRY(facet_archive_read(source, options, &archive, error));
    facet_archive_kind kind = archive->kind;
    facet_archive_free(archive);
    if (kind == FACET_ARCHIVE_ZIP || kind == FACET_ARCHIVE_TAR)
        return facet_fail(
            error, FACET_ERROR_UNSUPPORTED, "FORMAT-DIRECTION", FACET_NO_OFFSET,
            "a ZIP or tar cannot be converted to another archive; extract it and pack the folder");
    facet_output_write(output, source->data, source->size);
    return FACET_OK;
}

static facet_status put_member(const facet_archive *archive, uint32_t index, char *path,
                               const facet_options *options, const facet_extractor *extractor,
                               facet_error *error)
{
    const facet_archive_member *member = &archive->members[index];
    const uint8_t *data = member->data;
    facet_arena *arena = NULL; /* a member of a ZIP is freed after it is written */
    facet_status status = FACET_OK;
    if (!data) {
        status = facet_arena_create(options, &arena, error);
        if (!status)
            status = facet_zip_get(archive, index, arena, &data, error);
    }
    if (!status)
        status = extractor->put(extractor->user, path, data, member->size, error);
    facet_arena_free(arena);
    return status;
}

/* Extract files as they are stored. */
static facet_status extract(const facet_source *source, const facet_options *options,
                            const facet_extractor *extractor, facet_error *error)
{
    facet_archive *archive = NULL;
    TRY(facet_archive_read(source, options, &archive, error));
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < archive->member_count && !status; i++) {
        if (facet_archive_is_folder(&archive->members[i]))
            continue;
        facet_arena *arena = NULL;
        size_t length = facet_archive_path(archive, i, NULL, 0);
        status = facet_arena_create(options, &arena, error);
        if (status)
            break;
        char *path = facet_arena_allocate(arena, length + 1, 1);
        if (path) {
            facet_archive_path(archive, i, path, length + 1);
            status = put_member(archive, i, path, options, extractor, error);
        } else {
            status = facet_fail_arena(arena, error);
        }
        facet_arena_free(arena);
    }
    facet_archive_free(archive);
    return status;
}

/* -- Lines of the table ------------------------------------------------- */

static const char *const rarc_extensions[] = {".arc", ".szs", ".szp", ".rarc", ".carc", NULL};
static const char *const u8_extensions[] = {".u8", NULL};
static const char *const zip_extensions[] = {".zip", ".pk3", NULL};
static const char *const tar_extensions[] = {".tar", NULL};

const facet_format facet_format_rarc = {
    .name = "rarc",
    .title = "RARC archive",
    .extensions = rarc_extensions,
    .folder = true,
    .family = "archive",
    .pack = FACET_PACK_ARCHIVE,
    .kind = FACET_ARCHIVE_RARC,
    .probe = probe_rarc,
    .check = facet_archive_check,
    .describe = facet_archive_fill_description,
    .copy = copy,
    .extract = extract,
};

const facet_format facet_format_u8 = {
    .name = "u8",
    .title = "U8 archive",
    .extensions = u8_extensions,
    .folder = true,
    .family = "archive",
    .pack = FACET_PACK_ARCHIVE,
    .kind = FACET_ARCHIVE_U8,
    .probe = probe_u8,
    .check = facet_archive_check,
    .describe = facet_archive_fill_description,
    .copy = copy,
    .extract = extract,
};

const facet_format facet_format_zip = {
    .name = "zip",
    .title = "ZIP archive",
    .extensions = zip_extensions,
    .folder = true,
    .family = "archive",
#ifndef FACET_HAVE_ZIP
    .absent = "libzip",
#endif
    .probe = probe_zip,
    .check = facet_archive_check,
    .describe = facet_archive_fill_description,
    .extract = extract,
};

const facet_format facet_format_tar = {
    .name = "tar",
    .title = "tar archive",
    .extensions = tar_extensions,
    .folder = true,
    .family = "archive",
    .probe = probe_tar,
    .check = facet_archive_check,
    .describe = facet_archive_fill_description,
    .extract = extract,
};
