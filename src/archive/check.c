/* archive/check.c - rules of all archives, and those of compressed streams. */
#include "archive/archive.h"
#include "archive/decompress.h"
#include "archive/describe.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* -- Compression -------------------------------------------------------- */

static void check_tail(const facet_source *source, size_t end, facet_report *report)
{
    enum { MAX_TAIL = 0x20 };
    size_t nonzero = end;
    while (nonzero < source->size && source->data[nonzero] == 0)
        nonzero++;
    if (nonzero < source->size)
        facet_report_add(report, "AR06", FACET_SEVERITY_WARNING, nonzero,
                         "bytes that are not 0 follow the stream, which ends at %zu", end);
    else if (source->size - end > MAX_TAIL)
        facet_report_add(report, "AR06", FACET_SEVERITY_WARNING, end,
                         "%zu zeros follow the stream, more than %d", source->size - end, MAX_TAIL);
    if (source->size % FACET_ARCHIVE_ALIGNMENT != 0)
        facet_report_add(report, "AR07", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                         "%zu bytes are not a multiple of 32, which some games need", source->size);
}

facet_status facet_compression_check(const facet_source *source, const facet_options *options,
                                     facet_report *report, facet_error *error)
{
    facet_arena *arena = NULL;
    facet_error fault = {0};
    size_t plain = 0, end = 0;
    facet_status status = facet_check_options(options, error);
    facet_compression compression = facet_get_compression(source->data, source->size);
    if (status || compression == FACET_COMPRESSION_NONE)
        return status;
    TRY(facet_arena_create(options, &arena, error));
    status = facet_decompressed_size(source->data, source->size, &plain, &fault);
    uint8_t *out = status ? NULL : facet_arena_allocate(arena, plain, 1);
    if (!status && !out)
        status = facet_fail_arena(arena, &fault);
    if (!status)
        status = facet_decompress_to_end(source->data, source->size, out, plain, &end, &fault);
    facet_arena_free(arena);
    if (status == FACET_ERROR_MALFORMED) {
        facet_report_add_fault(report, &fault, "AR02");
        return facet_report_status(report, error);
    }
    if (status)
        return facet_fail(error, status, fault.rule, fault.offset, "%s", fault.message);
    if (compression == FACET_COMPRESSION_YAZ0 &&
        (facet_load_u32be(source->data + 8) != 0 || facet_load_u32be(source->data + 12) != 0))
        facet_report_add(
            report, "AR05", FACET_SEVERITY_WARNING, 8,
            "the two words after the size are not 0, as in files of consoles after the Wii");
    check_tail(source, end, report);
    return facet_report_status(report, error);
}

/* -- Names -------------------------------------------------------------- */

static int compare_members(const void *user, uint32_t a, uint32_t b)
{
    const facet_archive *archive = user;
    const facet_archive_member *x = &archive->members[a], *y = &archive->members[b];
    if (x->folder != y->folder)
        return x->folder < y->folder ? -1 : 1;
    return strcmp(x->name, y->name);
}

static facet_status check_names(const facet_archive *archive, facet_report *report,
                                facet_error *error)
{
    facet_table known = facet_table_make(archive->arena);
    facet_tally away = {0}, same = {0};
    for (uint32_t i = 0; i < archive->member_count; i++) {
        const char *name = archive->members[i].name;
        uint64_t hash = facet_hash_word(0, archive->members[i].folder);
        hash = facet_hash_word(hash, facet_hash_bytes(name, strlen(name)));
        uint32_t found = facet_table_put(&known, facet_hash_end(hash), i, compare_members, archive);
        if (found == UINT32_MAX)
            return facet_fail_arena(archive->arena, error);
        if (found != i)
            facet_tally_hit(&same, i);
        /* Mario Kart Wii stores everything in a folder ".". */
        bool dot = archive->kind == FACET_ARCHIVE_U8 && strcmp(name, ".") == 0;
        if (facet_archive_leads_away(name) && !dot)
            facet_tally_hit(&away, i);
    }
    facet_table_free(&known);
    facet_quoted quoted;
    const char *name = archive->member_count ? archive->members[away.first].name : "";
    facet_report_add_tally(report, "AR29", FACET_SEVERITY_ERROR, FACET_NO_OFFSET, &away,
                           "'%s' is not the name of a file in a folder",
                           facet_quote(&quoted, name, strlen(name)));
    name = archive->member_count ? archive->members[same.first].name : "";
    facet_report_add_tally(report, "AR26", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &same,
                           "'%s' is in one folder twice", facet_quote(&quoted, name, strlen(name)));
    return FACET_OK;
}

/* -- Data --------------------------------------------------------------- */

static int compare_places(const void *a, const void *b)
{
    const facet_archive_member *x = *(const facet_archive_member *const *)a,
                               *y = *(const facet_archive_member *const *)b;
    if (x->data != y->data)
        return x->data < y->data ? -1 : 1;
    return (x > y) - (x < y);
}

