/* gx/bti_check.c - the rules of a texture's header. */
#include "base/report.h"
#include "base/size.h"
#include "gx/bti_settings.h"
#include "gx/bti_texture.h"
#include "gx/texels.h"

enum { ALIGNMENT = 32, HARDWARE_SIDE = 1024, LAST_FILTER = 5, LAST_WRAP = 2, UNSET = 0xCC };

/* -- Size and offsets --------------------------------------------------- */

/* Offsets count from the header at `offset`. */
static void check_alignment(uint32_t from_header, uint64_t offset, uint64_t at, const char *what,
                            facet_report *report)
{
    if ((offset + from_header) % ALIGNMENT != 0)
        facet_report_add(report, "BTI-ALIGNMENT", FACET_SEVERITY_ERROR, at,
                         "%s at %llu, expected a multiple of %d", what,
                         (unsigned long long)(offset + from_header), ALIGNMENT);
}

static void check_image(const facet_bti_header *h, uint64_t available, uint64_t offset,
                        facet_report *report)
{
    facet_gx_format format = (facet_gx_format)h->format;
    uint32_t levels = h->level_count ? h->level_count : 1;
    uint32_t limit = facet_gx_level_limit(h->width, h->height);
    size_t bytes = 0;
    if (h->width > HARDWARE_SIDE || h->height > HARDWARE_SIDE)
        facet_report_add(report, "BTI-SIZE", FACET_SEVERITY_WARNING, offset + 0x02,
                         "%u x %u texels, expected at most %d x %d", h->width, h->height,
                         HARDWARE_SIDE, HARDWARE_SIDE);
    if (levels > limit) {
        facet_report_add(report, "BTI-LEVELS", FACET_SEVERITY_WARNING, offset + 0x18,
                         "%u mip levels, but %u x %u texels have at most %u", levels, h->width,
                         h->height, limit);
        levels = limit;
    }
    if (facet_gx_texture_size(format, h->width, h->height, levels, &bytes, NULL) ||
        h->image_offset < FACET_BTI_HEADER_SIZE ||
        !facet_range_fits(h->image_offset, bytes, 1, available))
        facet_report_add(report, "BTI-IMAGE", FACET_SEVERITY_ERROR, offset + 0x1C,
                         "%zu bytes of texels at %u after the header, which has %llu bytes to the "
                         "end",
                         bytes, h->image_offset, (unsigned long long)available);
    check_alignment(h->image_offset, offset, offset + 0x1C, "texels", report);
}

static void check_palette(const facet_bti_header *h, uint64_t available, uint64_t offset,
                          facet_report *report)
{
    uint32_t limit = facet_gx_palette_limit((facet_gx_format)h->format);
    if (limit == 0) {
        if (h->has_palette || h->palette_count > 0)
            facet_report_add(report, "BTI-PALETTE", FACET_SEVERITY_WARNING, offset + 0x08,
                             "a palette of %u entries for %s, which has none", h->palette_count,
                             facet_gx_format_name((facet_gx_format)h->format));
        return;
    }
    if (!facet_gx_palette_format_name((facet_gx_palette_format)h->palette_format))
        facet_report_add(report, "BTI-PALETTE", FACET_SEVERITY_ERROR, offset + 0x09,
                         "%u is not a palette format (valid: 0-2)", h->palette_format);
    if (h->palette_count == 0 || h->palette_offset < FACET_BTI_HEADER_SIZE ||
        !facet_range_fits(h->palette_offset, h->palette_count, 2, available))
        facet_report_add(report, "BTI-PALETTE", FACET_SEVERITY_ERROR, offset + 0x0C,
                         "a palette of %u entries at %u after the header, which has %llu bytes to "
                         "the end",
                         h->palette_count, h->palette_offset, (unsigned long long)available);
    check_alignment(h->palette_offset, offset, offset + 0x0C, "a palette", report);
    if (h->palette_count > limit)
        facet_report_add(report, "BTI-PALETTE", FACET_SEVERITY_WARNING, offset + 0x0A,
                         "%u palette entries, but the format has at most %u", h->palette_count,
                         limit);
    if (!h->has_palette)
        facet_report_add(report, "BTI-PALETTE", FACET_SEVERITY_WARNING, offset + 0x08,
                         "the byte that says there is a palette is 0");
}

/* -- Sampling ----------------------------------------------------------- */

static bool is_power_of_two(uint32_t v)
{
    return (v & (v - 1)) == 0;
}

static void check_sampling(const facet_bti_header *h, uint64_t offset, facet_report *report)
{
    uint32_t levels = h->level_count ? h->level_count : 1;
    if (h->wrap_s > LAST_WRAP || h->wrap_t > LAST_WRAP)
        facet_report_add(report, "BTI-WRAP", FACET_SEVERITY_WARNING, offset + 0x06,
                         "wrap modes %u and %u, expected 0, 1 or 2", h->wrap_s, h->wrap_t);
    if (h->min_filter > LAST_FILTER || h->mag_filter > 1)
        facet_report_add(report, "BTI-FILTER", FACET_SEVERITY_WARNING, offset + 0x14,
                         "filters %u and %u, expected 0 to 5, and 0 or 1", h->min_filter,
                         h->mag_filter);
    if (h->max_anisotropy > 2)
        facet_report_add(report, "BTI-ANISOTROPY", FACET_SEVERITY_WARNING, offset + 0x13,
                         "anisotropy %u, expected 0, 1 or 2", h->max_anisotropy);
    if (levels > 1 && h->min_filter < 2)
        facet_report_add(report, "BTI-FILTER", FACET_SEVERITY_WARNING, offset + 0x14,
                         "%u mip levels, but filter %u uses none", levels, h->min_filter);
    if (h->max_lod != (int32_t)(levels - 1) * 8)
        facet_report_add(report, "BTI-LOD", FACET_SEVERITY_WARNING, offset + 0x17,
                         "the largest level of detail is %d eighths, but %u levels need %d",
                         h->max_lod, levels, (int)(levels - 1) * 8);
    bool is_odd = !is_power_of_two(h->width) || !is_power_of_two(h->height);
    if ((is_odd && levels > 1) || facet_bti_repeats_odd_side(h))
        facet_report_add(
            report, "BTI-SIZE", FACET_SEVERITY_WARNING, offset + 0x02,
            "%u x %u texels, expected powers of two for mip levels, and for sides that "
            "repeat",
            h->width, h->height);
}

/* -- All rules ---------------------------------------------------------- */

void facet_bti_check_header(const facet_bti_header *header, uint64_t available, uint64_t offset,
                            facet_report *report)
{
    if (!facet_gx_format_name((facet_gx_format)header->format)) {
        facet_report_add(report, "BTI-FORMAT", FACET_SEVERITY_ERROR, offset,
                         "%u is not a texture format (valid: 0-6, 8-10, 14)", header->format);
        return;
    }
    if (header->width == 0 || header->height == 0) {
        facet_report_add(report, "BTI-SIZE", FACET_SEVERITY_ERROR, offset + 0x02,
                         "a texture of %u x %u texels", header->width, header->height);
        return;
    }
    check_image(header, available, offset, report);
    check_palette(header, available, offset, report);
    check_sampling(header, offset, report);
    if (header->transparency > 2 && header->transparency != UNSET)
        facet_report_add(report, "BTI-TRANSPARENCY", FACET_SEVERITY_NOTE, offset + 0x01,
                         "transparency %u, expected 0, 1 or 2", header->transparency);
}
