/* formats/assimp/file/package.c - ZIP archives, such as 3MF, made safe for assimp 5.2. assimp ends
 * the process on a wrong checksum. It does not read archives with ZIP64 fields, which Windows
 * writes in each 3MF. Facet's reader unpacks and checks every file; assimp gets an archive of
 * stored files. Offsets are those of PKWARE's APPNOTE 6.3, section 4.3. */
#include "base/bytes.h"
#include "base/crc32.h"
#include "base/error.h"
#include "base/text.h"
#include "formats/assimp/file/file.h"
#include "formats/assimp/file/scan.h"

#include <facet/archive.h>
#include <string.h>

enum {
    LOCAL = 30,   /* bytes of a local header without the name */
    CENTRAL = 46, /* bytes of an entry of the central directory */
    END = 22      /* bytes of the end record */
};

typedef struct packed_file {
    const uint8_t *data;
    const char *name;
    size_t name_size, size;
    uint32_t checksum, offset;
} packed_file;

/* -- Read --------------------------------------------------------------- */

static facet_status read_file(facet_archive *archive, uint32_t member, facet_arena *scratch,
                              packed_file *file, facet_error *error)
{
    TRY(facet_archive_get(archive, member, &file->data, &file->size, error));
    file->name_size = facet_archive_path(archive, member, NULL, 0);
    char *name = facet_arena_allocate(scratch, file->name_size + 1, 1);
    if (!name)
        return facet_fail_arena(scratch, error);
    facet_archive_path(archive, member, name, file->name_size + 1);
    file->name = name;
    return FACET_OK;
}

/* -- Missing parts ----------------------------------------------------- */

/* assimp also ends the process if the model that "_rels/.rels" names is missing, but not if it is
 * invalid XML. */
static const char relations[] = "_rels/.rels";

typedef struct packed_files {
    packed_file *files;
    uint32_t count, capacity;
    uint32_t read; /* number of files from the archive; the others are added */
    facet_arena *scratch;
    const facet_options *options;
    facet_error *error;
} packed_files;

static facet_status add_file(packed_files *all, packed_file **file)
{
    if (!FACET_GROW(all->scratch, all->files, all->count, all->capacity))
        return facet_fail_arena(all->scratch, all->error);
    *file = &all->files[all->count++];
    **file = (packed_file){0};
    return FACET_OK;
}

static bool has_file(const packed_files *all, const char *name, size_t length)
{
    for (uint32_t i = 0; i < all->count; i++) {
        if (all->files[i].name_size == length && memcmp(all->files[i].name, name, length) == 0)
            return true;
    }
    return false;
}

/* Add a part by the name in a relationship, like "/3D/3dmodel.model". */
static facet_status add_part(packed_files *all, const char *name, size_t length)
{
    enum { MAX_PARTS = 100, MAX_NAME = 1024 };
    packed_file *file = NULL;
    facet_quoted quoted;
    for (int i = 0; i < 2 && length > 0 && *name == '/'; i++)
        name++, length--;
    if (has_file(all, name, length))
        return FACET_OK;
    bool is_model = length > 6 && memcmp(name + length - 6, ".model", 6) == 0;
    if (is_model || length > MAX_NAME || memchr(name, '&', length) ||
        all->count > all->read + MAX_PARTS)
        return facet_fail(all->error, FACET_ERROR_MALFORMED, "ASSIMP", FACET_NO_OFFSET,
                          "'%s' names '%s', which is not in the archive", relations,
                          facet_quote(&quoted, name, length));
    TRY(add_file(all, &file));
    *file = (packed_file){.data = (const uint8_t *)"<", .size = 1, .name = name};
    file->name_size = length;
    file->checksum = facet_crc32(0, file->data, file->size);
    return FACET_OK;
}

/* Add the part of every attribute "Target" in the text. */
static facet_status add_parts_of(packed_files *all, const char *at, const char *end)
{
    enum { MAX_TARGETS = 1000 }; /* limit: each is searched among all files */
    int targets = 0;
    for (; end - at > 6; at++) {
        const char *value = at + 6;
        if (memcmp(at, "Target", 6) != 0)
            continue;
        if (++targets > MAX_TARGETS)
            return facet_fail(all->error, FACET_ERROR_LIMIT, "ASSIMP", FACET_NO_OFFSET,
                              "'%s' names more than %d parts", relations, MAX_TARGETS);
        while (value < end && (*value == '=' || (*value > 0 && *value <= ' ')))
            value++;
        if (value == end || (*value != '"' && *value != '\''))
            continue;
        const char *close = memchr(value + 1, *value, (size_t)(end - value - 1));
        if (close)
            TRY(add_part(all, value + 1, (size_t)(close - value - 1)));
    }
    return FACET_OK;
}

