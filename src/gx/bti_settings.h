/* gx/bti_settings.h - the part of options->bti that applies to one texture, by its name. */
#ifndef FACET_GX_BTI_SETTINGS_H
#define FACET_GX_BTI_SETTINGS_H

#include <facet/gx.h>
#include <facet/gx_bti.h>

/* Members that are not set keep the texture's values. */
typedef struct facet_bti_wanted {
    bool has_format, is_automatic; /* this format, or one by content */
    facet_gx_format format;
    uint32_t levels; /* 0: not set */
    bool has_wrap_s, has_wrap_t, has_filter;
    uint8_t wrap_s, wrap_t, min_filter, mag_filter;
} facet_bti_wanted;

/* Find the options for the texture called `name`. All settings are checked. Errors:
 * FACET_ERROR_ARGUMENT with GX-FORMAT or GX-SETTING. */
facet_status facet_bti_find_wanted(const facet_options *options, const char *name,
                                   facet_bti_wanted *wanted, facet_error *error);

/* True if a texture already has the wanted format and number of mip levels. */
bool facet_bti_has_texels(const facet_bti_header *header, const facet_bti_wanted *wanted);

/* Set the wanted wrap modes and filters. */
void facet_bti_set_sampler(const facet_bti_wanted *wanted, facet_bti_header *header);

/* True if a texture repeats or mirrors along a side that is not a power of two. The chip wraps
 * coordinates by a mask of bits, so it shows only some of the texels. */
bool facet_bti_repeats_odd_side(const facet_bti_header *header);

/* Report a texture that repeats with sides that are not powers of two, with the rule of its file.
 */
void facet_bti_report_sides(const facet_bti_header *header, const char *name, const char *rule,
                            const facet_options *options);

/* Report a palette of more than 256 colors, of which games load 256, with the rule of its file. */
void facet_bti_report_palette(const facet_gx_palette *palette, const char *name, const char *rule,
                              const facet_options *options);

/* Report settings that match none of the names (GX-SETTING-UNUSED). */
void facet_bti_report_unused(const facet_options *options, const char *const *names,
                             uint32_t count);

#endif