/* Check files that share bytes, and the bytes between files. */
static facet_status check_data(const facet_archive *archive, facet_report *report,
                               facet_error *error)
{
    const facet_archive_member **files =
        facet_arena_allocate(archive->arena, archive->member_count, sizeof *files);
    size_t count = 0, filled = 0;
    facet_tally shared = {0};
    if (!files)
        return facet_fail_arena(archive->arena, error);
    for (uint32_t i = 0; i < archive->member_count; i++) {
        if (archive->members[i].data && archive->members[i].size > 0)
            files[count++] = &archive->members[i];
    }
    qsort(files, count, sizeof *files, compare_places);
    const uint8_t *end = count > 0 ? files[0]->data : NULL, *first_fill = NULL;
    for (size_t i = 0; i < count; i++) {
        if (files[i]->data < end)
            facet_tally_hit(&shared, (uint64_t)(files[i] - archive->members));
        for (; end < files[i]->data; end++) {
            if (*end != 0 && filled++ == 0)
                first_fill = end;
        }
        if (files[i]->data + files[i]->size > end)
            end = files[i]->data + files[i]->size;
    }
    facet_quoted quoted;
    const char *name = archive->member_count ? archive->members[shared.first].name : "";
    facet_report_add_tally(report, "AR28", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &shared,
                           "'%s' shares its data with another file",
                           facet_quote(&quoted, name, strlen(name)));
    if (first_fill)
        facet_report_add(report, "AR28", FACET_SEVERITY_NOTE,
                         (uint64_t)(first_fill - archive->bytes),
                         "the space between files is not filled with zeros");
    return FACET_OK;
}

/* -- Folders ------------------------------------------------------------ */

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++) {
        if (strcmp(name, *names) == 0)
            return true;
    }
    return false;
}

/* Check folders for Wind Waker, which loads models by the name of their folder. In some folders,
 * they have no space for animated materials. */
static void check_folders(const facet_archive *archive, facet_report *report)
{
    static const char *const animations[] = {"btk", "brk", "btp", "bpk", NULL};
    static const char *const plain[] = {"bdl", "bdlc", "bmd", "bmdc", NULL};
    bool animated = false, still = false, moving = false;
    for (uint32_t i = 0; i < archive->member_count; i++) {
        const facet_archive_member *member = &archive->members[i];
        if (facet_archive_is_folder(member) || member->folder == FACET_NONE)
            continue;
        const char *folder = archive->members[member->folder].name;
        bool model = strncmp(folder, "bdl", 3) == 0 || strncmp(folder, "bmd", 3) == 0 ||
                     strncmp(folder, "bmw", 3) == 0 || strncmp(folder, "bsm", 3) == 0;
        animated |= is_one_of(folder, animations);
        still |= is_one_of(folder, plain);
        moving |= model && !is_one_of(folder, plain);
    }
    if (animated && still && !moving)
        facet_report_add(report, "AR32", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "material animations are next to models in the folder bdl or bmd: Wind "
                         "Waker plays them only from bdlm or bmdm");
}

/* -- Archives ----------------------------------------------------------- */

/* Check the size and checksum of all files in a ZIP. */
static facet_status check_zip(const facet_archive *archive, const facet_options *options,
                              facet_report *report, facet_error *error)
{
    for (uint32_t i = 0; i < archive->member_count; i++) {
        facet_arena *arena = NULL;
        const uint8_t *data;
        facet_error fault = {0};
        if (facet_archive_is_folder(&archive->members[i]))
            continue;
        TRY(facet_arena_create(options, &arena, error));
        facet_status status = facet_zip_get(archive, i, arena, &data, &fault);
        facet_arena_free(arena);
        if (facet_lacks_memory(status))
            return facet_fail(error, status, fault.rule, FACET_NO_OFFSET, "%s", fault.message);
        if (status)
            facet_report_add_fault(report, &fault, "AR33");
    }
    return FACET_OK;
}

facet_status facet_archive_check(const facet_source *source, const facet_options *options,
                                 facet_report *report, facet_error *error)
{
    facet_archive *archive = NULL;
    facet_error fault = {0};
    facet_options reading = {0};
    if (options)
        reading = *options;
    reading.report = report;
    facet_status status = facet_archive_read(source, &reading, &archive, &fault);
    if (status == FACET_ERROR_MALFORMED || status == FACET_ERROR_LIMIT) {
        facet_report_add_fault(report, &fault, "AR19");
        return facet_report_status(report, error);
    }
    if (status)
        return facet_fail(error, status, fault.rule, fault.offset, "%s", fault.message);
    if (archive->kind == FACET_ARCHIVE_RARC)
        status = facet_rarc_check(archive, report, error);
    else if (archive->kind == FACET_ARCHIVE_U8)
        facet_u8_check(archive, report);
    else if (archive->kind == FACET_ARCHIVE_ZIP)
        status = check_zip(archive, options, report, error);
    if (!status)
        status = check_names(archive, report, error);
    if (!status && archive->kind != FACET_ARCHIVE_TAR) /* its headers are between files */
        status = check_data(archive, report, error);
    if (!status && archive->kind == FACET_ARCHIVE_RARC)
        check_folders(archive, report);
    facet_archive_free(archive);
    return status ? status : facet_report_status(report, error);
}
