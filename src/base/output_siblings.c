/* base/output_siblings.c - outputs next to another output, and their names. */
#include "base/arena.h"
#include "base/error.h"
#include "base/output_state.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static facet_status open_memory_sibling(const facet_output *output, const char *name,
                                        facet_output **sibling, facet_error *error)
{
    facet_output *made = NULL;
    facet_status status = facet_output_create(FACET_OUTPUT_TO_MEMORY,
                                              facet_arena_allocator(output->arena), &made, error);
    if (!status)
        status = facet_output_set_name(made, name, error);
    if (status)
        facet_output_free(made);
    else
        *sibling = made;
    return status;
}

static facet_status open_callback_sibling(const facet_output *output, const char *name,
                                          facet_output **sibling, facet_error *error)
{
    facet_output_callbacks callbacks = {0};
    facet_error fault = {0};
    facet_status status =
        output->callbacks.open_sibling(output->callbacks.user, name, &callbacks, &fault);
    if (status) {
        facet_output_fail_callback(output, status, "create a file next to", &fault);
        if (error)
            *error = fault;
        return status;
    }
    status = facet_output_open_callbacks(&callbacks, name, sibling, error);
    if (status && callbacks.close)
        callbacks.close(callbacks.user);
    return status;
}

/* The byte of a name at `at`, as a sibling has it. Other files refer to a sibling by its name. They
 * cannot hold control characters or quotes, nor a blank as the first character. Readers take a
 * backslash for a separator, and a colon for the end of a drive or scheme. */
static char sibling_byte(const char *name, size_t at)
{
    bool is_bad = (unsigned char)name[at] < ' ' || name[at] == 0x7F || strchr("\\:\"", name[at]) ||
                  (at == 0 && name[at] == ' ');
    return is_bad ? '_' : name[at];
}

static size_t stem_length(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && dot > name ? (size_t)(dot - name) : strlen(name);
}

bool facet_output_renames_siblings(const facet_output *output)
{
    const char *name = facet_output_name(output);
    size_t stem = stem_length(name);
    for (size_t i = 0; i < stem; i++) {
        if (sibling_byte(name, i) != name[i])
            return output->sibling != NULL;
    }
    return false;
}

char *facet_output_sibling_name(const facet_output *output, facet_arena *arena)
{
    const char *name = facet_output_name(output);
    size_t stem = stem_length(name);
    char *copy = facet_arena_string(arena, name, strlen(name));
    for (size_t i = 0; copy && i < stem; i++)
        copy[i] = sibling_byte(name, i);
    return copy;
}

/* Build the whole path of a sibling: that of the output with another extension. */
static facet_status name_sibling(const facet_output *output, const char *extension,
                                 char path[PATH_MAX], facet_error *error)
{
    const char *whole = output->file.path, *slash = strrchr(whole, '/');
    const char *name = slash ? slash + 1 : whole;
    size_t folder = (size_t)(name - whole), stem = stem_length(name);
    int used = snprintf(path, PATH_MAX, "%.*s%s", (int)(folder + stem), whole, extension);
    if (used < 0 || used >= PATH_MAX)
        return facet_fail_system(error, ENAMETOOLONG, "create", whole);
    for (size_t i = 0; i < stem; i++)
        path[folder + i] = sibling_byte(name, i);
    return FACET_OK;
}

/* Check that no two of the files are the same, also in file systems that ignore case. */
static facet_status refuse_same_name(facet_output *first, const char *path,
                                     const facet_new_file *file, facet_error *error)
{
    bool is_first = *first->file.path && strcasecmp(first->file.path, path) == 0;
    if ((*path && (is_first || facet_output_names_has(&first->names, path, file))) ||
        (file && facet_new_file_is_same(&first->file, file)))
        return facet_fail(error, FACET_ERROR_ARGUMENT, "OUTPUT-NAMES", FACET_NO_OFFSET,
                          "'%s' writes a second file of the same name; give the output another "
                          "extension",
                          path);
    return FACET_OK;
}

static facet_status open_sibling_of_kind(facet_output *output, const char *path,
                                         facet_output **made, facet_error *error)
{
    facet_output *first = output->first ? output->first : output;
    if (output->kind == FACET_OUTPUT_TO_MEMORY)
        return open_memory_sibling(output, *output->file.path ? path : "", made, error);
    if (output->kind == FACET_OUTPUT_TO_CALLBACKS)
        return open_callback_sibling(output, path, made, error);
    TRY(facet_output_open(path, made, error));
    /* An existing file may be a link. The sibling keeps the name of the link, which may point to
     * another one's name. */
    (*made)->name = facet_arena_string((*made)->arena, path, strlen(path));
    facet_status status = (*made)->name
                              ? refuse_same_name(first, (*made)->file.path, &(*made)->file, error)
                              : facet_fail_arena((*made)->arena, error);
    if (status)
        facet_output_free(*made);
    return status;
}

/* Open a sibling at a path. `what` is used in messages about streams. */
static facet_status open_at(facet_output *output, const char *path, const char *what,
                            facet_output **sibling, facet_error *error)
{
    facet_output *made = NULL, *first = output->first ? output->first : output;
    facet_status status = FACET_OK;
    if (output->kind == FACET_OUTPUT_TO_DESCRIPTOR ||
        (output->kind == FACET_OUTPUT_TO_CALLBACKS && !output->callbacks.open_sibling))
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, NULL, FACET_NO_OFFSET,
                          "a second file (%s) cannot be written next to a stream", what);
    if (*facet_output_name(output))
        status = refuse_same_name(first, path, NULL, error);
    if (!status)
        status = open_sibling_of_kind(output, path, &made, error);
    if (status)
        return status;
    if (!facet_output_names_put(&first->names, made->file.path, &made->file)) {
        facet_output_free(made);
        return facet_fail_arena(first->arena, error);
    }
    made->unsynced = output->unsynced;
    made->first = first;
    if (output->hashed)
        facet_output_begin_hash(made);
    output->last_sibling->sibling = made;
    output->last_sibling = made;
    if (made->kind == FACET_OUTPUT_TO_FILE)
        facet_output_note_open(made);
    *sibling = made;
    return FACET_OK;
}

facet_status facet_output_open_sibling(facet_output *output, const char *extension,
                                       facet_output **sibling, facet_error *error)
{
    char path[PATH_MAX];
    TRY(name_sibling(output, extension, path, error));
    return open_at(output, path, extension, sibling, error);
}

facet_status facet_output_open_beside(facet_output *output, const char *name,
                                      facet_output **sibling, facet_error *error)
{
    char path[PATH_MAX];
    const char *whole = output->file.path, *slash = strrchr(whole, '/');
    int folder = slash ? (int)(slash + 1 - whole) : 0;
    int used = snprintf(path, sizeof path, "%.*s%s", folder, whole, name);
    if (used < 0 || used >= PATH_MAX)
        return facet_fail_system(error, ENAMETOOLONG, "create", whole);
    return open_at(output, path, name, sibling, error);
}
