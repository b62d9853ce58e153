/* gx/bti_settings.c - settings of textures: "eye*:wrap=CLAMP,filter=NEAR". */
#include "gx/bti_settings.h"

#include "base/error.h"
#include "base/report.h"
#include "base/text.h"
#include "gx/enumerations.h"
#include "gx/texels.h"

#include <string.h>
#include <strings.h>

#define FORMATS "I4, I8, IA4, IA8, RGB565, RGB5A3, RGBA32, C4, C8, C14X2, CMPR"

/* Games load 16 or this many colors of a palette. */
#define LOADED_COLORS 256

enum { MAX_LEVELS = 11, NEAR = 0, LINEAR = 1, NEAR_MIP_NEAR = 2, NEAR_MIP_LIN = 4 };

/* -- Patterns ----------------------------------------------------------- */

/* True if a name matches a pattern of `length` bytes: * is any text, ? any byte. */
static bool matches(const char *pattern, size_t length, const char *name)
{
    const char *end = pattern + length, *star = NULL, *from = NULL;
    while (*name) {
        if (pattern < end && *pattern == '*') {
            star = ++pattern;
            from = name;
        } else if (pattern < end && (*pattern == '?' || *pattern == *name)) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star;
            name = ++from;
        } else {
            return false;
        }
    }
    while (pattern < end && *pattern == '*')
        pattern++;
    return pattern == end;
}

/* The end of a setting's pattern; NULL if missing. Names can contain colons, values cannot. */
static const char *end_of_pattern(const char *setting)
{
    const char *colon = strrchr(setting, ':');
    return colon && colon > setting ? colon : NULL;
}

/* -- Values ------------------------------------------------------------- */

static facet_status fail_setting(const char *setting, const char *what, facet_error *error)
{
    facet_quoted quoted;
    return facet_fail(error, FACET_ERROR_ARGUMENT, "GX-SETTING", FACET_NO_OFFSET,
                      "texture setting '%s': %s", facet_quote(&quoted, setting, strlen(setting)),
                      what);
}

static bool find_value(const facet_gx_enumeration *enumeration, const char *name, uint8_t *value)
{
    uint32_t found;
    if (!facet_gx_enumeration_value(enumeration, name, false, &found))
        return false;
    *value = (uint8_t)found;
    return true;
}

static bool set_wrap_s(facet_bti_wanted *w, const char *name)
{
    return w->has_wrap_s = find_value(&facet_gx_wraps, name, &w->wrap_s);
}

static bool set_wrap_t(facet_bti_wanted *w, const char *name)
{
    return w->has_wrap_t = find_value(&facet_gx_wraps, name, &w->wrap_t);
}

static bool set_wrap(facet_bti_wanted *w, const char *name)
{
    return set_wrap_s(w, name) && set_wrap_t(w, name);
}

/* Magnified textures have no mip levels: their filter is near or linear. */
static bool set_filter(facet_bti_wanted *w, const char *name)
{
    w->has_filter = find_value(&facet_gx_filters, name, &w->min_filter);
    bool is_near =
        w->min_filter == NEAR || w->min_filter == NEAR_MIP_NEAR || w->min_filter == NEAR_MIP_LIN;
    w->mag_filter = is_near ? NEAR : LINEAR;
    return w->has_filter;
}

static bool set_format(facet_bti_wanted *w, const char *name)
{
    w->is_automatic = false;
    w->has_format = facet_gx_format_named(name, &w->format);
    return w->has_format;
}

static bool set_levels(facet_bti_wanted *w, const char *text)
{
    unsigned number = 0;
    if (strcasecmp(text, "auto") == 0) {
        w->levels = FACET_GX_ALL_LEVELS;
        return true;
    }
    for (; *text >= '0' && *text <= '9' && number <= MAX_LEVELS; text++)
        number = number * 10 + (unsigned)(*text - '0');
    w->levels = number;
    return !*text && number >= 1 && number <= MAX_LEVELS;
}

static const struct setting_key {
    const char *key;
    bool (*set)(facet_bti_wanted *w, const char *value);
    const char *valid;
} keys[] = {
    {"format", set_format, FORMATS},
    {"mips", set_levels, "1 to 11, auto"},
    {"wrap", set_wrap, "CLAMP, REPEAT, MIRROR"},
    {"wrapS", set_wrap_s, "CLAMP, REPEAT, MIRROR"},
    {"wrapT", set_wrap_t, "CLAMP, REPEAT, MIRROR"},
    {"filter", set_filter, "NEAR, LINEAR, NEAR_MIP_NEAR, LIN_MIP_NEAR, NEAR_MIP_LIN, LIN_MIP_LIN"}};

static facet_status set_pair(facet_bti_wanted *w, const char *key, const char *value,
                             const char *setting, facet_error *error)
{
    facet_quoted quoted, quoted_value;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strcasecmp(keys[i].key, key) != 0)
            continue;
        if (keys[i].set(w, value))
            return FACET_OK;
        return facet_fail(error, FACET_ERROR_ARGUMENT, "GX-SETTING", FACET_NO_OFFSET,
                          "texture setting '%s': %s is '%s' (valid: %s)",
                          facet_quote(&quoted, setting, strlen(setting)), keys[i].key,
                          facet_quote(&quoted_value, value, strlen(value)), keys[i].valid);
    }
    return fail_setting(setting, "unknown key (valid: format, mips, wrap, wrapS, wrapT, filter)",
                        error);
}

