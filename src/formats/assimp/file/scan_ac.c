/* formats/assimp/file/scan_ac.c - two-sided surfaces of an AC3D, which assimp reads as one-sided.
 */
#include "base/report.h"
#include "formats/assimp/file/scan.h"

#include <string.h>

static const char surface[] = "SURF 0x";

static uint32_t digit_of(uint8_t byte)
{
    return byte >= '0' && byte <= '9'                     ? byte - (uint32_t)'0'
           : (byte | 0x20) >= 'a' && (byte | 0x20) <= 'f' ? (byte | 0x20u) - 'a' + 10
                                                          : 16;
}

/* Bit 5 of the flags of a surface. */
static bool is_two_sided(const uint8_t *at, const uint8_t *end)
{
    uint32_t flags = 0;
    for (; at < end && digit_of(*at) < 16; at++)
        flags = flags << 4 | digit_of(*at);
    return flags & 0x20;
}

void facet_assimp_scan_ac(const uint8_t *data, size_t size, facet_report *report)
{
    const uint8_t *end = data + size, *at = data;
    facet_tally two_sided = {0, 0};
    uint64_t first = 0;
    for (uint64_t line = 1; at < end; line++) {
        const uint8_t *next = memchr(at, '\n', (size_t)(end - at));
        next = next ? next + 1 : end;
        if ((size_t)(next - at) >= sizeof surface && memcmp(at, surface, sizeof surface - 1) == 0 &&
            is_two_sided(at + sizeof surface - 1, next)) {
            first = two_sided.count == 0 ? line : first;
            facet_tally_hit(&two_sided, line);
        }
        at = next;
    }
    facet_report_add_tally_line(report, "LOSS-MATERIALS", FACET_SEVERITY_WARNING, first, &two_sided,
                                "a two-sided surface is one-sided");
}
