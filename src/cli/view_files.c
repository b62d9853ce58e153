/* cli/view_files.c - the entries of facet view: arguments, folders, archives. */
#include "cli/view.h"

#include "base/error.h"
#include "base/file.h"
#include "base/grow.h"
#include "base/system.h"
#include "scene/format.h"

#include <facet/convert.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LISTED = 100000 };

/* -- Lists -------------------------------------------------------------- */

typedef struct listing {
    const char *folder;
    char **paths;
    size_t count, space;
    bool failed;
} listing;

/* Formats that can have models, animations, or both, like IQM. Those with only animations need no
 * triangles. */
static bool holds_both(const facet_format *format)
{
    return facet_format_can_load_animation(format) &&
           (facet_format_needs(format) & FACET_NEED_TRIANGLES) != 0;
}

/* True if the file's name is that of a format with meshes. */
static bool is_model(const char *name)
{
    const facet_format *format = facet_format_from_path(name);
    return format && facet_format_can_read(format) && !format->image && !format->folder &&
           (!facet_format_can_load_animation(format) || holds_both(format));
}

static bool add_path(void *user, const char *name)
{
    listing *l = user;
    if (!is_model(name) || l->count >= MAX_LISTED)
        return true;
    size_t folder = strlen(l->folder), length = folder + strlen(name) + 2;
    char *path = FACET_GROW_HEAP(l->paths, l->count + 1, l->space) ? malloc(length) : NULL;
    if (!path) {
        l->failed = true;
        return false;
    }
    bool needs_slash = folder > 0 && l->folder[folder - 1] != '/';
    snprintf(path, length, "%s%s%s", l->folder, needs_slash ? "/" : "", name);
    l->paths[l->count++] = path;
    return true;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static facet_status list_archive(listing *l, const facet_options *options, facet_error *error)
{
    facet_input *input = NULL;
    facet_source source;
    facet_archive *archive = NULL;
    facet_status status = facet_input_open(l->folder, options, &input, error);
    if (!status)
        status = facet_input_decompress(input, &source, error);
    if (!status)
        status = facet_archive_read(&source, options, &archive, error);
    for (uint32_t i = 0; !status && i < archive->member_count && !l->failed; i++) {
        char path[FACET_PATH_MAX];
        if (archive->members[i].flags & FACET_ARCHIVE_FILE &&
            facet_archive_path(archive, i, path, sizeof path) < sizeof path)
            add_path(l, path);
    }
    facet_archive_free(archive);
    facet_input_close(input);
    return status;
}

void cli_view_free_list(char **paths, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(paths[i]);
    free(paths);
}

facet_status cli_view_list(const char *folder, const facet_options *options, char ***paths,
                           size_t *count, facet_error *error)
{
    facet_file_info place;
    listing l = {.folder = folder};
    facet_status status = FACET_OK;
    const char *listed = *folder ? folder : ".";
    if (facet_system_get_file_info(listed, &place) && place.is_folder) {
        if (!facet_system_list(listed, add_path, &l) && !l.failed)
            status = facet_fail(error, FACET_ERROR_IO, NULL, FACET_NO_OFFSET,
                                "the folder '%s' cannot be read", listed);
    } else {
        status = list_archive(&l, options, error);
    }
    if (!status && l.failed)
        status = facet_fail_memory(error, 0);
    if (status) {
        cli_view_free_list(l.paths, l.count);
        return status;
    }
    if (l.count > 0)
        qsort(l.paths, l.count, sizeof *l.paths, compare_paths);
    *paths = l.paths;
    *count = l.count;
    return FACET_OK;
}

/* -- Arguments ---------------------------------------------------------- */

/* True for a folder, or for an archive itself. */
static bool is_list(const char *path)
{
    facet_file_info place;
    const facet_format *format = facet_format_from_path(path);
    return (facet_system_get_file_info(path, &place) && place.is_folder) ||
           (format && format->folder);
}

/* True for a file with animations and no meshes. An unreadable file is reported when it is
 * shown. */
static bool only_moves(const char *path, const facet_options *options)
{
    facet_input *input = NULL;
    facet_source source;
    facet_description *description = NULL;
    bool moves = false;
    if (facet_input_open(path, options, &input, NULL))
        return false;
    if (!facet_input_decompress(input, &source, NULL) &&
        !facet_describe(&source, NULL, options, &description, NULL))
        moves = description->meshes == 0 && description->animations > 0;
    facet_description_free(description);
    facet_input_close(input);
    return moves;
}

static bool is_added(const char *path, const facet_options *options)
{
    const facet_format *format = facet_format_from_path(path);
    return format && facet_format_can_load_animation(format) &&
           (!holds_both(format) || only_moves(path, options));
}

static int add_list(const cli_viewing *v, facet_viewer *viewer, const char *path)
{
    char **paths = NULL;
    size_t count = 0;
    facet_error error;
    facet_status status = cli_view_list(path, &v->options, &paths, &count, &error);
    for (size_t i = 0; i < count && !status; i++) {
        const facet_view_files files = {(const char *const *)&paths[i], 1, false};
        status = facet_viewer_add(viewer, &files, &error);
    }
    cli_view_free_list(paths, count);
    if (status)
        return cli_complain_error(v->arguments->record, path, &error);
    if (count == 0)
        cli_complain(v->arguments->record, "%s: no models in it", path);
    return count == 0 ? EXIT_INPUT : EXIT_DONE;
}

int cli_view_add_words(const cli_viewing *viewing, facet_viewer *viewer)
{
    char **words = viewing->arguments->words;
    int count = viewing->arguments->count;
    for (int i = 0; i < count;) {
        facet_error error;
        int end = i + 1;
        while (end < count && is_added(words[end], &viewing->options))
            end++;
        const facet_view_files files = {(const char *const *)words + i, (size_t)(end - i), false};
        if (end == i + 1 && is_list(words[i])) {
            int result = add_list(viewing, viewer, words[i]);
            if (result != EXIT_DONE)
                return result;
        } else if (facet_viewer_add(viewer, &files, &error)) {
            return cli_complain_error(viewing->arguments->record, words[i], &error);
        }
        i = end;
    }
    return EXIT_DONE;
}
