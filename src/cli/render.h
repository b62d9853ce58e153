/* cli/render.h - what the files of facet render and facet show share. */
#ifndef FACET_CLI_RENDER_H
#define FACET_CLI_RENDER_H

#include "cli/cli.h"
#include "terminal/terminal.h"

#include <facet/render.h>

/* cli_looks: how a picture looks, wherever it goes. */
typedef struct cli_render_settings {
    const char *size, *view, *camera, *background, *animation, *time, *mode, *light, *line_width,
        *variant;
    unsigned samples, up;
    bool orthographic, sheet, fog, file_order;
    const facet_format *from;
} cli_render_settings;
extern const cli_option_set cli_looks;

/* What only facet render takes. */
typedef struct cli_render_files {
    unsigned turntable;
    bool json, thumbnail, force;
} cli_render_files;

/* A command on its way. */
typedef struct cli_rendering {
    const cli_arguments *arguments;
    const cli_render_settings *settings;
    const cli_render_files *files;
    int inputs; /* the first of the arguments: a model, and its animations */
    const char *out;
    bool shows; /* the picture goes to the terminal, as it takes pictures */
    facet_terminal terminal;
    facet_source source;
    facet_input *file;
    facet_options options;
    facet_scene *scene;
    facet_renderer *renderer;
    facet_render_options how;
    facet_render_camera camera;
    uint8_t background[4];
    double light[3];
} cli_rendering;

/* Draw and free what was loaded; arguments, settings, files, inputs, out and, where the picture
 * is shown, the terminal are set. An exit status. */
int cli_render_run(cli_rendering *r);
/* render_terminal.c: what the terminal shows; an exit status, and a message when it shows nothing.
 */
int cli_render_ask_terminal(cli_rendering *r);
/* The size of the picture, where none is given, and whether it fits; an exit status. */
int cli_render_fit_terminal(cli_rendering *r);
/* render_options.c: what was typed as the library's options; an exit status. */
int cli_render_options(cli_rendering *r);
/* render_animation.c: what moves at the time of the picture; an exit status. */
int cli_render_animation(cli_rendering *r);
/* render_pictures.c: draw and write; an exit status. */
int cli_render_pictures(cli_rendering *r);
/* With --json: why there is no picture `path`, as an object. */
void cli_render_print_failure(const cli_rendering *r, const char *path, const facet_error *error);
/* The same, and an error about the file `blamed`; an exit status. */
int cli_render_complain(const cli_rendering *r, const char *path, const char *blamed,
                        const facet_error *error);

#endif
