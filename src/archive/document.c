/* archive/document.c - members of an archive: find them by name, add and remove them. The members
 * of a folder directly follow it, so a folder is a range of members. */
#include "archive/archive.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/table.h"

#include <stdlib.h>
#include <string.h>

/* -- The document ------------------------------------------------------- */

facet_status facet_archive_create(facet_archive_kind kind, const char *name,
                                  const facet_options *options, facet_archive **archive,
                                  facet_error *error)
{
    facet_arena *arena = NULL;
    TRY(facet_check_options(options, error));
    TRY(facet_arena_create(options, &arena, error));
    facet_archive *made = facet_arena_allocate_zeroed(arena, 1, sizeof *made);
    const char *copy = facet_arena_string(arena, name, strlen(name));
    if (!made || !copy) {
        return facet_arena_abandon(arena, error);
    }
    made->arena = arena;
    made->kind = kind;
    made->name = copy;
    made->synced = true;
    made->rearranged = true;
    *archive = made;
    return FACET_OK;
}

facet_archive_member *facet_archive_push(facet_archive *archive)
{
    if (archive->member_count == archive->member_capacity) {
        size_t capacity = archive->member_capacity ? archive->member_capacity * (size_t)2 : 64;
        facet_archive_member *grown =
            capacity < FACET_NONE
                ? facet_arena_resize(archive->arena, archive->members, archive->member_capacity,
                                     capacity, sizeof *grown)
                : NULL;
        if (!grown)
            return NULL;
        archive->members = grown;
        archive->member_capacity = (uint32_t)capacity;
    }
    facet_archive_member *member = &archive->members[archive->member_count++];
    *member = (facet_archive_member){.name = "", .folder = FACET_NONE, .entry = FACET_NONE};
    return member;
}

/* True if the member is in the folder or in a folder in it. */
static bool is_within(const facet_archive *archive, uint32_t member, uint32_t folder)
{
    uint32_t of = archive->members[member].folder;
    while (of != FACET_NONE && of > folder)
        of = archive->members[of].folder;
    return of == folder;
}

/* is_within in constant time, for the members after a folder, in their order, up to the first that
 * is not in it. That one is in a folder that begins earlier. */
static bool is_still_within(const facet_archive *archive, uint32_t member, uint32_t folder)
{
    uint32_t of = archive->members[member].folder;
    return folder == FACET_NONE || (of != FACET_NONE && of >= folder);
}

/* The number after the last member of a folder. */
static uint32_t end_of(const facet_archive *archive, uint32_t folder)
{
    uint32_t last = archive->member_count;
    if (folder == FACET_NONE || last == 0)
        return last;
    /* The usual case while a document is built. */
    if (last == folder + 1 || is_within(archive, last - 1, folder))
        return last;
    for (last = folder + 1; last < archive->member_count && is_still_within(archive, last, folder);)
        last++;
    return last;
}

facet_status facet_archive_check_order(const facet_archive *archive, facet_error *error)
{
    uint32_t open = FACET_NONE; /* folder of the previous members */
    for (uint32_t i = 0; i < archive->member_count; i++) {
        const facet_archive_member *member = &archive->members[i];
        while (open != member->folder && open != FACET_NONE)
            open = archive->members[open].folder;
        if (open != member->folder)
            return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                              "member %u is not after the folder %u that contains it", (unsigned)i,
                              (unsigned)member->folder);
        if (facet_archive_is_folder(member))
            open = i;
    }
    return FACET_OK;
}

/* -- Names -------------------------------------------------------------- */

