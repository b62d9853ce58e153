/* load_library LIBRARY MODEL OUTPUT: open a shared library of Facet, as the Python package and the
 * add-on do, and convert a model to GLB by the functions in it. Run by emulators. */
#include <facet/facet.h>

#include <stdio.h>

#ifdef _WIN32
#include <windows.h>
static void *function(void *library, const char *name)
{
    return (void *)(uintptr_t)GetProcAddress(library, name);
}
static void *open_library(const char *path)
{
    return LoadLibraryA(path);
}
#else
#include <dlfcn.h>
static void *function(void *library, const char *name)
{
    return dlsym(library, name);
}
static void *open_library(const char *path)
{
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}
#endif

#define FIND(name) __typeof__(&name) own_##name = (__typeof__(&name))function(library, #name)

int main(int count, char **words)
{
    if (count != 4)
        return 2;
    void *library = open_library(words[1]);
    if (!library)
        return fprintf(stderr, "%s: not opened\n", words[1]), 1;
    FIND(facet_version);
    FIND(facet_load_path);
    FIND(facet_save_path);
    FIND(facet_scene_free);
    if (!own_facet_version || !own_facet_load_path || !own_facet_save_path || !own_facet_scene_free)
        return fprintf(stderr, "%s: a function is missing\n", words[1]), 1;
    facet_scene *scene = NULL;
    facet_error error = {0};
    facet_load_options load = {.struct_size = sizeof load, .images = true};
    facet_status status = own_facet_load_path(words[2], &load, NULL, &scene, &error);
    if (status == FACET_OK)
        status = own_facet_save_path(scene, words[3], NULL, NULL, &error);
    own_facet_scene_free(scene);
    if (status != FACET_OK)
        return fprintf(stderr, "%s\n", error.message), 1;
    printf("%s\n", own_facet_version());
    return 0;
}
