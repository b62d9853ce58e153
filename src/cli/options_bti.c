/* cli/options_bti.c - options for GX textures, in BTI files and J3D models. */
#include "cli/cli.h"

#include <limits.h>

typedef struct settings {
    facet_bti_options bti;
    unsigned format, levels;
    bool dither;
} settings;

enum { MAX_LEVELS = 11 }; /* of 1,024 texels */

/* Includes the names that other programs use. */
static const char *const format_words[] = {"auto",   "I4",     "I8",  "IA4",    "IA8",   "RGB565",
                                           "RGB5A3", "RGBA32", "C4",  "C8",     "C14X2", "CMPR",
                                           "RGBA8",  "CI4",    "CI8", "CI14X2", NULL};

static int apply(void *given, facet_options *options, facet_error *error)
{
    (void)error; /* reads no file */
    settings *s = given;
    s->bti.format = s->format ? format_words[s->format - 1] : NULL;
    s->bti.levels = s->levels == UINT_MAX ? FACET_GX_ALL_LEVELS : s->levels;
    s->bti.dither = s->dither;
    options->bti = &s->bti;
    return EXIT_DONE;
}

/* Options with which only the replaced textures are encoded; all else is copied. */
#define IN_PLACE "texture, add-texture, texture-dir"

static const cli_option options[] = {
    {"texture-format", "NAME",
     "set the format: auto, I4, I8, IA4, IA8, RGB565, RGB5A3, RGBA32, C4, C8, C14X2 or CMPR",
     CLI_WORD, .default_text = "the image's previous format, or auto: by content",
     .offset = offsetof(settings, format), .words = format_words, .needs_scene = true,
     .unless = IN_PLACE, .fields = "facet_bti_options.format"},
    {"mips", "N", "store N mip levels, 1 to 11, or auto", CLI_COUNT_OR_AUTO,
     .default_text = "as before, or 1", .offset = offsetof(settings, levels), .most = MAX_LEVELS,
     .needs_scene = true, .unless = IN_PLACE, .fields = "facet_bti_options.levels"},
    {"dither", NULL, "dither colors", CLI_FLAG, .offset = offsetof(settings, dither),
     .needs_scene = true, .unless = IN_PLACE, .fields = "facet_bti_options.dither"},
    {0}};

const cli_option_set cli_bti = {.heading = "BTI, BMD, BDL",
                                .formats = "bti, bmd, bdl",
                                .options = options,
                                .settings_size = sizeof(settings),
                                .apply = apply};