static char small(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

static bool is_equal(const char *name, const char *text, size_t length, bool any_case)
{
    for (size_t i = 0; i < length; i++) {
        if (name[i] == '\0' || (any_case ? small(name[i]) != small(text[i]) : name[i] != text[i]))
            return false;
    }
    return name[length] == '\0';
}

/* Ignore the case, so that one list is enough. */
static uint32_t hash_of(uint32_t folder, const char *text, size_t length)
{
    uint64_t hash = facet_hash_word(0, folder);
    for (size_t i = 0; i < length; i++)
        hash = facet_hash_word(hash, (uint8_t)small(text[i]));
    return facet_hash_end(hash);
}

static int compare_words(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

bool facet_archive_sort_names(facet_archive *archive)
{
    uint64_t *words = facet_arena_allocate(archive->arena, archive->member_count, sizeof *words);
    if (!words)
        return false;
    for (uint32_t i = 0; i < archive->member_count; i++) {
        const facet_archive_member *member = &archive->members[i];
        uint32_t hash = hash_of(member->folder, member->name, strlen(member->name));
        words[i] = (uint64_t)hash << 32 | i;
    }
    qsort(words, archive->member_count, sizeof *words, compare_words);
    archive->lookup = words;
    return true;
}

static uint32_t find_sorted(const facet_archive *archive, uint32_t folder, const char *name,
                            size_t length, bool any_case)
{
    uint32_t hash = hash_of(folder, name, length), first = 0, end = archive->member_count;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (archive->lookup[middle] >> 32 < hash)
            first = middle + 1;
        else
            end = middle;
    }
    for (; first < archive->member_count && archive->lookup[first] >> 32 == hash; first++) {
        uint32_t index = (uint32_t)archive->lookup[first];
        const facet_archive_member *member = &archive->members[index];
        if (member->folder == folder && is_equal(member->name, name, length, any_case))
            return index;
    }
    return FACET_NONE;
}

static uint32_t find_linear(const facet_archive *archive, uint32_t folder, const char *name,
                            size_t length, bool any_case)
{
    uint32_t from = folder == FACET_NONE ? 0 : folder + 1;
    for (uint32_t i = from; i < archive->member_count && is_still_within(archive, i, folder); i++) {
        const facet_archive_member *member = &archive->members[i];
        if (member->folder == folder && is_equal(member->name, name, length, any_case))
            return i;
    }
    return FACET_NONE;
}

/* The first member of a folder (FACET_NONE: the root) with this name, or FACET_NONE. An exact match
 * comes first, then one that ignores the case of a to z. Until the archive is changed, a sorted
 * list is used; later, the search is linear. */
static uint32_t find_in(const facet_archive *archive, uint32_t folder, const char *name,
                        size_t length)
{
    for (int any_case = 0; any_case < 2; any_case++) {
        uint32_t found = archive->lookup ? find_sorted(archive, folder, name, length, any_case)
                                         : find_linear(archive, folder, name, length, any_case);
        if (found != FACET_NONE)
            return found;
    }
    return FACET_NONE;
}

uint32_t facet_archive_find(const facet_archive *archive, uint32_t folder, const char *path)
{
    uint32_t found = folder;
    bool moved = false; /* the root itself is not a member */
    for (const char *at = path; *at;) {
        size_t length = strcspn(at, "/");
        if (length == 2 && at[0] == '.' && at[1] == '.') {
            if (found == FACET_NONE)
                return FACET_NONE;
            found = archive->members[found].folder;
            moved = found != FACET_NONE;
        } else if (length > 0 && !(length == 1 && at[0] == '.')) {
            uint32_t dot, next = find_in(archive, found, at, length);
            if (next == FACET_NONE && (dot = find_in(archive, found, ".", 1)) != FACET_NONE)
                next = find_in(archive, dot, at, length);
            if (next == FACET_NONE)
                return FACET_NONE;
            found = next;
            moved = true;
        }
        at += length + (at[length] == '/');
    }
    return moved ? found : FACET_NONE;
}

size_t facet_archive_path(const facet_archive *archive, uint32_t member, char *path, size_t space)
{
    size_t length = 0;
    for (uint32_t i = member; i != FACET_NONE; i = archive->members[i].folder)
        length += strlen(archive->members[i].name) + 1;
    length -= 1;
    if (length >= space)
        return length;
    size_t at = length;
    path[at] = '\0';
    for (uint32_t i = member; i != FACET_NONE; i = archive->members[i].folder) {
        size_t part = strlen(archive->members[i].name);
        at -= part;
        memcpy(path + at, archive->members[i].name, part);
        if (at > 0)
            path[--at] = '/';
    }
    return length;
}

/* -- Changes ------------------------------------------------------------ */

static facet_status check_member(const facet_archive *archive, uint32_t member, bool file,
                                 facet_error *error)
{
    if (member >= archive->member_count)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "member %u does not exist; the archive has %u", (unsigned)member,
                          (unsigned)archive->member_count);
    if (file && facet_archive_is_folder(&archive->members[member]))
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "member %u is a folder", (unsigned)member);
    return FACET_OK;
}

facet_status facet_archive_replace(facet_archive *archive, uint32_t member, const void *data,
                                   size_t size, facet_error *error)
{
    TRY(check_member(archive, member, true, error));
    facet_archive_member *m = &archive->members[member];
    m->data = data;
    m->size = size;
    m->replaced = true;
    if (archive->kind == FACET_ARCHIVE_RARC)
        m->flags = (uint8_t)(m->flags & ~FACET_ARCHIVE_COMPRESSION) |
                   facet_archive_compression_of(data, size);
    return FACET_OK;
}

bool facet_archive_leads_away(const char *name)
{
    return name[0] == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
           strpbrk(name, "/\\") != NULL || name[1] == ':';
}

/* Check that the tables can store a name. */
static facet_status check_name(const char *name, size_t length, facet_error *error)
{
    facet_quoted quoted;
    if (length == 0 || length > FACET_ARCHIVE_MAX_NAME)
        return facet_fail(error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                          "the name '%s' has %zu bytes, not 1 to %d",
                          facet_quote(&quoted, name, length), length, FACET_ARCHIVE_MAX_NAME);
    return FACET_OK;
}

