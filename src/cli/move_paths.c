/* cli/move_paths.c - textures that a scene names, seen from where the output goes. */
#include "cli/convert.h"
#include "cli/options.h"

#include "base/arena.h"
#include "base/system.h"

#include <facet/archive.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef _WIN32
#define whole_path(path) _fullpath(NULL, path, 0)
#define same_component(a, b, n) (_strnicmp(a, b, n) == 0)
#else
#define whole_path(path) realpath(path, NULL)
#define same_component(a, b, n) (strncmp(a, b, n) == 0)
#endif

/* The folder of a file from the root, with / at the end, to be freed; NULL: not known. */
static char *folder_of(const char *path)
{
    char folder[FACET_PATH_MAX];
    size_t length = facet_path_folder_length(path);
    if (length >= sizeof folder)
        return NULL;
    memcpy(folder, path, length);
    folder[length] = '\0';
    char *whole = whole_path(length > 0 ? folder : ".");
    size_t size = whole ? strlen(whole) : 0;
    char *ended = whole ? malloc(size + 2) : NULL;
    for (size_t i = 0; ended && i < size; i++)
        ended[i] = whole[i] == '\\' ? '/' : whole[i];
    if (ended) {
        if (size > 0 && ended[size - 1] != '/')
            ended[size++] = '/';
        ended[size] = '\0';
    }
    free(whole);
    return ended;
}

/* How `to` calls the folder `from`: "../models/". False when there is no such path, as between
 * two drives. */
static bool way_between(const char *to, const char *from, char *way, size_t space)
{
    size_t common = 0, used = 0;
    for (size_t i = 0; to[i] && from[i] && same_component(to + i, from + i, 1); i++) {
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

/* A path that leads to a file beside the input becomes what the output is to call it; others
 * stay. False without memory. */
static bool move(facet_scene *scene, const char *from, const char *way, const char **moved)
{
    char file[FACET_PATH_MAX], name[FACET_PATH_MAX];
    const char *path = *moved ? *moved : "";
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof name || facet_path_is_absolute(path) ||
        strstr(path, "://") || strncmp(path, "data:", 5) == 0)
        return true;
    for (size_t i = 0; i <= length; i++)
        name[i] = path[i] == '\\' ? '/' : path[i];
    const char *at = name;
    while (strncmp(at, "./", 2) == 0)
        at += 2;
    int used = snprintf(file, sizeof file, "%s%s", from, at);
    if (used < 0 || (size_t)used >= sizeof file || access(file, F_OK) != 0)
        return true;
    size_t size = strlen(way) + strlen(at) + 1;
    char *made = facet_scene_allocate(scene, size, 1);
    if (!made)
        return false;
    snprintf(made, size, "%s%s", way, at);
    *moved = made;
    return true;
}

facet_status cli_move_paths(facet_scene *scene, const char *in, const char *out, facet_error *error)
{
    bool plain = strcmp(in, "-") != 0 && strcmp(out, "-") != 0 && facet_archive_in_path(in) == 0 &&
                 facet_archive_in_path(out) == 0;
    char *from = plain ? folder_of(in) : NULL, *to = plain ? folder_of(out) : NULL;
    char way[FACET_PATH_MAX];
    bool failed = false;
    if (from && to && strcmp(from, to) != 0 && way_between(to, from, way, sizeof way)) {
        for (uint32_t i = 0; i < scene->material_count; i++) {
            for (int map = 0; map < FACET_MAP_COUNT; map++)
                failed |= !move(scene, from, way, &scene->materials[i]->maps[map].path);
        }
        for (uint32_t i = 0; i < scene->image_count; i++)
            failed |= !move(scene, from, way, &scene->images[i]->path);
    }
    free(from);
    free(to);
    return failed ? facet_fail_arena(scene->arena, error) : FACET_OK;
}
