/* cli/output_folder.c - unique paths below a directory for names from a file. */
#include "base/error.h"
#include "base/output.h"
#include "base/system.h"
#include "cli/record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* -- Names -------------------------------------------------------------- */

/* Longer parts are truncated: file systems allow 255 bytes. */
#define MAX_PART 200

/* True for device names of Windows, in any folder: "con", "NUL.txt", "lpt1". */
static bool is_device(const char *part, size_t length)
{
    static const char *const names[] = {"con", "prn", "aux", "nul", "com", "lpt"};
    size_t stem = strcspn(part, ".");
    stem = stem < length ? stem : length;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool numbered = i >= 4;
        if (stem == (numbered ? 4u : 3u) && strncasecmp(part, names[i], 3) == 0 &&
            (!numbered || (part[3] >= '0' && part[3] <= '9')))
            return true;
    }
    return false;
}

/* Append the parts of an untrusted name to `path`. No part leads upward or is empty. Invalid UTF-8,
 * and characters with a meaning for a terminal, a shell or some system, are replaced. */
static void append_name(char *path, size_t space, const char *name)
{
    size_t used = strlen(path);
    for (const char *at = name; *at && used + 2 < space;) {
        size_t length = strcspn(at, "/\\"), kept = length < MAX_PART ? length : MAX_PART;
        bool skipped = length == 0 || strncmp(at, ".", length) == 0 ||
                       (length == 2 && at[0] == '.' && at[1] == '.');
        if (!skipped) {
            if (used == 0 || path[used - 1] != '/')
                path[used++] = '/';
            if (is_device(at, length) && used + 1 < space)
                path[used++] = '_';
            for (size_t i = 0, taken; i < kept; i += taken) {
                facet_shown shown;
                taken = facet_show_character(&shown, at + i, kept - i);
                bool last = i + taken == kept && (at[i] == '.' || at[i] == ' ');
                bool plain =
                    memcmp(shown.text, at + i, taken) == 0 && !last && !strchr(":*?\"<>|", at[i]);
                size_t wanted = plain ? taken : 1;
                if (used + wanted >= space)
                    break;
                memcpy(path + used, plain ? at + i : "_", wanted);
                used += wanted;
            }
        }
        at += length + (at[length] != '\0');
    }
    path[used] = '\0';
}

/* -- Paths -------------------------------------------------------------- */

