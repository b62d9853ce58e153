/* formats/bpx/check_texture.c - the rules of textures. */
#include "base/error.h"
#include "formats/bpx/bpx.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void check_values(const facet_bpx_texture *t, facet_report *report)
{
    facet_tally odd = {0};
    size_t count = t->image_size / 4 * t->image_count;
    for (size_t i = 0; i < count && t->format == FACET_BPX_FLOAT; i++) {
        if (!isfinite(facet_load_f32le(t->pixels + i * 4)))
            facet_tally_hit(&odd, i);
    }
    facet_report_add_tally(report, "BPX-T-FLOAT", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &odd,
                           "pixel %" PRIu64 " is infinite or NaN", odd.first);
}

/* Number of levels of a complete mip chain: halve the larger side until it is 1. */
static uint32_t most_levels(uint32_t width, uint32_t height)
{
    uint32_t levels = 1;
    for (uint32_t side = width > height ? width : height; side > 1; side /= 2)
        levels++;
    return levels;
}

void facet_bpx_check_texture(const facet_bpx *document, facet_report *report)
{
    facet_bpx_texture t;
    facet_error fault;
    const char *deviation;
    const uint32_t stated = facet_load_u16le(document->extension);
    const unsigned flags = document->extension[3] >> 4;
    uint32_t index = 0;
    if (facet_bpx_count(document, FACET_BPX_PIXELS, &index) == 0 || !document->sections[index].data)
        return;
    if (facet_bpx_get_texture(document, &t, &deviation, &fault)) {
        facet_report_add_fault(report, &fault, "BPX");
        return;
    }
    if (deviation && strcmp(deviation, "BPX-T-NIBBLES") == 0)
        facet_report_add(report, "BPX-T-NIBBLES", FACET_SEVERITY_WARNING, 0x13,
                         "only another order of the five bytes fits the pixels");
    else if ((stated > 1 && !(flags & (FACET_BPX_TEXTURE_ARRAY | FACET_BPX_TEXTURE_CUBE))) ||
             (stated == 0 && (flags & FACET_BPX_TEXTURE_ARRAY)) ||
             (flags & (FACET_BPX_TEXTURE_ARRAY | FACET_BPX_TEXTURE_CUBE)) ==
                 (FACET_BPX_TEXTURE_ARRAY | FACET_BPX_TEXTURE_CUBE))
        facet_report_add(report, "BPX-T-ARRAY-FLAG", FACET_SEVERITY_WARNING, 0x13,
                         "an array of %" PRIu32 " images has the flags 0x%X", stated, flags);
    if (!deviation && (flags & 8))
        facet_report_add(report, "BPX-T-FLAGS", FACET_SEVERITY_WARNING, 0x16,
                         "the flag 0x8 is unknown");
    if (t.mip_count > most_levels(t.width, t.height))
        facet_report_add(report, "BPX-T-MIPS", FACET_SEVERITY_WARNING, 0x17,
                         "%" PRIu32 " mip levels are requested, expected at most %" PRIu32,
                         t.mip_count, most_levels(t.width, t.height));
    if (t.width * t.bytes_per_pixel % 4 != 0)
        facet_report_add(report, "BPX-T-ROWALIGN", FACET_SEVERITY_NOTE, 0x15,
                         "a row has %" PRIu32 " bytes, not a multiple of 4",
                         t.width * t.bytes_per_pixel);
    check_values(&t, report);
}
