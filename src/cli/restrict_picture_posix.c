/* cli/restrict_picture_posix.c - the files that a picture of an untrusted model needs. */
#include "base/file.h"
#include "base/system.h"
#include "cli/restrict.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Folders of shared system files, and files about the machine that the program reads. */
static const char *const of_system[] = {
    "/usr",  "/lib", "/lib32",     "/lib64",    "/etc/ld.so.cache", "/opt",       "/nix/store",
    "/proc", "/sys", "/gnu/store", "/dev/null", "/dev/urandom",     "/dev/random"};
#define OF_SYSTEM (sizeof of_system / sizeof *of_system)
#define MAX_OF_LIBRARIES 16
#define MAX_OF_FILES 256 /* further files cannot be read */

typedef struct places {
    const char *paths[OF_SYSTEM + MAX_OF_LIBRARIES + MAX_OF_FILES + 8];
    size_t count;
    char *owned[MAX_OF_LIBRARIES + MAX_OF_FILES + 8];
    size_t owned_count;
    bool no_memory;
} places;

/* Add a path; takes ownership. NULL: out of memory. */
static void add(places *p, char *path)
{
    p->no_memory |= !path;
    if (path && p->owned_count < sizeof p->owned / sizeof *p->owned) {
        p->owned[p->owned_count++] = path;
        p->paths[p->count++] = path;
    } else {
        free(path);
    }
}

/* The folder of a path, or of the archive that the path leads into. */
static void add_folder(places *p, const char *path)
{
    size_t archive = facet_file_in_path(path);
    size_t length = archive > 0 ? archive : strlen(path);
    char *folder = strndup(path, length);
    if (folder)
        folder[facet_path_folder_length(folder)] = '\0';
    if (folder && !*folder) {
        free(folder);
        folder = strdup(".");
    }
    add(p, folder);
}

/* Add the target of a path, and optionally its folder. */
static void add_target(places *p, const char *path, bool with_folder)
{
    char *target = realpath(path, NULL);
    if (target && with_folder)
        add_folder(p, target);
    if (target || errno == ENOMEM)
        add(p, target);
}

/* Add the folders of an environment variable, which are separated by colons. */
static void add_listed(places *p, const char *name)
{
    const char *list = getenv(name);
    for (int i = 0; list && *list && i < MAX_OF_LIBRARIES / 2; i++) {
        size_t length = strcspn(list, ":");
        if (length > 0)
            add(p, strndup(list, length));
        list += length + (list[length] == ':');
    }
}

static void add_program(places *p)
{
    char path[FACET_PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 8);
    if (length <= 0)
        return;
    path[length] = '\0';
    size_t folder = facet_path_folder_length(path);
    path[folder] = '\0';
    add(p, strdup(path));
    memcpy(path + folder, "../lib", sizeof "../lib");
    add(p, strdup(path));
}

static void free_places(places *p)
{
    for (size_t i = 0; i < p->owned_count; i++)
        free(p->owned[i]);
}

bool cli_restrict_to_pictures(const char *const *in, size_t count, const char *out)
{
    places read = {.count = 0}, write = {.count = 0};
    for (size_t i = 0; i < OF_SYSTEM; i++)
        read.paths[read.count++] = of_system[i];
    add_program(&read);
    add_listed(&read, "FACET_MODULE_PATH");
    add_listed(&read, "LD_LIBRARY_PATH");
    for (size_t i = 0; i < count; i++) {
        if (strcmp(in[i], "-") == 0)
            continue;
        add_folder(&read, in[i]);
        add_target(&read, in[i], false); /* the target of a link can be in another folder */
    }
    if (strcmp(out, "-") != 0) {
        add_folder(&write, out);
        add_target(&write, out, true);
    }
    const cli_allowed readable = {read.paths, read.count, false};
    const cli_allowed writable = {write.paths, write.count, false};
    bool all_named = !read.no_memory && !write.no_memory;
    if (all_named)
        cli_restrict(&readable, &writable);
    free_places(&read);
    free_places(&write);
    return all_named;
}
