/* archive/zip.c - ZIP for reading, by libzip. */
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
#include "archive/zip_calls.h"
#include "base/module.h"
#include "base/table.h"

#include <inttypes.h>

static facet_module module = {"zip", "ZIP archives", NULL};

#ifdef FACET_MODULES
static const facet_zip_calls *zip_table(void)
{
    return facet_module_table(&module);
}
#endif

/* What DEFLATE can make of a byte at most: 258 bytes from two bits. */
enum { MAX_RATIO = 1032 };

/* -- Names -------------------------------------------------------------- */

/* ZIP has whole paths in any order: the folders of a tree are put together from
 * them, and then its members in the order of a walk. */
typedef struct node {
    const char *name;
    uint32_t length, parent; /* FACET_NONE: the root */
    uint32_t entry;          /* FACET_NONE: a folder that is only part of paths */
    bool folder;
    uint32_t first, last, next; /* children, and the next of the same parent */
} node;

typedef struct reader {
    facet_archive *archive;
    zip_t *zip;
    node *nodes;
    uint32_t count, capacity;
    uint32_t root_first, root_last;
    facet_table folders;
    uint64_t packed; /* bytes of all files in the archive */
} reader;

static int compare_nodes(const void *user, uint32_t a, uint32_t b)
{
    const node *x = &((const reader *)user)->nodes[a], *y = &((const reader *)user)->nodes[b];
    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    return memcmp(x->name, y->name, x->length);
}

static bool add_node(reader *r, const char *name, size_t length, uint32_t parent)
{
    if (r->count == r->capacity) {
        size_t capacity = r->capacity ? r->capacity * (size_t)2 : 256;
        node *grown = capacity < FACET_NONE
                          ? facet_arena_resize(r->archive->arena, r->nodes, r->capacity, capacity,
                                               sizeof *grown)
                          : NULL;
        if (!grown)
            return false;
        r->nodes = grown;
        r->capacity = (uint32_t)capacity;
    }
    r->nodes[r->count++] = (node){.name = name,
                                  .length = (uint32_t)length,
                                  .parent = parent,
                                  .entry = FACET_NONE,
                                  .first = FACET_NONE,
                                  .last = FACET_NONE,
                                  .next = FACET_NONE};
    return true;
}

static void hang(reader *r, uint32_t index)
{
    uint32_t parent = r->nodes[index].parent;
    uint32_t *first = parent == FACET_NONE ? &r->root_first : &r->nodes[parent].first;
    uint32_t *last = parent == FACET_NONE ? &r->root_last : &r->nodes[parent].last;
    if (*last == FACET_NONE)
        *first = index;
    else
        r->nodes[*last].next = index;
    *last = index;
}

/* The folder of this name, made when it is new; false without memory. */
static bool enter(reader *r, const char *name, size_t length, uint32_t *folder)
{
    if (!add_node(r, name, length, *folder))
        return false;
    uint64_t hash = facet_hash_word(facet_hash_word(0, *folder), facet_hash_bytes(name, length));
    uint32_t index = r->count - 1;
    uint32_t found = facet_table_put(&r->folders, facet_hash_end(hash), index, compare_nodes, r);
    if (found == UINT32_MAX)
        return false;
    if (found == index) {
        r->nodes[index].folder = true;
        hang(r, index);
    } else {
        r->count--;
    }
    *folder = found;
    return true;
}

static facet_status add_path(reader *r, const char *path, uint32_t entry, facet_error *error)
{
    uint32_t folder = FACET_NONE;
    unsigned depth = 0;
    for (const char *at = path;;) {
        size_t length = strcspn(at, "/");
        bool last = at[length] == '\0';
        if (!last && length > 0) {
            if (depth++ == FACET_ARCHIVE_MAX_DEPTH)
                return facet_fail(error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                                  "more than %d folders in one another", FACET_ARCHIVE_MAX_DEPTH);
            if (!enter(r, at, length, &folder))
                return facet_fail_arena(r->archive->arena, error);
        } else if (last && length > 0) {
            if (!add_node(r, at, length, folder))
                return facet_fail_arena(r->archive->arena, error);
            r->nodes[r->count - 1].entry = entry;
            hang(r, r->count - 1);
        }
        if (last)
            return FACET_OK;
        at += length + 1;
    }
}

