/* base/file.c - input files: mapped into memory if possible, read otherwise. */
#include "base/file.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/listing.h"
#include "base/system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct facet_file {
    facet_arena *arena; /* owner of this struct, the path, and the bytes that were read */
    const char *path;
    const uint8_t *data;
    size_t size;
    bool mapped;
    bool steady;             /* for a parser: see facet_file_open_steady */
    int descriptor;          /* of the mapped file, to read it as well; -1: none */
    facet_listings listings; /* of folders in which named files were searched */
};

/* Up to this size, reading is faster than mapping, where each page is loaded on its first access
 * and addresses must be released. */
#define SMALL ((size_t)64 * 1024)
/* From this size on, requesting large pages pays off. */
#define LARGE ((size_t)4 * 1024 * 1024)

/* -- Filling ------------------------------------------------------------ */

/* Read a file of a known size into `data`. Bytes after that size were added since it was opened,
 * and are ignored. */
static facet_status read_known(facet_file *file, int descriptor, uint8_t *data, size_t size,
                               facet_error *error)
{
    size_t used = 0;
    if (!data)
        return facet_fail_arena(file->arena, error);
    while (used < size) {
        int64_t got = facet_system_read(descriptor, data + used, size - used);
        if (got < 0)
            return facet_fail_system(error, errno, "read", file->path);
        if (got == 0)
            break;
        used += (size_t)got;
    }
    file->data = data;
    file->size = used;
    return FACET_OK;
}

/* Read a file that cannot be mapped, up to its end. */
static facet_status read_all(facet_file *file, int descriptor, facet_error *error)
{
    size_t capacity = 64 * 1024, used = 0;
    uint8_t *data = facet_arena_allocate(file->arena, capacity, 1);
    for (;;) {
        if (!data)
            return facet_fail_arena(file->arena, error);
        int64_t got = facet_system_read(descriptor, data + used, capacity - used);
        if (got < 0)
            return facet_fail_system(error, errno, "read", file->path);
        if (got == 0)
            break;
        used += (size_t)got;
        if (used == capacity) {
            if (capacity > SIZE_MAX / 2)
                return facet_fail_arena(file->arena, error);
            data = facet_arena_resize(file->arena, data, capacity, capacity * 2, 1);
            capacity *= 2;
        }
    }
    file->data = data;
    file->size = used;
    return FACET_OK;
}

/* Allocate memory for a file that is parsed, or return NULL to map it instead. A large file must
 * leave most of the memory for the results. */
static uint8_t *allocate_steady(const facet_file *file, size_t size, const facet_options *options)
{
    uint64_t limit = options ? options->memory_limit : 0;
    if (!file->steady || size > FACET_STEADY_SIZE || (limit > 0 && size > limit / 8))
        return NULL;
    uint8_t *data = facet_arena_allocate(file->arena, size, 1);
    if (data && size >= LARGE)
        facet_system_prefer_large_pages(data, size);
    return data;
}

static facet_status fill(facet_file *file, int descriptor, const facet_options *options,
                         facet_error *error)
{
    facet_file_info place;
    if (!facet_system_get_open_file_info(descriptor, &place))
        return facet_fail_system(error, errno, "read", file->path);
    if (place.is_folder)
        return facet_fail_system(error, EISDIR, "read", file->path);
    bool whole = place.is_file && place.size > 0 && place.size <= SIZE_MAX;
#ifdef __EMSCRIPTEN__ /* its mappings are also read, after they are cleared */
    bool is_small = whole;
#else
    bool is_small = whole && place.size <= SMALL;
#endif
    if (whole && lseek(descriptor, 0, SEEK_CUR) == 0) {
        size_t size = (size_t)place.size;
        uint8_t *data = is_small ? facet_arena_allocate(file->arena, size, 1)
                                 : allocate_steady(file, size, options);
        if (is_small || data)
            return read_known(file, descriptor, data, size, error);
    }
    void *mapped = whole ? facet_system_map(descriptor, (size_t)place.size) : NULL;
    if (!mapped)
        return read_all(file, descriptor, error);
    file->data = mapped;
    file->size = (size_t)place.size;
    file->mapped = true;
    file->descriptor = facet_system_keep(descriptor);
    return FACET_OK;
}

/* -- Opening ------------------------------------------------------------ */

static facet_status open_descriptor(int descriptor, const char *name, const facet_options *options,
                                    bool steady, facet_file **file, facet_error *error)
{
    facet_arena *arena = NULL;
    TRY(facet_arena_create(options, &arena, error));
    facet_file *made = facet_arena_allocate_zeroed(arena, 1, sizeof *made);
    const char *path = facet_arena_string(arena, name, strlen(name));
    if (!made || !path) {
        return facet_arena_abandon(arena, error);
    }
    made->arena = arena;
    made->path = path;
    made->descriptor = -1;
    made->steady = steady;
    facet_status status = fill(made, descriptor, options, error);
    if (status)
        facet_arena_free(arena);
    else
        *file = made;
    return status;
}

static facet_status open_path(const char *path, const facet_options *options, bool steady,
                              facet_file **file, facet_error *error)
{
    int descriptor = facet_system_open(path);
    if (descriptor < 0)
        return facet_fail_system(error, errno, "open", path);
    facet_status status = open_descriptor(descriptor, path, options, steady, file, error);
    close(descriptor);
    return status;
}

facet_status facet_file_open_descriptor(int descriptor, const char *name,
                                        const facet_options *options, facet_file **file,
                                        facet_error *error)
{
    return open_descriptor(descriptor, name, options, false, file, error);
}

facet_status facet_file_open(const char *path, const facet_options *options, facet_file **file,
                             facet_error *error)
{
    return open_path(path, options, false, file, error);
}

