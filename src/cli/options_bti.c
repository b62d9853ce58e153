/* cli/options_bti.c - options for GX textures, in BTI files and J3D models. */
#include "cli/cli.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    facet_bti_options bti;
    unsigned format, levels, wrap, filter;
    bool dither;
    cli_texts set;
} settings;

enum { MAX_LEVELS = 11 }; /* of 1,024 texels */

/* Includes the names that other programs use. */
static const char *const format_words[] = {"auto",   "I4",     "I8",  "IA4",    "IA8",   "RGB565",
                                           "RGB5A3", "RGBA32", "C4",  "C8",     "C14X2", "CMPR",
                                           "RGBA8",  "CI4",    "CI8", "CI14X2", NULL};

static const char *const wrap_words[] = {"clamp", "repeat", "mirror", NULL};
static const char *const filter_words[] = {
    "near", "linear", "near_mip_near", "lin_mip_near", "near_mip_lin", "lin_mip_lin", NULL};

static int apply(cli_record *record, void *given, facet_options *options, facet_error *error)
{
    (void)record, (void)error; /* reads no file */
    settings *s = given;
    s->bti.format = s->format ? format_words[s->format - 1] : NULL;
    s->bti.levels = s->levels == UINT_MAX ? FACET_GX_ALL_LEVELS : s->levels;
    s->bti.dither = s->dither;
    s->bti.wrap = s->wrap ? wrap_words[s->wrap - 1] : NULL;
    s->bti.filter = s->filter ? filter_words[s->filter - 1] : NULL;
    s->bti.settings = s->set.items;
    s->bti.setting_count = s->set.count;
    options->bti = &s->bti;
    return EXIT_DONE;
}

static const char *at_fault(const void *given, const facet_error *error)
{
    (void)given;
    return strcmp(error->rule, "GX-SETTING") == 0 ? "--texture-set" : NULL;
}

static void release(void *given)
{
    settings *s = given;
    free(s->set.items);
}

/* Options with which only the replaced textures are encoded; all else is copied. */
#define IN_PLACE "texture, add-texture, texture-dir"
/* These also change copies, and only their textures. */
#define TEXTURED "bti, bmd, bdl, bmt"

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
    {"texture-wrap", "MODE", "set the wrap mode: clamp, repeat or mirror", CLI_WORD,
     .default_text = "as before, or as in the scene", .offset = offsetof(settings, wrap),
     .words = wrap_words, .formats = TEXTURED, .fields = "facet_bti_options.wrap"},
    {"texture-filter", "NAME",
     "set the filter: near, linear, near_mip_near, lin_mip_near, near_mip_lin or lin_mip_lin",
     CLI_WORD, .default_text = "as before, or as in the scene",
     .offset = offsetof(settings, filter), .words = filter_words, .formats = TEXTURED,
     .fields = "facet_bti_options.filter"},
    {"texture-set", "PATTERN:KEY=VALUE,...",
     "set format, mips, wrap, wrapS, wrapT or filter of textures by name, with * and ?", CLI_TEXTS,
     .offset = offsetof(settings, set), .formats = TEXTURED,
     .fields = "facet_bti_options.settings"},
    {0}};

const cli_option_set cli_bti = {.heading = "BTI, BMD, BDL",
                                .formats = "bti, bmd, bdl",
                                .options = options,
                                .settings_size = sizeof(settings),
                                .apply = apply,
                                .at_fault = at_fault,
                                .release = release};
