/* convert/move_paths.c - texture paths relative to another file. */
#include "base/arena.h"
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

/* If a path leads to a file next to the input, change it to be relative to the output. False if out
 * of memory. */
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

facet_status facet_scene_move_paths(facet_scene *scene, const char *from, const char *to,
                                    facet_error *error)
{
    char here[FACET_PATH_MAX + 1], there[FACET_PATH_MAX + 1], way[FACET_PATH_MAX];
    bool moved = true;
    if (!names_files(scene) || !is_file(from) || !is_file(to) || !find_folder(from, here) ||
        !find_folder(to, there) || strcmp(here, there) == 0 ||
        !way_between(there, here, way, sizeof way))
        return FACET_OK;
    for (uint32_t i = 0; i < scene->material_count; i++) {
        for (int map = 0; map < FACET_MAP_COUNT; map++) {
            facet_texture *texture = scene->materials[i]->maps[map];
            moved &= !texture || move(scene, here, way, &texture->path);
        }
    }
    for (uint32_t i = 0; i < scene->image_count; i++)
        moved &= move(scene, here, way, &scene->images[i]->path);
    return moved ? FACET_OK : facet_fail_arena(scene->arena, error);
}