/* "KEY=VALUE,KEY=VALUE" */
static facet_status set_pairs(facet_bti_wanted *w, const char *at, const char *setting,
                              facet_error *error)
{
    for (bool more = true; more;) {
        char pair[64];
        size_t length = strcspn(at, ",");
        if (length >= sizeof pair)
            return fail_setting(setting, "a value has more than 63 bytes", error);
        memcpy(pair, at, length);
        pair[length] = '\0';
        char *equals = strchr(pair, '=');
        if (!equals)
            return fail_setting(setting, "expected PATTERN:KEY=VALUE,...", error);
        *equals = '\0';
        TRY(set_pair(w, pair, equals + 1, setting, error));
        at += length;
        more = *at == ',';
        at += more;
    }
    return FACET_OK;
}

/* -- All options -------------------------------------------------------- */

/* Read the options for all textures. */
static facet_status set_members(const facet_bti_options *asked, facet_bti_wanted *w,
                                facet_error *error)
{
    w->is_automatic = asked->format && strcasecmp(asked->format, "auto") == 0;
    if (asked->format && !w->is_automatic && !set_format(w, asked->format))
        return facet_fail(error, FACET_ERROR_ARGUMENT, "GX-FORMAT", FACET_NO_OFFSET,
                          "unknown texture format '%s' (valid: " FORMATS ")", asked->format);
    w->levels = asked->levels;
    if (asked->wrap)
        TRY(set_pair(w, "wrap", asked->wrap, asked->wrap, error));
    if (asked->filter)
        TRY(set_pair(w, "filter", asked->filter, asked->filter, error));
    return FACET_OK;
}

facet_status facet_bti_find_wanted(const facet_options *options, const char *name,
                                   facet_bti_wanted *wanted, facet_error *error)
{
    const facet_bti_options *asked = options ? options->bti : NULL;
    *wanted = (facet_bti_wanted){0};
    TRY(FACET_CHECK_STRUCT(asked, facet_bti_options, error));
    if (!asked)
        return FACET_OK;
    TRY(set_members(asked, wanted, error));
    for (uint32_t i = 0; i < asked->setting_count; i++) {
        const char *setting = asked->settings[i], *end = end_of_pattern(setting);
        facet_bti_wanted unused = {0};
        if (!end)
            return fail_setting(setting, "expected PATTERN:KEY=VALUE,...", error);
        bool is_meant = matches(setting, (size_t)(end - setting), name ? name : "");
        TRY(set_pairs(is_meant ? wanted : &unused, end + 1, setting, error));
    }
    return FACET_OK;
}

bool facet_bti_has_texels(const facet_bti_header *header, const facet_bti_wanted *wanted)
{
    uint32_t width = header->width, height = header->height;
    uint32_t levels = facet_gx_level_limit(width, height);
    bool is_whole = (width & (width - 1)) == 0 && (height & (height - 1)) == 0;
    if (wanted->levels == FACET_GX_ALL_LEVELS && !is_whole)
        levels = 1;
    if (wanted->levels < levels)
        levels = wanted->levels;
    return (!wanted->has_format || header->format == wanted->format) &&
           (!wanted->levels || (header->level_count ? header->level_count : 1u) == levels);
}

void facet_bti_set_sampler(const facet_bti_wanted *wanted, facet_bti_header *header)
{
    if (wanted->has_wrap_s)
        header->wrap_s = wanted->wrap_s;
    if (wanted->has_wrap_t)
        header->wrap_t = wanted->wrap_t;
    if (wanted->has_filter) {
        header->min_filter = wanted->min_filter;
        header->mag_filter = wanted->mag_filter;
    }
}

static bool is_power_of_two(unsigned side)
{
    return (side & (side - 1)) == 0;
}

bool facet_bti_repeats_odd_side(const facet_bti_header *header)
{
    return (header->wrap_s != 0 && !is_power_of_two(header->width)) ||
           (header->wrap_t != 0 && !is_power_of_two(header->height));
}

void facet_bti_report_sides(const facet_bti_header *header, const char *name, const char *rule,
                            const facet_options *options)
{
    unsigned width = header->width, height = header->height;
    facet_quoted quoted;
    if (options && facet_bti_repeats_odd_side(header))
        facet_report_add(options->report, rule, FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "texture '%s' has %u x %u texels, and repeats: only sides that are powers "
                         "of two can",
                         facet_quote(&quoted, name, strlen(name)), width, height);
}

void facet_bti_report_palette(const facet_gx_palette *palette, const char *name, const char *rule,
                              const facet_options *options)
{
    facet_quoted quoted;
    if (options && palette->count > LOADED_COLORS)
        facet_report_add(options->report, rule, FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "texture '%s' has a palette of %u colors, but games load %d: use C8, or a "
                         "format without a palette",
                         facet_quote(&quoted, name, strlen(name)), (unsigned)palette->count,
                         LOADED_COLORS);
}

void facet_bti_report_unused(const facet_options *options, const char *const *names, uint32_t count)
{
    const facet_bti_options *asked = options ? options->bti : NULL;
    for (uint32_t i = 0; asked && i < asked->setting_count; i++) {
        const char *setting = asked->settings[i], *end = end_of_pattern(setting);
        bool is_used = false;
        facet_quoted quoted;
        for (uint32_t k = 0; k < count && end && !is_used; k++)
            is_used = matches(setting, (size_t)(end - setting), names[k]);
        if (!is_used)
            facet_report_add(options->report, "GX-SETTING-UNUSED", FACET_SEVERITY_WARNING,
                             FACET_NO_OFFSET, "texture setting '%s' matches no texture",
                             facet_quote(&quoted, setting, strlen(setting)));
    }
}