static char folded(const cli_places *places, char letter)
{
    return places->any_case && letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

/* Slot of a path in the table, or the free slot for it. */
static cli_output_folder *place_of(const cli_places *places, cli_output_folder *table, size_t space,
                                   const char *path)
{
    uint64_t hash = 14695981039346656037u;
    for (const char *at = path; *at; at++)
        hash = (hash ^ (unsigned char)folded(places, *at)) * 1099511628211u;
    size_t place = (size_t)(hash ^ hash >> 29) & (space - 1);
    while (table[place].path && (places->any_case ? strcasecmp(table[place].path, path)
                                                  : strcmp(table[place].path, path)) != 0)
        place = (place + 1) & (space - 1);
    return &table[place];
}

/* Keep half of the table empty. */
static bool grow(cli_places *places)
{
    if (places->count < places->space / 2)
        return true;
    size_t space = places->space ? places->space * 2 : 128;
    cli_output_folder *table = calloc(space, sizeof *table);
    if (!table)
        return false;
    for (size_t i = 0; i < places->space; i++) {
        if (places->table[i].path)
            *place_of(places, table, space, places->table[i].path) = places->table[i];
    }
    free(places->table);
    places->table = table;
    places->space = space;
    return true;
}

/* Choose an unused path: "a.png", "a-2.png". The first of a name stores the next number, so equal
 * names need no search. */
bool cli_output_folder_choose(cli_places *places, const char *folder, const char *name, char *path,
                              size_t space)
{
    snprintf(path, space, "%s", folder);
    size_t base = strlen(path);
    append_name(path, space - 16, name);
    if (strlen(path) == base)
        snprintf(path + base, space - base, "/unnamed");
    char *slash = strrchr(path, '/'), *dot = strrchr(slash, '.'), tail[256] = "";
    if (dot && dot > slash + 1 && strlen(dot) < sizeof tail)
        memcpy(tail, dot, strlen(dot) + 1);
    size_t stem = strlen(path) - strlen(tail);
    if (!grow(places))
        return false;
    cli_output_folder *first = place_of(places, places->table, places->space, path), *place = first;
    while (place->path) {
        if (first->next == 0)
            first->next = 2;
        snprintf(path + stem, space - stem, "-%u%s", first->next++, tail);
        place = place_of(places, places->table, places->space, path);
    }
    place->path = strdup(path);
    places->count += place->path != NULL;
    return place->path != NULL;
}

size_t cli_output_folder_name_offset(const cli_places *places)
{
    size_t length = strlen(places->directory);
    return length + (length == 0 || places->directory[length - 1] != '/');
}

/* -- Files -------------------------------------------------------------- */

bool cli_output_folder_make_folders(const cli_places *places, char *path)
{
    if (cli_record_packs(places->record))
        return true;
    for (char *slash = strchr(path + cli_output_folder_name_offset(places), '/'); slash;
         slash = strchr(slash + 1, '/')) {
        facet_file_info place;
        *slash = '\0';
        bool made =
            facet_system_make_folder(path) ||
            (errno == EEXIST && facet_system_get_link_info(path, &place) && place.is_folder);
        *slash = '/';
        if (!made)
            return false;
    }
    return true;
}

facet_status cli_output_folder_fail(facet_error *error, const char *path)
{
    return facet_fail(error, FACET_ERROR_IO, NULL, FACET_NO_OFFSET, "cannot make '%.300s': %s",
                      path, strerror(errno));
}

/* Commit the files that wait: together they wait for the disk once. */
static facet_status commit_waiting(cli_places *places, facet_error *error)
{
    facet_output *outputs[CLI_FILES_AT_ONCE];
    for (size_t i = 0; i < places->waiting_count; i++)
        outputs[i] = places->waiting[i].output;
    facet_status status = facet_outputs_commit(outputs, places->waiting_count, error);
    for (size_t i = 0; i < places->waiting_count; i++) {
        facet_output_free(outputs[i]);
        if (!status)
            cli_remark(places->record, "%s: %zu bytes", places->waiting[i].path,
                       places->waiting[i].size);
        free(places->waiting[i].path);
    }
    places->waiting_count = 0;
    return status;
}

/* In a record, each file is committed by itself, since its output is recorded. */
static facet_status commit(cli_places *places, const char *path, facet_output *output, size_t size,
                           facet_error *error)
{
    if (cli_is_silent(places->record)) {
        facet_status status = cli_commit(places->record, path, output, error);
        facet_output_free(output);
        if (!status)
            cli_remark(places->record, "%s: %zu bytes", path, size);
        return status;
    }
    char *copy = strdup(path);
    if (!copy) {
        facet_output_free(output);
        return facet_fail_memory(error, strlen(path) + 1);
    }
    places->waiting[places->waiting_count].path = copy;
    places->waiting[places->waiting_count].output = output;
    places->waiting[places->waiting_count++].size = size;
    return places->waiting_count == CLI_FILES_AT_ONCE ? commit_waiting(places, error) : FACET_OK;
}

facet_status cli_output_folder_write(cli_places *places, char *path, const void *data, size_t size,
                                     facet_error *error)
{
    facet_output *output = NULL;
    if (!cli_output_folder_make_folders(places, path))
        return cli_output_folder_fail(error, path);
    /* A link at this path leads out of the directory. */
    facet_status status = cli_open_file(places->record, path, false, &output, error);
    if (status && places->waiting_count > 0) { /* they may have the last descriptors */
        TRY(commit_waiting(places, error));
        status = cli_open_file(places->record, path, false, &output, error);
    }
    TRY(status);
    facet_output_write(output, data, size);
    return commit(places, path, output, size, error);
}

facet_status cli_output_folder_end(cli_places *places, facet_status status, facet_error *error)
{
    facet_error own;
    facet_status ended =
        places->waiting_count > 0 ? commit_waiting(places, status ? &own : error) : FACET_OK;
    for (size_t i = 0; i < places->space; i++)
        free(places->table[i].path);
    free(places->table);
    return status ? status : ended;
}
