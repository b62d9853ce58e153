/* cli/render.h - what the files of facet render share. */
#ifndef FACET_CLI_RENDER_H
#define FACET_CLI_RENDER_H

#include "cli/cli.h"
#include "terminal/terminal.h"

#include <facet/render.h>

/* What a picture shows, of facet render, show and view (picture_options.c). */
typedef struct cli_picture_settings {
    const char *size, *view, *camera, *background, *animation, *time, *mode, *light, *line_width,
        *variant, *environment, *environment_rotation, *exposure;
    unsigned samples, up;
    bool orthographic, fog, file_order;
    const facet_format *from;
} cli_picture_settings;
extern const cli_option_set cli_picture;

typedef struct cli_render_settings {
    unsigned turntable;
    bool sheet, json, thumbnail, force;
} cli_render_settings;

/* A command on its way. */
typedef struct cli_rendering {
    const cli_arguments *arguments;
    const cli_render_settings *settings;
    const cli_picture_settings *picture;
    int inputs; /* the first of the arguments: a model, and its animations */
    const char *out;
    bool shows; /* the picture goes to the terminal, as it takes pictures */
    facet_terminal terminal;
    facet_source source;
    facet_input *file;
    facet_options options;
    facet_scene *scene;
    facet_renderer *renderer;
    struct facet_render_series *series; /* of all its pictures */
    facet_render_options how;
    facet_render_camera camera;
    uint8_t background[4];
    double light[3];
    facet_input *panorama;
    facet_image environment;
} cli_rendering;

/* render.c: draw, and free what was loaded; arguments, settings, picture, inputs, out and, where
 * the picture is shown, the terminal are set. An exit status. */
int cli_render_run(cli_rendering *r);
/* render_terminal.c: what the terminal shows; an exit status, and a message when it shows nothing.
 */
int cli_render_ask_terminal(cli_rendering *r);
/* The size of the picture, where none is given, and whether it fits; an exit status. */
int cli_render_fit_terminal(cli_rendering *r);
/* render_options.c: what was typed as the library's options; an exit status. */
int cli_render_options(cli_rendering *r);
/* The word of --mode for one of facet_render_mode; "texture=" wants a number behind. */
const char *cli_mode_name(unsigned bit);
/* render_load.c: the scene of a source, with the animations and materials in the files `more`, and
 * ready for a renderer. Without normals, meshes of console materials are left as they are. On
 * failure *blamed is the file at fault, unless that is the source. */
facet_status cli_load_picture(const cli_picture_settings *settings, const facet_source *source,
                              const char *const *more, int count, bool normals,
                              const facet_options *options, facet_scene **scene,
                              const char **blamed, facet_error *error);
/* render_animation.c: what moves at the time of the picture; an exit status. */
int cli_render_animation(cli_rendering *r);
/* render_pictures.c: draw and write; an exit status. */
int cli_render_pictures(cli_rendering *r);
/* What a picture was drawn by, and what it shows, as an object. */
struct facet_json;
struct facet_json *cli_picture_json(const char *file, const char *path,
                                    const facet_picture *picture, bool has_camera);
/* With --json: why there is no picture `path`, as an object. */
void cli_render_print_failure(const cli_rendering *r, const char *path, const facet_error *error);
/* The same, and an error about the file `blamed`; an exit status. */
int cli_render_complain(const cli_rendering *r, const char *path, const char *blamed,
                        const facet_error *error);

#endif