facet_status facet_file_open_steady(const char *path, const facet_options *options,
                                    facet_file **file, facet_error *error)
{
    return open_path(path, options, true, file, error);
}

facet_status facet_file_open_descriptor_steady(int descriptor, const char *name,
                                               const facet_options *options, facet_file **file,
                                               facet_error *error)
{
    return open_descriptor(descriptor, name, options, true, file, error);
}

size_t facet_file_in_path(const char *path)
{
    bool is_regular;
    return facet_file_look(path, &is_regular);
}

size_t facet_file_look(const char *path, bool *is_regular)
{
    char part[FACET_PATH_MAX];
    facet_file_info place;
    size_t length = strlen(path);
    *is_regular = false;
    if (length >= sizeof part || facet_system_get_file_info(path, &place)) {
        *is_regular = length < sizeof part && place.is_file;
        return 0;
    }
#ifndef _WIN32
    if (errno == ENOENT) /* ENOTDIR: a part of the path is a file */
        return 0;
#endif
    memcpy(part, path, length + 1);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (!facet_system_get_file_info(part, &place))
            return 0;
        if (place.is_file)
            return (size_t)(slash - part);
        *slash = '/';
    }
    return 0;
}

/* -- As a source -------------------------------------------------------- */

static void close_sibling(facet_source *source)
{
    facet_file_close(source->user);
}

/* -- Files named by other files ------------------------------------------- */

static facet_status fail_named(int code, const char *name, const char *path, facet_error *error)
{
    facet_quoted quoted;
    if (code == EXDEV || code == ELOOP)
        return facet_fail(error, FACET_ERROR_IO, "FILE-EXTERNAL", FACET_NO_OFFSET,
                          "'%s' is a link out of the directory of the file that names it",
                          facet_quote(&quoted, name, strlen(name)));
    return facet_fail_system(error, code, "open", path);
}

static facet_status open_beside(const facet_source *source, const char *name, facet_source *sibling,
                                facet_error *error)
{
    facet_file *file = source->user;
    char path[FACET_PATH_MAX];
    int folder = facet_path_is_absolute(name) ? 0 : (int)facet_path_folder_length(file->path);
    int used = snprintf(path, sizeof path, "%.*s%s", folder, file->path, name);
    if (used < 0 || (size_t)used >= sizeof path)
        return facet_fail_system(error, ENAMETOOLONG, "open", name);
    char parent[FACET_PATH_MAX], copy[FACET_PATH_MAX];
    snprintf(parent, sizeof parent, "%.*s", (int)facet_path_folder_length(file->path), file->path);
    snprintf(copy, sizeof copy, "%s", source->allow_external ? path : name);
    int descriptor = facet_system_open_named(source->allow_external ? NULL : parent, copy);
    int code = errno;
    /* Files from Windows do not keep the case of names. */
    if (descriptor < 0 && code == ENOENT && !facet_path_is_absolute(name) &&
        facet_listings_find_path(&file->listings, facet_arena_allocator(file->arena), path,
                                 (size_t)folder)) {
        snprintf(copy, sizeof copy, "%s", source->allow_external ? path : path + folder);
        descriptor = facet_system_open_named(source->allow_external ? NULL : parent, copy);
        code = errno;
    }
    if (descriptor < 0)
        return fail_named(code, name, path, error);
    facet_file_info place;
    facet_file *opened = NULL;
    facet_quoted quoted;
    facet_status status =
        facet_system_get_open_file_info(descriptor, &place) && place.is_file
            ? open_descriptor(descriptor, path, NULL, file->steady, &opened, error)
            : facet_fail(error, FACET_ERROR_IO, "FILE-EXTERNAL", FACET_NO_OFFSET,
                         "'%s' is not a regular file", facet_quote(&quoted, name, strlen(name)));
    close(descriptor);
    if (status)
        return status;
    *sibling = facet_file_source(opened);
    sibling->close = close_sibling;
    return FACET_OK;
}

/* -- Access ------------------------------------------------------------- */

facet_source facet_file_source(const facet_file *file)
{
    facet_source source = {0};
    source.data = file->data;
    source.size = file->size;
    source.name = file->path;
    source.open_sibling = open_beside;
    source.user = (void *)(uintptr_t)file;
    source.file = file;
    return source;
}

/* The file that a source covers completely, or NULL. */
static const facet_file *whole_file(const facet_source *source)
{
    const facet_file *file = source->file;
    return file && source->data == file->data ? file : NULL;
}

static const facet_file *mapped_file(const facet_source *source)
{
    const facet_file *file = whole_file(source);
    return file && file->mapped ? file : NULL;
}

void facet_source_forget(const facet_source *source, const uint8_t *from, const uint8_t *to)
{
    if (mapped_file(source) && from < to)
        facet_system_forget(from, (size_t)(to - from));
}

void facet_source_discard(const facet_source *source, const uint8_t *from, const uint8_t *to)
{
    if (whole_file(source) && from < to)
        facet_system_forget(from, (size_t)(to - from));
}

bool facet_source_is_mapped(const facet_source *source)
{
    const facet_file *file = mapped_file(source);
    return file && file->descriptor >= 0;
}

void facet_source_copy(const facet_source *source, size_t offset, void *to, size_t size)
{
    const facet_file *file = mapped_file(source);
    if (size > 0 && !(file && file->descriptor >= 0 &&
                      facet_system_read_at(file->descriptor, to, size, offset)))
        memcpy(to, source->data + offset, size);
}

void facet_file_close(facet_file *file)
{
    if (!file)
        return;
    if (file->mapped)
        facet_system_unmap((void *)(uintptr_t)file->data, file->size);
    if (file->descriptor >= 0)
        close(file->descriptor);
    facet_listings_clear(&file->listings);
    facet_arena_free(file->arena);
}
