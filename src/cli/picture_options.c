/* cli/picture_options.c - the options of what a picture shows. */
#include "cli/render.h"

#define OFFSET(name) .offset = offsetof(cli_picture_settings, name)

static const cli_option options[] = {
    {"size", "WxH", "pixels; default: 512x512", CLI_TEXT, OFFSET(size),
     .fields = "facet_render_options.width, facet_render_options.height"},
    {"view", "VIEW", "front, back, left, right, top, bottom, iso, or AZIMUTH,ELEVATION in degrees",
     CLI_TEXT, OFFSET(view),
     .fields = "facet_render_options.azimuth, facet_render_options.elevation"},
    {"orthographic", NULL, "without perspective", CLI_FLAG, OFFSET(orthographic),
     .fields = "facet_render_options.orthographic"},
    {"camera", "FILE", "take the camera from a JSON file, as --json prints it", CLI_TEXT,
     OFFSET(camera), .fields = "facet_render_options.camera"},
    {"background", "COLOR", "#RRGGBB, #RRGGBBAA, or transparent, which is the default", CLI_TEXT,
     OFFSET(background), .fields = "facet_render_options.background"},
    {"animation", "NAME", "in the pose of this animation, by name or number", CLI_TEXT,
     OFFSET(animation), .fields = "facet_render_options.animation"},
    {"time", "SECONDS", "the time of the pose; default: 0", CLI_TEXT, OFFSET(time),
     .fields = "facet_render_options.time"},
    {"mode", "MODE,...",
     "shaded, clay, normals, tangents, uv, weights, joints, facing, overdraw, material or "
     "texture=N, and over it wireframe, hulls and occluder",
     CLI_TEXT, OFFSET(mode), .fields = "facet_render_options.modes, facet_render_options.texture"},
    {"samples", "N", "samples a pixel: 1, 4 or 16; default: 4", CLI_COUNT, OFFSET(samples),
     .most = 16, .fields = "facet_render_options.samples"},
    {"line-width", "PIXELS", "width of lines; points are twice as wide; default: 1.5", CLI_TEXT,
     OFFSET(line_width), .fields = "facet_render_options.line_width"},
    {"light", "X,Y,Z", "direction to the light: right, up, toward the viewer", CLI_TEXT,
     OFFSET(light), .fields = "facet_render_options.light"},
    {"fog", NULL, "with the fog of console materials", CLI_FLAG, OFFSET(fog),
     .fields = "facet_render_options.fog"},
    {"file-order", NULL, "console materials in the order of the file, unsorted", CLI_FLAG,
     OFFSET(file_order), .fields = "facet_render_options.file_order"},
    {"from", "FORMAT", "read IN as this format; default: by its content", CLI_FORMAT, OFFSET(from)},
    {"up", "AXIS", "the axis that points up in IN, x, y or z, whatever IN says; default for STL: z",
     CLI_WORD, OFFSET(up), .words = (const char *const[]){"y", "z", "x", NULL},
     .fields = "facet_axes.up"},
    {"variant", "NAME", "with materials as they are in this variant", CLI_TEXT, OFFSET(variant),
     .fields = "facet_load_options.variant"},
    {0}};
const cli_option_set cli_picture = {.options = options,
                                    .settings_size = sizeof(cli_picture_settings)};
