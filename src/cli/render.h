/* cli/render.h - what the files of facet render share. */
#ifndef FACET_CLI_RENDER_H
#define FACET_CLI_RENDER_H

#include "cli/cli.h"

#include <facet/render.h>

typedef struct cli_render_settings {
    const char *size, *view, *camera, *background, *animation, *time, *mode, *light, *line_width,
        *variant;
    unsigned turntable, samples, up;
    bool orthographic, sheet, fog, file_order, json, thumbnail, force;
    const facet_format *from;
} cli_render_settings;

/* A command on its way. */
typedef struct cli_rendering {
    const cli_arguments *arguments;
    const cli_render_settings *settings;
    const char *out;
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