static facet_status add_parts(packed_files *all)
{
    for (uint32_t i = 0; i < all->read; i++) {
        const char *text = (const char *)all->files[i].data;
        if (strcmp(all->files[i].name, relations) == 0)
            TRY(add_parts_of(all, text, text + all->files[i].size));
    }
    return FACET_OK;
}

/* -- Write -------------------------------------------------------------- */

static uint8_t *append(uint8_t *to, const void *from, size_t size)
{
    if (size > 0)
        memcpy(to, from, size);
    return to + size;
}

/* The fields from "version needed" to the length of the extra field, which both headers share:
 * stored, with the earliest date of the format. */
static void put_common(uint8_t *to, const packed_file *file)
{
    facet_store_u16le(to, 10);
    facet_store_u16le(to + 8, 0x21);
    facet_store_u32le(to + 10, file->checksum);
    facet_store_u32le(to + 14, (uint32_t)file->size);
    facet_store_u32le(to + 18, (uint32_t)file->size);
    facet_store_u16le(to + 22, (uint16_t)file->name_size);
}

static void put_all(packed_file *files, uint32_t count, uint8_t *data)
{
    uint8_t *to = data, end[END] = "PK\5\6";
    for (uint32_t i = 0; i < count; i++) {
        uint8_t header[LOCAL] = "PK\3\4";
        files[i].offset = (uint32_t)(to - data);
        put_common(header + 4, &files[i]);
        to = append(to, header, LOCAL);
        to = append(to, files[i].name, files[i].name_size);
        to = append(to, files[i].data, files[i].size);
    }
    uint32_t directory = (uint32_t)(to - data);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t header[CENTRAL] = "PK\1\2\x0A";
        put_common(header + 6, &files[i]);
        facet_store_u32le(header + 42, files[i].offset);
        to = append(to, header, CENTRAL);
        to = append(to, files[i].name, files[i].name_size);
    }
    facet_store_u16le(end + 8, (uint16_t)count);
    facet_store_u16le(end + 10, (uint16_t)count);
    facet_store_u32le(end + 12, (uint32_t)(to - data) - directory);
    facet_store_u32le(end + 16, directory);
    append(to, end, END);
}

static facet_status read_all(facet_archive *archive, packed_files *all)
{
    packed_file *file = NULL;
    for (uint32_t i = 0; i < archive->member_count; i++) {
        if (archive->members[i].flags & FACET_ARCHIVE_FOLDER)
            continue;
        TRY(add_file(all, &file));
        TRY(read_file(archive, i, all->scratch, file, all->error));
        facet_fbx *fbx;
        TRY(facet_assimp_scan(&file->data, &file->size, file->name, all->scratch, all->options,
                              all->options ? all->options->report : NULL, &fbx, NULL, all->error));
        file->checksum = facet_crc32(0, file->data, file->size);
    }
    all->read = all->count;
    if (has_file(all, "[Content_Types].xml", 19) && !has_file(all, relations, sizeof relations - 1))
        return facet_fail(all->error, FACET_ERROR_MALFORMED, "ASSIMP", FACET_NO_OFFSET,
                          "the package has no '%s', which names its model", relations);
    return add_parts(all);
}

static facet_status repack(facet_archive *archive, facet_arena *scratch,
                           const facet_options *options, facet_source *to, facet_error *error)
{
    packed_files all = {.scratch = scratch, .options = options, .error = error};
    uint64_t total = END;
    TRY(read_all(archive, &all));
    for (uint32_t i = 0; i < all.count; i++) {
        const packed_file *file = &all.files[i];
        total += LOCAL + CENTRAL + 2 * (uint64_t)file->name_size + file->size;
        if (i + 1 >= UINT16_MAX || file->name_size > UINT16_MAX || total > INT32_MAX)
            return facet_fail(error, FACET_ERROR_LIMIT, "ASSIMP", FACET_NO_OFFSET,
                              "the ZIP archive has 65,535 files or 2 GiB, or more, which assimp "
                              "does not read");
    }
    uint8_t *data = facet_arena_allocate(scratch, (size_t)total, 1);
    if (!data)
        return facet_fail_arena(scratch, error);
    put_all(all.files, all.count, data);
    to->data = data;
    to->size = (size_t)total;
    return FACET_OK;
}

facet_status facet_assimp_open_package(const facet_source *source, const facet_options *options,
                                       facet_arena *scratch, facet_source *to, facet_error *error)
{
    facet_archive *archive = NULL;
    *to = *source;
    if (source->size < 4 || memcmp(source->data, "PK\3\4", 4) != 0)
        return FACET_OK;
    TRY(facet_archive_read(source, options, &archive, error));
    facet_status status = repack(archive, scratch, options, to, error);
    facet_archive_free(archive);
    return status;
}
