/* view/host.h - functions that the program provides for the viewer: open files, check them, write
 * pictures, print. */
#ifndef FACET_VIEW_HOST_H
#define FACET_VIEW_HOST_H

#include <facet/render.h>
#include <facet/scene.h>

/* The files of one model to view: the model, and added animations or materials. */
typedef struct facet_view_files {
    const char *const *paths;
    size_t count;      /* at least 1 */
    bool with_normals; /* also for console materials, which do not need normals for shading */
} facet_view_files;

typedef struct facet_view_host {
    void *user;
    /* Load a scene with GPU-ready meshes; the caller frees it with facet_scene_free. */
    facet_status (*load)(void *user, const facet_view_files *files, const facet_options *options,
                         facet_scene **scene, facet_error *error);
    /* The findings of `facet check`, also for a member of an archive. */
    facet_status (*check)(void *user, const char *path, const facet_options *options,
                          facet_report *report, facet_error *error);
    /* Write a picture of the viewer, and print the command that draws it again. `render` has the
     * options of the picture, with the camera set. */
    facet_status (*save)(void *user, const facet_view_files *files, const facet_picture *picture,
                         const facet_render_options *render, const char *clip, const char *path,
                         facet_error *error);
    /* List the models in the folder or archive of a path, in order. The caller frees the list with
     * `free_list`; *here is the index of the path. */
    facet_status (*list)(void *user, const char *path, char ***paths, size_t *count, size_t *here,
                         facet_error *error);
    void (*free_list)(void *user, char **paths, size_t count);
    /* A positive number that changes with the file, or 0 if the file is missing. */
    int64_t (*changed)(void *user, const char *path);
    /* Milliseconds since an arbitrary moment. */
    double (*now)(void *user);
} facet_view_host;

#endif