static facet_status insert(facet_archive *archive, uint32_t at, uint32_t folder, const char *name,
                           size_t length, const void *data, size_t size, facet_error *error)
{
    TRY(check_name(name, length, error));
    const char *copy = facet_arena_string(archive->arena, name, length);
    if (!copy || !facet_archive_push(archive))
        return facet_fail_arena(archive->arena, error);
    facet_archive_member *members = archive->members;
    if (at + 1 < archive->member_count) {
        memmove(&members[at + 1], &members[at], (archive->member_count - 1 - at) * sizeof *members);
        for (uint32_t i = at + 1; i < archive->member_count; i++)
            members[i].folder += members[i].folder != FACET_NONE && members[i].folder >= at;
    }
    uint8_t flags = FACET_ARCHIVE_FOLDER;
    if (data)
        flags = FACET_ARCHIVE_FILE | FACET_ARCHIVE_MRAM | facet_archive_compression_of(data, size);
    members[at] = (facet_archive_member){.name = copy,
                                         .folder = folder,
                                         .entry = FACET_NONE,
                                         .id = 0xFFFF,
                                         .flags = flags,
                                         .replaced = data != NULL,
                                         .data = data,
                                         .size = data ? size : 0};
    archive->rearranged = true;
    archive->lookup = NULL;
    return FACET_OK;
}

facet_status facet_archive_append(facet_archive *archive, uint32_t folder, const char *name,
                                  const void *data, size_t size, uint32_t *member,
                                  facet_error *error)
{
    if (folder != FACET_NONE &&
        (folder >= archive->member_count || !facet_archive_is_folder(&archive->members[folder])))
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "member %u is not a folder", (unsigned)folder);
    uint32_t at = end_of(archive, folder);
    facet_status status = insert(archive, at, folder, name, strlen(name), data, size, error);
    if (!status && member)
        *member = at;
    return status;
}

/* The position after the last file of a folder. */
static uint32_t behind_files(const facet_archive *archive, uint32_t folder)
{
    uint32_t first = folder == FACET_NONE ? 0 : folder + 1, place = first;
    for (uint32_t i = first; i < archive->member_count && is_still_within(archive, i, folder);
         i++) {
        const facet_archive_member *member = &archive->members[i];
        if (member->folder == folder && !facet_archive_is_folder(member))
            place = i + 1;
    }
    return place;
}

/* Get the next part of a path, in its stored encoding. */
static size_t next_part(const facet_archive *archive, const char *path, char *part, size_t space)
{
    size_t length = strcspn(path, "/");
    for (size_t i = 0; i < length && i + 1 < space; i++)
        part[i] = archive->kind == FACET_ARCHIVE_RARC ? small(path[i]) : path[i];
    part[length < space ? length : space - 1] = '\0';
    return length;
}

facet_status facet_archive_add(facet_archive *archive, const char *path, const void *data,
                               size_t size, uint32_t *member, facet_error *error)
{
    char part[FACET_ARCHIVE_MAX_NAME + 2]; /* extra bytes detect a name that is too long */
    facet_quoted quoted;
    uint32_t folder = FACET_NONE;
    for (unsigned depth = 0;; depth++) {
        size_t length = next_part(archive, path, part, sizeof part);
        if (facet_archive_leads_away(part) || depth >= FACET_ARCHIVE_MAX_DEPTH)
            return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                              "invalid path '%s': expected names, at most %d of them",
                              facet_quote(&quoted, path, strlen(path)), FACET_ARCHIVE_MAX_DEPTH);
        uint32_t found = find_in(archive, folder, part, strlen(part));
        bool last = path[length] == '\0';
        if (found != FACET_NONE && (last || !facet_archive_is_folder(&archive->members[found])))
            return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                              "'%s' exists already", facet_quote(&quoted, part, strlen(part)));
        if (found == FACET_NONE) {
            found = last ? behind_files(archive, folder) : end_of(archive, folder);
            facet_status status =
                insert(archive, found, folder, part, strlen(part), last ? data : NULL, size, error);
            if (status)
                return status;
        }
        if (last) {
            if (member)
                *member = found;
            return FACET_OK;
        }
        folder = found;
        path += length + 1;
    }
}

facet_status facet_archive_remove(facet_archive *archive, uint32_t member, facet_error *error)
{
    TRY(check_member(archive, member, false, error));
    uint32_t end =
        facet_archive_is_folder(&archive->members[member]) ? end_of(archive, member) : member + 1;
    uint32_t count = end - member;
    for (uint32_t i = end; i < archive->member_count; i++) {
        archive->members[i - count] = archive->members[i];
        uint32_t *folder = &archive->members[i - count].folder;
        *folder -= *folder != FACET_NONE && *folder >= end ? count : 0;
    }
    archive->member_count -= count;
    archive->rearranged = true;
    archive->lookup = NULL;
    return FACET_OK;
}
