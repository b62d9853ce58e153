/* view/host.h - what the viewer leaves to the program: opening files, checking them, writing
 * pictures, printing. */
#ifndef FACET_VIEW_HOST_H
#define FACET_VIEW_HOST_H

#include <facet/render.h>
#include <facet/scene.h>

/* The files of one thing to look at: a model, and animations or materials that are added. */
typedef struct facet_view_files {
    const char *const *paths;
    size_t count;      /* at least 1 */
    bool with_normals; /* also of console materials, which need none to be shaded */
} facet_view_files;

typedef struct facet_view_host {
    void *user;
    /* A scene whose meshes are GPU-ready; to be freed with facet_scene_free. */
    facet_status (*load)(void *user, const facet_view_files *files, const facet_options *options,
                         facet_scene **scene, facet_error *error);
    /* The findings of `facet check`; of an archive's member, too. */
    facet_status (*check)(void *user, const char *path, const facet_options *options,
                          facet_report *report, facet_error *error);
    /* Write a picture of the viewer's, and print how to draw it again. `render` is what it was
     * drawn by; its camera is set. */
    facet_status (*save)(void *user, const facet_view_files *files, const facet_picture *picture,
                         const facet_render_options *render, const char *clip, const char *path,
                         facet_error *error);
    /* Things to look at beside a path: those of its folder or archive, in order, to be freed with
     * `free_list`; *here is the path's place among them. */
    facet_status (*list)(void *user, const char *path, char ***paths, size_t *count, size_t *here,
                         facet_error *error);
    void (*free_list)(void *user, char **paths, size_t count);
    /* A number above 0 that is another one when the file has changed, and 0 when it is not there.
     */
    int64_t (*changed)(void *user, const char *path);
    /* Milliseconds, from any beginning. */
    double (*now)(void *user);
} facet_view_host;

#endif
