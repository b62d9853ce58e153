/* cli/render.h - shared functions of facet render. */
#ifndef FACET_CLI_RENDER_H
#define FACET_CLI_RENDER_H

#include "cli/cli.h"
#include "terminal/terminal.h"

#include <facet/render.h>

/* Content of a picture, for facet render, show and view (picture_options.c). */
typedef struct cli_picture_settings {
    const char *size, *view, *camera, *background, *animation, *time, *mode, *light, *line_width,
        *variant, *environment, *environment_rotation, *exposure, *shadow;
    unsigned samples, up;
    bool orthographic, scene_lights, fog, file_order;
    const facet_format *from;
} cli_picture_settings;
extern const cli_option_set cli_picture;

typedef struct cli_render_settings {
    unsigned turntable;
    bool sheet, json, thumbnail, force;
} cli_render_settings;

/* State of a command. */
typedef struct cli_rendering {
    const cli_arguments *arguments;
    const cli_render_settings *settings;
    const cli_picture_settings *picture;
    int inputs; /* number of files: a model, and files that belong to it */
    const char *out;
    bool shows; /* the picture goes to the terminal */
    facet_terminal terminal;
    facet_source source;
    facet_input *file;
    facet_options options;
    facet_scene *scene;
    facet_renderer *renderer;
    struct facet_render_series *series; /* shared by all its pictures */
    facet_render_options how;
    facet_render_camera camera;
    uint8_t background[4];
    double light[3];
    facet_input *panorama;
    facet_image environment;
} cli_rendering;

/* render.c: draw, and free what was loaded. The caller sets arguments, settings, picture, inputs,
 * out and, if the picture is shown, the terminal. Returns an exit status. */
int cli_render_run(cli_rendering *r);
/* render_terminal.c: query the terminal's abilities. Returns an exit status; a message if it cannot
 * show pictures. */
int cli_render_query_terminal(cli_rendering *r);
/* Choose a missing picture size, and check that it fits. Returns an exit status. */
int cli_render_fit_terminal(cli_rendering *r);
/* render_options.c: set the library's options. Returns an exit status. */
int cli_render_options(cli_rendering *r);
/* The word of --mode for a value of facet_render_mode; a number follows "texture=". */
const char *cli_mode_name(unsigned bit);
/* render_load.c: load a scene for a renderer, and add the animations and materials in the files
 * `more`. Without `normals`, meshes of console materials get no computed normals. On failure,
 * *blamed is the file of the error. */
facet_status cli_load_picture(cli_record *record, const cli_picture_settings *settings,
                              const facet_source *source, const char *const *more, int count,
                              bool normals, const facet_options *options, facet_scene **scene,
                              const char **blamed, facet_error *error);
/* render_animation.c: pose the scene at the time of the picture. Returns an exit status. */
int cli_render_animation(cli_rendering *r);
/* render_pictures.c: true for a path without an extension of another format. Otherwise, a message.
 */
bool cli_is_picture_name(cli_record *record, const char *path);
/* Draw and write all pictures. Returns an exit status. */
int cli_render_pictures(cli_rendering *r);
/* Create an object with the settings and the content of a picture. */
struct facet_json;
struct facet_json *cli_picture_json(const char *file, const char *path,
                                    const facet_picture *picture, bool has_camera);
/* With --json: print an object with the error of picture `path`. */
void cli_render_print_failure(const cli_rendering *r, const char *path, const facet_error *error);
/* The same, with an error about the file `blamed`. Returns an exit status. */
int cli_render_complain(const cli_rendering *r, const char *path, const char *blamed,
                        const facet_error *error);

#endif
