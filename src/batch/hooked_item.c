/* batch/hooked_item.c - files of an item between its hooks. */
#include "batch/hooked_item.h"
#include "base/arena.h"
#include "base/folder.h"
#include "base/json.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- The folder --------------------------------------------------------- */

int cli_hooked_items_open(cli_batch *batch)
{
    char path[FACET_PATH_MAX];
    if (!batch->fetch && !batch->store)
        return EXIT_DONE;
    cli_temporary_template(path);
    batch->folder = mkdtemp(path) ? strdup(path) : NULL;
    if (!batch->folder)
        cli_complain(NULL, "%s: %s", path, strerror(errno));
    return batch->folder ? EXIT_DONE : EXIT_SYSTEM;
}

/* Folders in it are at most two levels deep. */
static void remove_tree(const char *path, unsigned depth)
{
    facet_folder folder;
    char inner[FACET_PATH_MAX];
    bool listed = facet_folder_list(path, &folder);
    for (size_t i = 0; listed && i < folder.count; i++) {
        int length = snprintf(inner, sizeof inner, "%s/%s", path, folder.names[i]);
        if (length > 0 && length < FACET_PATH_MAX && unlink(inner) != 0 && depth > 0)
            remove_tree(inner, depth - 1);
    }
    facet_folder_free(&folder);
    rmdir(path);
}

void cli_hooked_items_close(cli_batch *batch)
{
    if (batch->folder)
        remove_tree(batch->folder, 2);
    free(batch->folder);
    batch->folder = NULL;
}

/* -- Names -------------------------------------------------------------- */

/* The name of a file, or the end of a URL, with only characters that have no special meaning. */
static char *plain_name(facet_arena *arena, const char *path)
{
    enum { LONGEST = 128 };
    size_t end = strcspn(path, "?#"), first = end;
    while (first > 0 && path[first - 1] != '/')
        first--;
    if (end - first > LONGEST)
        first = end - LONGEST;
    char *name = facet_arena_string(arena, path + first, end - first);
    for (char *at = name; at && *at; at++) {
        bool plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                     (*at >= '0' && *at <= '9') || *at == '_' ||
                     (at > name && (*at == '.' || *at == '-'));
        *at = plain ? *at : '_';
    }
    return name && !*name ? facet_arena_string(arena, "_", 1) : name;
}

/* FOLDER/NUMBER/NAME: each file has a separate folder, because names may be equal. */
static char *name_file(cli_hooked_item *hooked, unsigned number, const char *path)
{
    char *name = plain_name(hooked->arena, path);
    return name ? facet_arena_format(hooked->arena, "%s/%u/%s", hooked->folder, number, name)
                : NULL;
}

static bool make_folders(const cli_hooked_item *hooked)
{
    char inner[FACET_PATH_MAX];
    bool made = mkdir(hooked->folder, 0700) == 0 || errno == EEXIST;
    int length = snprintf(inner, sizeof inner, "%s/0", hooked->folder);
    return made && length > 0 && length < FACET_PATH_MAX &&
           (mkdir(inner, 0700) == 0 || errno == EEXIST);
}

bool cli_hooked_item_begin(cli_hooked_item *hooked, const cli_batch *batch, unsigned slot,
                           const cli_batch_item *item)
{
    *hooked = (cli_hooked_item){.item = *item, .more = *cli_batch_more_of(item)};
    if (facet_arena_create(NULL, &hooked->arena, NULL))
        return false;
    size_t count = hooked->more.also_count;
    hooked->folder = facet_arena_format(hooked->arena, "%s/%u", batch->folder, slot);
    char **also = facet_arena_allocate(hooked->arena, count + 1, sizeof *also);
    bool named = hooked->folder && also && make_folders(hooked);
    if (named && batch->fetch) {
        hooked->item.in = name_file(hooked, 0, item->in);
        hooked->item.in_archive = 0;
        named = hooked->item.in != NULL;
    }
    if (named && batch->store && item->out) {
        hooked->item.out = name_file(hooked, 1, item->out);
        named = hooked->item.out != NULL;
    }
    for (size_t i = 0; i < count && named && batch->store; i++) {
        also[i] = name_file(hooked, (unsigned)i + 2, hooked->more.also[i]);
        named = also[i] != NULL;
    }
    hooked->more.also = batch->store ? also : hooked->more.also;
    hooked->item.more = &hooked->more;
    return named;
}

/* -- Hooks -------------------------------------------------------------- */

bool cli_hooked_item_fetch(cli_hooked_item *hooked, const cli_batch *batch,
                           const cli_batch_item *item)
{
    const cli_hook_names names = {.in = item->in, .file = hooked->item.in};
    return cli_hook_start(batch->fetch, &names, &hooked->process, NULL);
}

bool cli_hooked_item_store(cli_hooked_item *hooked, const cli_batch *batch)
{
    const cli_parcel *parcel = &hooked->parcels[hooked->stored];
    const cli_hook_names names = {.out = parcel->out, .file = parcel->file};
    return cli_hook_start(batch->store, &names, &hooked->process, NULL);
}

/* -- Paths in the line of results --------------------------------------- */

/* Path of a file of the item, from the number's folder on; NULL: the file is elsewhere. */
static const char *inside(const cli_hooked_item *hooked, const char *path)
{
    size_t length = strlen(hooked->folder);
    return strncmp(path, hooked->folder, length) == 0 && path[length] == '/' ? path + length + 1
                                                                             : NULL;
}

/* The item's own name of the input or output in the folder of `path`; *local is its name in the
 * item. NULL if the file is elsewhere. */
