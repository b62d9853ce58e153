/* base/module.c - opening of modules. */
#ifdef FACET_MODULES
#define _GNU_SOURCE /* dladdr */
#include "base/module.h"
#include "base/error.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SUFFIX ".so" /* CMake's suffix for modules, also on Apple's machines */

/* Length of the folder, including its slash, of the file that contains this code. */
static size_t own_folder(char path[PATH_MAX])
{
    Dl_info info;
    /* For a program, dladdr returns the name that it was called by, which need not be a path. */
    if (dladdr((const void *)(uintptr_t)&facet_module_open, &info) == 0 || !info.dli_fname)
        return 0;
    if (!strchr(info.dli_fname, '/')) {
        ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
        if (length <= 0)
            return 0;
        path[length] = '\0';
    } else if (!realpath(info.dli_fname, path)) {
        return 0;
    }
    return (size_t)(strrchr(path, '/') + 1 - path);
}

static void *open_in(const char *folder, size_t length, const char *below, const char *name,
                     char reason[200])
{
    char path[PATH_MAX];
    int used =
        snprintf(path, sizeof path, "%.*s%s/facet-%s" SUFFIX, (int)length, folder, below, name);
    if (used < 0 || (size_t)used >= sizeof path || access(path, R_OK) != 0)
        return NULL;
    void *opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!opened)
        snprintf(reason, 200, "%s", dlerror());
    return opened;
}

static void *find(const char *name, char reason[200])
{
    static const char *const below[] = {FACET_MODULE_FOLDER, "lib/" FACET_MODULE_FOLDER,
                                        "../lib/" FACET_MODULE_FOLDER,
                                        "../" FACET_LIBRARY_FOLDER "/" FACET_MODULE_FOLDER};
    char folder[PATH_MAX];
    /* With the rights of another user or group, the environment is not trusted. */
    bool is_plain = getuid() == geteuid() && getgid() == getegid();
    const char *given = is_plain ? getenv("FACET_MODULE_PATH") : NULL;
    void *opened = given ? open_in(given, strlen(given), "", name, reason) : NULL;
    size_t length = opened ? 0 : own_folder(folder);
    for (size_t i = 0; i < sizeof below / sizeof *below && length && !opened; i++)
        opened = open_in(folder, length, below[i], name, reason);
    /* A program in any folder may have linked the installed static library. */
    return opened ? opened
                  : open_in("", 0, FACET_INSTALLED_LIBRARIES "/" FACET_MODULE_FOLDER, name, reason);
}

#define LOADER_SPACE ((size_t)1 << 20)
#define MODULE_SPACE ((size_t)64 << 20) /* more than a module and its libraries */

/* Check for free memory in advance, because the loader of libraries may end the process if it has
 * none. A partial lack of memory has a separate message. */
static bool has_memory(size_t size)
{
    void *volatile space = malloc(size); /* volatile, because compilers remove a malloc with
                                               its free */
    free(space);
    return space != NULL;
}

/* The GNU loader does not print why it could not map a library, so test whether it has the memory.
 */
static bool tells_of_memory(const char *reason)
{
    return strstr(reason, "annot allocate memory") || strstr(reason, "ut of memory") ||
           (strstr(reason, "failed to map segment") && !has_memory(MODULE_SPACE));
}

facet_status facet_module_open(facet_module *module, facet_error *error)
{
    if (facet_module_table(module))
        return FACET_OK;
    if (!has_memory(LOADER_SPACE))
        return facet_fail_memory(error, LOADER_SPACE);
    char reason[200] = "", symbol[64];
    void *opened = find(module->name, reason);
    snprintf(symbol, sizeof symbol, "facet_%s_table", module->name);
    const void *table = opened ? dlsym(opened, symbol) : NULL;
    if (!table && tells_of_memory(reason))
        return facet_fail_memory(error, 0);
    if (!table)
        return facet_fail(
            error, FACET_ERROR_UNSUPPORTED, "MODULE-ABSENT", FACET_NO_OFFSET,
            "%s need the module facet-%s" SUFFIX ", which %s%s", module->serves, module->name,
            *reason ? "cannot be opened: " : "is not next to the library or in FACET_MODULE_PATH",
            reason);
    atomic_store_explicit(&module->table, table, memory_order_release);
    return FACET_OK;
}
#else
#include "base/module.h"

/* In this build, the tables are part of the library. */
facet_status facet_module_open(facet_module *module, facet_error *error)
{
    (void)module;
    (void)error;
    return FACET_OK;
}
#endif
