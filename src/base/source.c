/* base/source.c - sources in memory, and siblings of any source. */
#include "base/error.h"
#include "base/file.h"

#include <string.h>
#include <strings.h>

/* Maximum length of a file name. */
#define MAX_NAME 4096

/* -- Siblings ----------------------------------------------------------- */

/* True for names that stay below the directory that they are relative to. */
static bool stays_inside(const char *name)
{
    if (name[0] == '/' || (name[0] != '\0' && name[1] == ':'))
        return false;
    int depth = 0;
    for (const char *at = name; *at;) {
        size_t length = strcspn(at, "/");
        if (length == 2 && at[0] == '.' && at[1] == '.')
            depth--;
        else if (length > 0 && !(length == 1 && at[0] == '.'))
            depth++;
        if (depth < 0)
            return false;
        at += length + (at[length] == '/');
    }
    return true;
}

facet_status facet_source_open_sibling(const facet_source *source, const char *name,
                                       facet_source *sibling, facet_error *error)
{
    char relative[MAX_NAME];
    facet_quoted quoted;
    size_t length = strlen(name);
    if (!source->open_sibling)
        return facet_fail(error, FACET_ERROR_IO, NULL, FACET_NO_OFFSET,
                          "'%s' cannot be opened: the input is not a file with a directory",
                          facet_quote(&quoted, name, length));
    if (length >= sizeof relative)
        return facet_fail(error, FACET_ERROR_IO, NULL, FACET_NO_OFFSET,
                          "'%s' cannot be opened: the name has %zu bytes, more than %d",
                          facet_quote(&quoted, name, length), length, MAX_NAME - 1);
    for (size_t i = 0; i <= length; i++)
        relative[i] = name[i] == '\\' ? '/' : name[i];
    if (!source->allow_external && !stays_inside(relative))
        return facet_fail(error, FACET_ERROR_IO, "FILE-EXTERNAL", FACET_NO_OFFSET,
                          "'%s' is not a path below the directory of the file that names it",
                          facet_quote(&quoted, name, length));
    facet_source opened = {0};
    facet_fail(error, FACET_ERROR_IO, NULL, FACET_NO_OFFSET, "'%s' does not exist",
               facet_quote(&quoted, name, length));
    TRY(source->open_sibling(source, relative, &opened, error));
    opened.allow_external = source->allow_external;
    *sibling = opened;
    return FACET_OK;
}

facet_status facet_source_open_uri(const facet_source *source, const char *path,
                                   facet_source *sibling, facet_error *error)
{
    char shorter[MAX_NAME];
    facet_error ignored;
    size_t length = strcspn(path, "?#");
    facet_status status = facet_source_open_sibling(source, path, sibling, error);
    if (status != FACET_ERROR_IO || !path[length] || length == 0 || length >= sizeof shorter)
        return status;
    memcpy(shorter, path, length);
    shorter[length] = '\0';
    facet_status second = facet_source_open_sibling(source, shorter, sibling, &ignored);
    if (facet_lacks_memory(second) && error)
        *error = ignored;
    return !second || facet_lacks_memory(second) ? second : status;
}

const char *facet_path_base(const char *path)
{
    const char *base = path;
    for (; *path; path++) {
        if (*path == '/' || *path == '\\')
            base = path + 1;
    }
    return base;
}

size_t facet_path_ends(const char *path, const char *ends[FACET_PATH_ENDS])
{
    size_t count = 0;
    for (const char *at = path; *at; at++) {
        if ((*at != '/' && *at != '\\') || at[1] == '\0')
            continue;
        if (count == FACET_PATH_ENDS)
            memmove(ends, ends + 1, --count * sizeof *ends);
        ends[count++] = at + 1;
    }
    return count;
}

bool facet_source_open_end(const facet_source *source, const char *path, facet_source *sibling,
                           const char **used)
{
    const char *ends[FACET_PATH_ENDS];
    facet_error ignored;
    bool is_open = false;
    size_t count = facet_path_ends(path, ends);
    for (size_t i = 0; i < count && !is_open; i++) {
        *used = ends[i];
        is_open = !facet_source_open_uri(source, ends[i], sibling, &ignored);
    }
    return is_open;
}

void facet_source_close(facet_source *source)
{
    if (source->close)
        source->close(source);
    memset(source, 0, sizeof *source);
}

/* -- Memory ------------------------------------------------------------- */

facet_source facet_source_from_memory(const void *data, size_t size, const char *name)
{
    facet_source source = {0};
    source.data = data;
    source.size = size;
    source.name = name;
    return source;
}

/* Append the next part of a path. "." and ".." are resolved as far as possible without the file
 * system: "a/../b" becomes "b". `text` has MAX_NAME bytes; false if the result does not fit. */
static bool append_parts(char *text, size_t *used, const char *path, size_t length)
{
    const char *end = path + length;
    for (const char *at = path; at < end;) {
        const char *slash = memchr(at, '/', (size_t)(end - at));
        size_t part = (size_t)((slash ? slash : end) - at);
        bool up = part == 2 && at[0] == '.' && at[1] == '.';
        if (up && *used > 0) {
            while (*used > 0 && text[*used - 1] != '/')
                --*used;
            *used -= *used > 0;
        } else if (part > 0 && !up && !(part == 1 && at[0] == '.')) {
            if (*used + part + 2 > MAX_NAME)
                return false;
            if (*used > 0)
                text[(*used)++] = '/';
            memcpy(text + *used, at, part);
            *used += part;
        }
        at += part + 1;
    }
    text[*used] = '\0';
    return true;
}

static facet_status open_in_folder(const facet_source *source, const char *name,
                                   facet_source *sibling, facet_error *error)
{
    const facet_memory_folder *folder = source->user;
    char wanted[MAX_NAME], have[MAX_NAME];
    size_t used = 0;
    const char *slash = strrchr(source->name, '/');
    size_t directory = slash && name[0] != '/' ? (size_t)(slash - source->name) : 0;
    (void)error;
    if (!append_parts(wanted, &used, source->name, directory) ||
        !append_parts(wanted, &used, name, strlen(name)))
        return FACET_ERROR_IO;
    /* First the exact name, then ignoring case. */
    for (size_t k = 0; k < folder->count * 2; k++) {
        size_t i = k % folder->count, length = 0;
        const char *each = folder->files[i].name;
        if (append_parts(have, &length, each, strlen(each)) &&
            (k < folder->count ? strcmp(have, wanted) : strcasecmp(have, wanted)) == 0) {
            *sibling = facet_source_from_folder(folder, i);
            return FACET_OK;
        }
    }
    return FACET_ERROR_IO;
}

facet_source facet_source_from_folder(const facet_memory_folder *folder, size_t index)
{
    const facet_memory_file *file = &folder->files[index];
    facet_source source = facet_source_from_memory(file->data, file->size, file->name);
    source.open_sibling = open_in_folder;
    source.user = (void *)(uintptr_t)folder;
    return source;
}
