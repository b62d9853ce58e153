/* archive/zip.c - reader of ZIP, by libzip. */
#include "archive/archive.h"
#include "base/arena.h"
#include "base/error.h"

#include <string.h>

bool facet_zip_begins(const uint8_t *data, size_t size)
{
    return size >= 22 && data[0] == 'P' && data[1] == 'K' &&
           ((data[2] == 3 && data[3] == 4) || (data[2] == 5 && data[3] == 6));
}

#ifdef FACET_HAVE_ZIP
#include "archive/paths.h"
#include "archive/zip_calls.h"
#include "base/module.h"

#include <inttypes.h>

static facet_module module = {"zip", "ZIP archives", NULL};

#ifdef FACET_MODULES
static const facet_zip_calls *zip_table(void)
{
    return facet_module_table(&module);
}
#endif

/* Maximum expansion of a byte by DEFLATE: 258 bytes from two bits. */
enum { MAX_RATIO = 1032 };

/* -- Reading ------------------------------------------------------------ */

typedef struct reader {
    facet_archive *archive;
    zip_t *zip;
    facet_path_tree tree;
    uint64_t packed; /* compressed size of all files in the archive */
} reader;

static facet_status take_entry(reader *r, uint32_t entry, facet_error *error)
{
    zip_stat_t known;
    facet_quoted quoted;
    if (zip_stat_index(r->zip, entry, ZIP_FL_ENC_RAW, &known) != 0)
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR33", FACET_NO_OFFSET,
                          "entry %" PRIu32 ": %s", entry, zip_strerror(r->zip));
    /* Files that overlap would let a small archive become a large folder. */
    r->packed += known.comp_size;
    if (known.comp_size > r->archive->size || r->packed > r->archive->size)
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR33", FACET_NO_OFFSET,
                          "the files up to '%s' need more than the %zu bytes of the archive",
                          facet_quote(&quoted, known.name, strlen(known.name)), r->archive->size);
    return facet_path_tree_add(&r->tree, known.name, entry, error);
}

static facet_status fill_member(void *user, facet_archive_member *member)
{
    zip_stat_t known = {0};
    zip_stat_index(user, member->entry, ZIP_FL_ENC_RAW, &known);
    if (known.size > SIZE_MAX)
        return FACET_ERROR_MEMORY;
    member->size = (size_t)known.size;
    return FACET_OK;
}

facet_status facet_zip_read(facet_archive *archive, facet_error *error)
{
    facet_status opened = facet_module_open(&module, error);
    if (opened)
        return opened;
    zip_error_t fault;
    zip_error_init(&fault);
    zip_source_t *source = zip_source_buffer_create(archive->bytes, archive->size, 0, &fault);
    zip_t *zip = source ? zip_open_from_source(source, ZIP_RDONLY, &fault) : NULL;
    if (!zip) {
        facet_status status = facet_fail(error, FACET_ERROR_MALFORMED, "AR33", FACET_NO_OFFSET,
                                         "not a ZIP archive: %s", zip_error_strerror(&fault));
        if (source)
            zip_source_free(source);
        zip_error_fini(&fault);
        return status;
    }
    zip_error_fini(&fault);
    archive->zip = zip;
    reader r = {archive, zip, facet_path_tree_make(archive, false), 0};
    zip_int64_t count = zip_get_num_entries(zip, 0);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < count && !status; i++)
        status = take_entry(&r, i, error);
    if (!status)
        status = facet_path_tree_push(&r.tree, fill_member, zip, error);
    facet_path_tree_free(&r.tree);
    return status;
}

void facet_zip_close(facet_archive *archive)
{
    if (archive->zip)
        zip_discard(archive->zip);
    archive->zip = NULL;
}

/* -- Files -------------------------------------------------------------- */

facet_status facet_zip_get(const facet_archive *archive, uint32_t member, facet_arena *arena,
                           const uint8_t **data, facet_error *error)
{
    const facet_archive_member *m = &archive->members[member];
    facet_quoted quoted;
    zip_stat_t known;
    const char *name = facet_quote(&quoted, m->name, strlen(m->name));
    if (zip_stat_index(archive->zip, m->entry, ZIP_FL_ENC_RAW, &known) != 0)
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR33", FACET_NO_OFFSET, "'%s': %s", name,
                          zip_strerror(archive->zip));
    bool plain = known.encryption_method == ZIP_EM_NONE &&
                 (known.comp_method == ZIP_CM_STORE || known.comp_method == ZIP_CM_DEFLATE);
    if (!plain)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "AR33", FACET_NO_OFFSET,
                          "'%s' is encrypted, or packed by another method than DEFLATE", name);
    if (known.size / MAX_RATIO > known.comp_size + 1)
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR33", FACET_NO_OFFSET,
                          "'%s': %" PRIu64 " bytes cannot decompress to %" PRIu64, name,
                          (uint64_t)known.comp_size, (uint64_t)known.size);
    uint8_t *out = facet_arena_allocate(arena, m->size, 1);
    if (!out)
        return facet_fail_arena(arena, error);
    zip_file_t *file = zip_fopen_index(archive->zip, m->entry, 0);
    bool ok = file && zip_fread(file, out, m->size) == (zip_int64_t)m->size;
    /* Reading beyond the end makes libzip check the checksum. */
    uint8_t more;
    ok = ok && zip_fread(file, &more, 1) == 0;
    if (file)
        zip_fclose(file);
    if (!ok)
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR33", FACET_NO_OFFSET,
                          "'%s' does not have the size or checksum that the archive gives", name);
    *data = out;
    return FACET_OK;
}

#else

facet_status facet_zip_read(facet_archive *archive, facet_error *error)
{
    (void)archive;
    return facet_fail(error, FACET_ERROR_UNSUPPORTED, "FORMAT-ABSENT", FACET_NO_OFFSET,
                      "ZIP archives cannot be read: this build is without libzip");
}

void facet_zip_close(facet_archive *archive)
{
    (void)archive;
}

facet_status facet_zip_get(const facet_archive *archive, uint32_t member, facet_arena *arena,
                           const uint8_t **data, facet_error *error)
{
    (void)member;
    (void)arena;
    (void)data;
    return facet_zip_read((facet_archive *)(uintptr_t)archive, error);
}

#endif
