/* archive/tar.c - reader of tar: ustar, pax, GNU's long names, and the format before them. Members
 * are not compressed and point into the archive's bytes.
 *
 * Source: IEEE Std 1003.1-2017, pax, "ustar Interchange Format" and "pax Interchange Format"; GNU
 * tar manual, "Basic Tar Format". */
#include "archive/archive.h"
#include "archive/paths.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

/* Offsets in a header. */
enum {
    NAME = 0,
    SIZE = 124,
    CHECKSUM = 148,
    TYPE = 156,
    LINK = 157,
    MAGIC = 257,
    PREFIX = 345,
    BLOCK = 512
};

/* -- Numbers ------------------------------------------------------------ */

/* Read octal digits between blanks, or the bytes after a first byte of 0x80. False for other
 * data. */
static bool number_at(const uint8_t *field, size_t length, uint64_t *number)
{
    size_t at = 0;
    *number = 0;
    if (field[0] == 0x80) {
        for (at = 1; at < length; at++) {
            if (*number >> 55)
                return false;
            *number = *number << 8 | field[at];
        }
        return true;
    }
    while (at < length && field[at] == ' ')
        at++;
    for (; at < length && field[at] >= '0' && field[at] <= '7'; at++) {
        if (*number >> 60)
            return false;
        *number = *number << 3 | (uint64_t)(field[at] - '0');
    }
    return at == length || field[at] == ' ' || field[at] == '\0';
}

/* Check the sum of all bytes, with the bytes of the sum itself as spaces. Old programs add signed
 * bytes. */
static bool has_checksum(const uint8_t *block)
{
    uint64_t wanted;
    int64_t plain = 0, with_sign = 0;
    for (size_t i = 0; i < BLOCK; i++) {
        uint8_t byte = i >= CHECKSUM && i < TYPE ? ' ' : block[i];
        plain += byte;
        with_sign += (int8_t)byte;
    }
    return block[CHECKSUM] != '\0' && number_at(block + CHECKSUM, 8, &wanted) &&
           ((int64_t)wanted == plain || (int64_t)wanted == with_sign);
}

bool facet_tar_header(const uint8_t *block, uint64_t *size, char *type)
{
    *type = (char)block[TYPE];
    return has_checksum(block) && number_at(block + SIZE, 12, size);
}

bool facet_tar_begins(const uint8_t *data, size_t size)
{
    return size >= BLOCK && data[NAME] != '\0' && has_checksum(data);
}

/* -- Entries ------------------------------------------------------------ */

typedef struct entry {
    const uint8_t *data;
    size_t size;
} entry;

typedef struct reader {
    facet_archive *archive;
    facet_path_tree tree;
    entry *entries;
    size_t count;
    uint32_t capacity;
    size_t at; /* offset of the header */
    /* Data from the records before a header; NULL and false if missing. */
    const char *path, *link;
    uint64_t size;
    bool has_size, sparse;
} reader;

static facet_status fail_at(const reader *r, facet_error *error, const char *what)
{
    return facet_fail(error, FACET_ERROR_MALFORMED, "AR34", r->at, "%s", what);
}

/* A record: "LENGTH KEY=VALUE
 * ". */
typedef struct record {
    const char *key, *value;
    size_t key_length, value_length;
} record;

/* Read the record at *at, and move *at after it. False if it is invalid. */
static bool next_record(const char *text, size_t size, size_t *at, record *found)
{
    const char *begin = text + *at;
    size_t left = size - *at, length = 0, digits = 0;
    while (digits < left && digits < 10 && begin[digits] >= '0' && begin[digits] <= '9')
        length = length * 10 + (size_t)(begin[digits++] - '0');
    if (digits == 0 || length <= digits + 1 || length > left || begin[digits] != ' ' ||
        begin[length - 1] != '\n')
        return false;
    const char *equals = memchr(begin, '=', length);
    if (!equals)
        return false;
    *found = (record){.key = begin + digits + 1, .value = equals + 1};
    found->key_length = (size_t)(equals - found->key);
    found->value_length = (size_t)(begin + length - 1 - found->value);
    *at += length;
    return true;
}

static bool has_key(const record *found, const char *key)
{
    return found->key_length == strlen(key) && memcmp(found->key, key, found->key_length) == 0;
}

/* Read a decimal number. False if it is invalid or too large. */
static bool read_decimal(const record *found, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < found->value_length; i++) {
        char digit = found->value[i];
        if (digit < '0' || digit > '9' || *number > UINT64_MAX / 10 - 1)
            return false;
        *number = *number * 10 + (uint64_t)(digit - '0');
    }
    return true;
}

