/* convert/move_paths.c - texture paths relative to another file. */
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/listing.h"
#include "base/system.h"

#include <facet/archive.h>
#include <facet/convert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef _WIN32
#define find_whole(path, whole) _fullpath(whole, path, FACET_PATH_MAX)
#define same_letter(a, b) (_strnicmp(a, b, 1) == 0)
#else
#define find_whole(path, whole) realpath(path, whole)
#define same_letter(a, b) (*(a) == *(b))
#endif

/* Get the absolute folder of a file, with / at the end; false if it is unknown. */
static bool find_folder(const char *path, char whole[FACET_PATH_MAX + 1])
{
    char folder[FACET_PATH_MAX];
    size_t length = facet_path_folder_length(path);
    if (length >= sizeof folder)
        return false;
    memcpy(folder, path, length);
    folder[length] = '\0';
    if (!find_whole(length > 0 ? folder : ".", whole))
        return false;
    for (char *at = whole; *at; at++) {
        if (*at == '\\')
            *at = '/';
    }
    length = strlen(whole);
    if (length > 0 && whole[length - 1] != '/')
        memcpy(whole + length, "/", 2);
    return true;
}

/* Get the path from folder `to` to folder `from`, such as "../models/". False if it does not exist,
 * as between two drives. */
static bool way_between(const char *to, const char *from, char *way, size_t space)
{
    size_t common = 0, used = 0;
    for (size_t i = 0; to[i] && from[i] && same_letter(to + i, from + i); i++) {
        if (to[i] == '/')
            common = i + 1;
    }
    if (common == 0)
        return false;
    way[0] = '\0';
    for (const char *at = to + common; *at; at++) {
        if (*at == '/')
            used += (size_t)snprintf(way + used, used < space ? space - used : 0, "../");
    }
    used += (size_t)snprintf(way + used, used < space ? space - used : 0, "%s", from + common);
    return used < space;
}

typedef struct mover {
    facet_scene *scene;
    char from[FACET_PATH_MAX + 1], to[FACET_PATH_MAX + 1]; /* folders */
    char way[FACET_PATH_MAX];                              /* from `to` to `from` */
    facet_listings listings;
} mover;

/* Correct the case of a name in the folder of the input. False if no file has it. Folders outside
 * are not searched. */
static bool has_file(mover *m, char *name)
{
    char file[FACET_PATH_MAX];
    size_t folder = strlen(m->from);
    int used = snprintf(file, sizeof file, "%s%s", m->from, name);
    if (used < 0 || (size_t)used >= sizeof file)
        return false;
    if (access(file, F_OK) == 0)
        return true;
    if (strstr(name, "..") ||
        !facet_listings_find_path(&m->listings, facet_arena_allocator(m->scene->arena), file,
                                  folder) ||
        access(file, F_OK) != 0)
        return false;
    strcpy(name, file + folder);
    return true;
}

/* The same, also for a name that ends in the query or fragment of a URI. */
static bool has_file_of_uri(mover *m, char *name)
{
    size_t length = strcspn(name, "?#");
    if (has_file(m, name))
        return true;
    name[length] = '\0';
    return length > 0 && has_file(m, name);
}

/* Find the file of a path as readers do (images.c): by its whole name, or by an end of the path of
 * another machine. `name` becomes relative to the folder of the input. */
static bool find_file(mover *m, const char *path, char name[FACET_PATH_MAX])
{
    const char *ends[FACET_PATH_ENDS];
    bool is_local = !facet_path_is_absolute(path) && strncmp(path, "file:", 5) != 0;
    snprintf(name, FACET_PATH_MAX, "%s", path);
    bool is_there = is_local && has_file_of_uri(m, name);
    size_t count = facet_path_ends(path, ends);
    for (size_t i = 0; i < count && !is_there; i++) {
        snprintf(name, FACET_PATH_MAX, "%s", ends[i]);
        is_there = strncmp(name, "..", 2) != 0 && has_file_of_uri(m, name);
    }
    return is_there;
}

/* If a path leads to a file next to the input, change it to be relative to the output. False if out
 * of memory. */
static bool move(mover *m, const char **moved)
{
    char path[FACET_PATH_MAX], name[FACET_PATH_MAX];
    const char *given = *moved ? *moved : "";
    size_t length = strlen(given);
    bool is_url = strstr(given, "://") && strncmp(given, "file:", 5) != 0;
    if (length == 0 || length >= sizeof path || is_url || strncmp(given, "data:", 5) == 0)
        return true;
    for (size_t i = 0; i <= length; i++)
        path[i] = given[i] == '\\' ? '/' : given[i];
    const char *plain = path;
    while (strncmp(plain, "./", 2) == 0)
        plain += 2;
    bool is_kept = facet_path_is_absolute(plain) && access(plain, F_OK) == 0;
    if (is_kept || !find_file(m, plain, name) || (!*m->way && strcmp(name, plain) == 0))
        return true;
    size_t size = strlen(m->way) + strlen(name) + 1;
    char *made = facet_scene_allocate(m->scene, size, 1);
    if (!made)
        return false;
    snprintf(made, size, "%s%s", m->way, name);
    *moved = made;
    return true;
}

/* True for a file of the file system; false for streams and members of archives. */
static bool is_file(const char *path)
{
    return strcmp(path, "-") != 0 && facet_archive_in_path(path) == 0;
}

/* True if the scene names files. If it does not, the file system is not queried. */
static bool names_files(const facet_scene *scene)
{
    for (uint32_t i = 0; i < scene->material_count; i++) {
        for (int map = 0; map < FACET_MAP_COUNT; map++) {
            if (scene->materials[i]->maps[map])
                return true;
        }
    }
    for (uint32_t i = 0; i < scene->image_count; i++) {
        if (scene->images[i]->path)
            return true;
    }
    return false;
}

static bool find_folders(mover *m, const char *from, const char *to)
{
    if (!is_file(from) || !is_file(to) || !find_folder(from, m->from) || !find_folder(to, m->to))
        return false;
    return strcmp(m->from, m->to) == 0 || way_between(m->to, m->from, m->way, sizeof m->way);
}

facet_status facet_scene_move_paths(facet_scene *scene, const char *from, const char *to,
                                    facet_error *error)
{
    if (!names_files(scene))
        return FACET_OK;
    mover *m = facet_arena_allocate_zeroed(scene->arena, 1, sizeof *m);
    if (!m)
        return facet_fail_arena(scene->arena, error);
    m->scene = scene;
    bool moved = true, is_known = find_folders(m, from, to);
    for (uint32_t i = 0; is_known && i < scene->material_count; i++) {
        for (int map = 0; map < FACET_MAP_COUNT; map++) {
            facet_texture *texture = scene->materials[i]->maps[map];
            moved &= !texture || move(m, &texture->path);
        }
    }
    for (uint32_t i = 0; is_known && i < scene->image_count; i++)
        moved &= move(m, &scene->images[i]->path);
    facet_listings_clear(&m->listings);
    facet_arena_release(scene->arena, m, 1, sizeof *m);
    return moved ? FACET_OK : facet_fail_arena(scene->arena, error);
}