static const char *owner_of(const cli_hooked_item *hooked, const cli_batch_item *item,
                            const char *path, const char **local)
{
    const char *found = inside(hooked, path);
    unsigned long number = found ? strtoul(found, NULL, 10) : 0;
    const cli_batch_more *more = cli_batch_more_of(item);
    *local = number == 0 ? hooked->item.in : number == 1 ? hooked->item.out : NULL;
    if (!found || number < 2 || number - 2 >= more->also_count)
        return !found ? NULL : number == 0 ? item->in : number == 1 ? item->out : NULL;
    *local = hooked->more.also[number - 2];
    return more->also[number - 2];
}

/* The item's own path of a file of the item. Other paths are returned unchanged. */
static const char *given_path(cli_hooked_item *hooked, const cli_batch_item *item, const char *path)
{
    const char *local, *owner = owner_of(hooked, item, path, &local);
    if (!owner)
        return path;
    if (strcmp(local, path) == 0)
        return owner;
    return facet_arena_format(hooked->arena, "%.*s%s", (int)facet_path_folder_length(owner), owner,
                              facet_path_name(path));
}

/* Decoded bytes of a name in a line, in the arena; NULL: no name. */
static char *decoded(cli_hooked_item *hooked, const facet_json *object, const char *key)
{
    const char *text = facet_json_string_value(facet_json_object_get(object, key));
    char *name = text ? facet_arena_string(hooked->arena, text, strlen(text)) : NULL;
    if (name)
        cli_decode_name(name);
    return name;
}

static void add_parcel(cli_hooked_item *hooked, const char *file, const char *out)
{
    hooked->parcels[hooked->count++] = (cli_parcel){file, out};
}

/* Remove side files in the item's folder from a line: nobody else can read them. */
static facet_json *restore_sides(cli_hooked_item *hooked, const facet_json *sides)
{
    facet_json *list = facet_json_array();
    for (size_t i = 0; i < facet_json_array_size(sides); i++) {
        facet_json *side = facet_json_array_get(sides, i);
        const char *path = decoded(hooked, side, "path");
        if (path && !inside(hooked, path))
            facet_json_append(list, facet_json_keep(side));
    }
    return list;
}

/* Replace the path of a file of the item in a sentence by the item's own path. */
static void restore_sentence(cli_hooked_item *hooked, const cli_batch_item *item,
                             facet_json *finding, const char *key)
{
    const char *text = facet_json_string_value(facet_json_object_get(finding, key));
    const char *found = text ? strstr(text, hooked->folder) : NULL, *local;
    const char *owner = found ? owner_of(hooked, item, found, &local) : NULL;
    if (!owner)
        return;
    size_t whole = strlen(local), folder = facet_path_folder_length(local);
    bool is_owner = strncmp(found, local, whole) == 0;
    char *changed =
        is_owner ? facet_arena_format(hooked->arena, "%.*s%s%s", (int)(found - text), text, owner,
                                      found + whole)
                 : facet_arena_format(hooked->arena, "%.*s%.*s%s", (int)(found - text), text,
                                      (int)facet_path_folder_length(owner), owner, found + folder);
    if (changed)
        facet_json_set(finding, key, cli_json_text(changed));
}

bool cli_hooked_item_restore(cli_hooked_item *hooked, const cli_batch *batch,
                             const cli_batch_item *item, facet_json *line)
{
    facet_json *outputs = facet_json_object_get(line, "outputs");
    facet_json *findings = facet_json_object_get(line, "findings");
    const facet_json *sides = facet_json_object_get(line, "sides");
    size_t count = facet_json_array_size(outputs);
    hooked->parcels = facet_arena_allocate(hooked->arena, count + 1, sizeof *hooked->parcels);
    bool made = hooked->parcels != NULL;
    facet_json_set(line, "in", cli_json_name(item->in));
    if (item->out)
        facet_json_set(line, "out", cli_json_name(item->out));
    if (made && batch->store && item->out &&
        facet_json_is_string(facet_json_object_get(line, "out_sha256")))
        add_parcel(hooked, hooked->item.out, item->out);
    for (size_t i = 0; i < count && made; i++) {
        facet_json *output = facet_json_array_get(outputs, i);
        const char *path = decoded(hooked, output, "path");
        const char *given = path ? given_path(hooked, item, path) : NULL;
        made = given != NULL;
        if (made && batch->store)
            add_parcel(hooked, path, given);
        if (made)
            facet_json_set(output, "path", cli_json_name(given));
    }
    if (sides)
        facet_json_set(line, "sides", restore_sides(hooked, sides));
    for (size_t i = 0; i < facet_json_array_size(findings) && made; i++) {
        restore_sentence(hooked, item, facet_json_array_get(findings, i), "message");
        restore_sentence(hooked, item, facet_json_array_get(findings, i), "file");
    }
    return made && !facet_arena_status(hooked->arena, NULL);
}

/* -- Removal ------------------------------------------------------------ */

static void remove_file(const char *path)
{
    if (path && unlink(path) != 0)
        return; /* the output was not created; the folder is removed at the end */
}

void cli_hooked_item_end(cli_hooked_item *hooked)
{
    if (!hooked->arena)
        return;
    if (hooked->process > 0) {
        cli_hook_kill(hooked->process);
        cli_hook_end(hooked->process);
    }
    for (size_t i = 0; i < hooked->count; i++)
        remove_file(hooked->parcels[i].file);
    if (hooked->folder && inside(hooked, hooked->item.in))
        remove_file(hooked->item.in);
    if (hooked->folder && hooked->item.out && inside(hooked, hooked->item.out))
        remove_file(hooked->item.out);
    facet_json_free(hooked->line);
    facet_arena_free(hooked->arena);
    *hooked = (cli_hooked_item){0};
}