static const char no_record[] = "a pax record is not 'LENGTH KEY=VALUE'";
static const char no_size[] = "a pax size is not a number";

static facet_status take_records(reader *r, const char *text, size_t size, facet_error *error)
{
    for (size_t at = 0; at < size;) {
        record found;
        if (!next_record(text, size, &at, &found))
            return fail_at(r, error, no_record);
        const char **name = has_key(&found, "path")       ? &r->path
                            : has_key(&found, "linkpath") ? &r->link
                                                          : NULL;
        if (name) {
            *name = facet_arena_string(r->archive->arena, found.value, found.value_length);
            if (!*name)
                return facet_fail_arena(r->archive->arena, error);
        } else if (has_key(&found, "size")) {
            if (!read_decimal(&found, &r->size))
                return fail_at(r, error, no_size);
            r->has_size = true;
        } else if (found.key_length >= 10 && memcmp(found.key, "GNU.sparse", 10) == 0) {
            r->sparse = true;
        }
    }
    return FACET_OK;
}

const char *facet_tar_records_size(const uint8_t *records, size_t size, uint64_t *number,
                                   bool *is_there)
{
    record found;
    for (size_t at = 0; at < size;) {
        if (!next_record((const char *)records, size, &at, &found))
            return no_record;
        if (!has_key(&found, "size"))
            continue;
        if (!read_decimal(&found, number))
            return no_size;
        *is_there = true;
    }
    return NULL;
}

/* Join prefix and name. A NUL ends those that are shorter than their fields. */
static const char *path_of(reader *r, const uint8_t *block)
{
    const char *name = (const char *)block + NAME, *prefix = (const char *)block + PREFIX;
    bool posix = memcmp(block + MAGIC, "ustar\0", 6) == 0;
    size_t length = strnlen(name, 100), before = posix ? strnlen(prefix, 155) : 0;
    char *path = facet_arena_allocate(r->archive->arena, length + before + 2, 1);
    if (!path)
        return NULL;
    memcpy(path, prefix, before);
    path[before] = '/';
    memcpy(path + before + (before > 0), name, length);
    path[before + (before > 0) + length] = '\0';
    return path;
}

static facet_status push_entry(reader *r, entry made, facet_error *error)
{
    if (!FACET_GROW(r->archive->arena, r->entries, r->count, r->capacity))
        return facet_fail_arena(r->archive->arena, error);
    r->entries[r->count++] = made;
    return FACET_OK;
}

static facet_status add_file(reader *r, const char *path, const uint8_t *data, size_t size,
                             facet_error *error)
{
    facet_quoted quoted;
    size_t length = strlen(path);
    if (r->sparse)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "AR34", r->at,
                          "'%s' is stored as a sparse file", facet_quote(&quoted, path, length));
    if (length > 0 && path[length - 1] == '/') /* a folder, in the format before types existed */
        return facet_path_tree_add(&r->tree, path, FACET_NONE, error);
    TRY(push_entry(r, (entry){data, size}, error));
    return facet_path_tree_add(&r->tree, path, (uint32_t)r->count - 1, error);
}

/* Add a second name of an earlier file. GNU tar writes them for files with several names. Skip one
 * whose file is not in the tar. */
static facet_status add_link(reader *r, const char *path, const uint8_t *block, facet_error *error)
{
    char name[100 + 1] = "";
    memcpy(name, block + LINK, 100);
    uint32_t found = facet_path_tree_find(&r->tree, r->link ? r->link : name);
    r->archive->left_out += found == FACET_NONE;
    return found == FACET_NONE ? FACET_OK : facet_path_tree_add(&r->tree, path, found, error);
}

/* Read a GNU name that is too long for its field. */
static facet_status take_name(reader *r, const uint8_t *data, size_t size, const char **name,
                              facet_error *error)
{
    *name = facet_arena_string(r->archive->arena, (const char *)data,
                               strnlen((const char *)data, size));
    return *name ? FACET_OK : facet_fail_arena(r->archive->arena, error);
}