static facet_status take_entry(reader *r, uint32_t entry, facet_error *error)
{
    zip_stat_t known;
    facet_quoted quoted;
    if (zip_stat_index(r->zip, entry, ZIP_FL_ENC_RAW, &known) != 0)
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR33", FACET_NO_OFFSET,
                          "entry %" PRIu32 ": %s", entry, zip_strerror(r->zip));
    /* Files that lie over one another are how a small archive becomes a large folder. */
    r->packed += known.comp_size;
    if (known.comp_size > r->archive->size || r->packed > r->archive->size)
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR33", FACET_NO_OFFSET,
                          "the files up to '%s' take more than the %zu bytes that there are",
                          facet_quote(&quoted, known.name, strlen(known.name)), r->archive->size);
    return add_path(r, known.name, entry, error);
}

/* -- Members ------------------------------------------------------------ */

static facet_status push_node(reader *r, uint32_t index, uint32_t folder, uint32_t *member,
                              facet_error *error)
{
    const node *n = &r->nodes[index];
    zip_stat_t known = {0};
    facet_archive_member *to = facet_archive_push(r->archive);
    const char *name = facet_arena_string(r->archive->arena, n->name, n->length);
    if (!to || !name)
        return facet_fail_arena(r->archive->arena, error);
    *member = r->archive->member_count - 1;
    to->name = name;
    to->folder = folder;
    to->entry = n->entry;
    to->flags = n->folder ? FACET_ARCHIVE_FOLDER : FACET_ARCHIVE_FILE;
    if (n->folder)
        return FACET_OK;
    zip_stat_index(r->zip, n->entry, ZIP_FL_ENC_RAW, &known);
    if (known.size > SIZE_MAX)
        return facet_fail_arena(r->archive->arena, error);
    to->size = (size_t)known.size;
    return FACET_OK;
}

static facet_status walk(reader *r, facet_error *error)
{
    uint32_t next[FACET_ARCHIVE_MAX_DEPTH + 2], folders[FACET_ARCHIVE_MAX_DEPTH + 2];
    unsigned depth = 0;
    next[0] = r->root_first;
    folders[0] = FACET_NONE;
    for (;;) {
        uint32_t index = next[depth], member = 0;
        if (index == FACET_NONE) {
            if (depth == 0)
                return FACET_OK;
            depth--;
            continue;
        }
        next[depth] = r->nodes[index].next;
        TRY(push_node(r, index, folders[depth], &member, error));
        if (r->nodes[index].folder) {
            depth++;
            next[depth] = r->nodes[index].first;
            folders[depth] = member;
        }
    }
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
    reader r = {.archive = archive,
                .zip = zip,
                .root_first = FACET_NONE,
                .root_last = FACET_NONE,
                .folders = facet_table_make(archive->arena)};
    zip_int64_t count = zip_get_num_entries(zip, 0);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < count && !status; i++)
        status = take_entry(&r, i, error);
    if (!status)
        status = walk(&r, error);
    facet_table_free(&r.folders);
    facet_arena_release(archive->arena, r.nodes, r.capacity, sizeof *r.nodes);
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
                          "'%s': %" PRIu64 " bytes cannot become %" PRIu64, name,
                          (uint64_t)known.comp_size, (uint64_t)known.size);
    uint8_t *out = facet_arena_allocate(arena, m->size, 1);
    if (!out)
        return facet_fail_arena(arena, error);
    zip_file_t *file = zip_fopen_index(archive->zip, m->entry, 0);
    bool ok = file && zip_fread(file, out, m->size) == (zip_int64_t)m->size;
    /* Asking for more makes libzip compare the checksum. */
    uint8_t more;
    ok = ok && zip_fread(file, &more, 1) == 0;
    if (file)
        zip_fclose(file);
    if (!ok)
        return facet_fail(error, FACET_ERROR_MALFORMED, "AR33", FACET_NO_OFFSET,
                          "'%s' does not have the size or the checksum that it is said to have",
                          name);
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