/* Read a header with `size` bytes of data after it. */
static facet_status take_member(reader *r, const uint8_t *block, size_t size, facet_error *error)
{
    const uint8_t *data = block + BLOCK;
    char type = (char)block[TYPE];
    if (type == 'x')
        return take_records(r, (const char *)data, size, error);
    if (type == 'L' || type == 'K')
        return take_name(r, data, size, type == 'L' ? &r->path : &r->link, error);
    if (type == 'g') /* no name or size of a single file */
        return FACET_OK;
    const char *path = r->path ? r->path : path_of(r, block);
    facet_status status = !path ? facet_fail_arena(r->archive->arena, error) : FACET_OK;
    r->sparse |= type == 'S';
    if (!status && (type == '0' || type == '\0' || type == '7' || type == 'S'))
        status = add_file(r, path, data, size, error);
    if (!status && type == '1')
        status = add_link(r, path, block, error);
    r->archive->left_out += memchr("2346", type, 4) != NULL;
    r->path = r->link = NULL;
    r->has_size = r->sparse = false;
    return status;
}

static bool is_zero(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != 0)
            return false;
    }
    return true;
}

static facet_status fill_member(void *user, facet_archive_member *member)
{
    const entry *e = &((const reader *)user)->entries[member->entry];
    member->data = e->data;
    member->size = e->size;
    return FACET_OK;
}

facet_status facet_tar_read(facet_archive *archive, facet_error *error)
{
    reader r = {.archive = archive, .tree = facet_path_tree_make(archive, true)};
    facet_status status = FACET_OK;
    while (!status && archive->size - r.at >= BLOCK && !is_zero(archive->bytes + r.at, BLOCK)) {
        const uint8_t *block = archive->bytes + r.at;
        uint64_t size, left = archive->size - r.at - BLOCK;
        if (!has_checksum(block) || !number_at(block + SIZE, 12, &size)) {
            status = fail_at(&r, error, "invalid header of a member: its checksum does not match");
            break;
        }
        if (r.has_size && !memchr("xgLK", block[TYPE], 4))
            size = r.size;
        if (size > left) {
            status = facet_fail(error, FACET_ERROR_MALFORMED, "AR34", r.at,
                                "a member has %" PRIu64 " bytes, but only %" PRIu64 " follow", size,
                                left);
            break;
        }
        status = take_member(&r, block, (size_t)size, error);
        uint64_t whole = (size + BLOCK - 1) / BLOCK * BLOCK;
        r.at = whole < left ? r.at + BLOCK + (size_t)whole : archive->size;
    }
    if (!status && archive->size - r.at < BLOCK &&
        !is_zero(archive->bytes + r.at, archive->size - r.at))
        status = fail_at(&r, error, "a truncated header");
    if (!status)
        status = facet_path_tree_push(&r.tree, fill_member, &r, error);
    facet_path_tree_free(&r.tree);
    facet_arena_release(archive->arena, r.entries, r.capacity, sizeof *r.entries);
    return status;
}

/* -- Check -------------------------------------------------------------- */

/* Offset of the end: after the data of the last file, and after headers of links and folders. */
static size_t end_of(const facet_archive *archive)
{
    uint64_t end = 0, size;
    for (uint32_t i = 0; i < archive->member_count; i++) {
        const facet_archive_member *member = &archive->members[i];
        size_t last = member->data ? (size_t)(member->data - archive->bytes) + member->size : 0;
        end = last > end ? last : end;
    }
    end = (end + BLOCK - 1) / BLOCK * BLOCK;
    while (end < archive->size && archive->size - end >= BLOCK &&
           has_checksum(archive->bytes + end) && number_at(archive->bytes + end + SIZE, 12, &size))
        end += BLOCK + (size + BLOCK - 1) / BLOCK * BLOCK;
    return end < archive->size ? (size_t)end : archive->size;
}

/* A tar that was cut between two members looks complete otherwise. So does one that has a block of
 * zeros before its last members. */
const char *facet_tar_fault(const facet_archive *archive, size_t *offset)
{
    if (archive->kind != FACET_ARCHIVE_TAR || archive->is_piece)
        return NULL;
    size_t at = end_of(archive);
    *offset = archive->size;
    if (archive->size - at < BLOCK)
        return "the tar ends without a block of zeros after its last member";
    for (; at < archive->size; at += BLOCK) {
        size_t left = archive->size - at;
        *offset = at;
        if (!is_zero(archive->bytes + at, left < BLOCK ? left : BLOCK))
            return "the tar ends before other data: members may be missing";
    }
    return NULL;
}

void facet_tar_check(const facet_archive *archive, facet_report *report)
{
    size_t offset;
    const char *fault = facet_tar_fault(archive, &offset);
    if (archive->left_out > 0)
        facet_report_add(report, "AR39", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "%" PRIu32
                         " member%s left out: symbolic links, links to other files, devices",
                         archive->left_out, facet_plural(archive->left_out, " is", "s are"));
    if (fault)
        facet_report_add(report, "AR35", FACET_SEVERITY_WARNING, offset, "%s", fault);
}
