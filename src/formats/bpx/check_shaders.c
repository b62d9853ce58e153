/* formats/bpx/check_shaders.c - the rules of shader packages. */
#include "base/error.h"
#include "formats/bpx/bpx.h"

#include <inttypes.h>
#include <string.h>

static void check_assembly(const facet_bpx *document, uint8_t type, uint8_t flag,
                           facet_report *report)
{
    uint32_t index = 0;
    bool present = facet_bpx_count(document, type, &index) > 0,
         flagged = document->extension[4] & flag;
    const char *name = facet_bpx_section_name(FACET_BPX_0A, 'S', type);
    if (present != flagged)
        facet_report_add(report, "BPX-S-FLAGS-ASM", FACET_SEVERITY_WARNING, 0x17,
                         "the flag 0x%X is %s, but %s is %s", flag, flagged ? "set" : "not set",
                         name, present ? "there" : "not there");
    if (!present || type > FACET_BPX_ASSEMBLY_GL ||
        document->sections[index].size < FACET_BPX_ASSEMBLY_SIZE)
        return;
    uint64_t at = document->sections[index].offset;
    const uint8_t *bytes = document->sections[index].data;
    uint32_t version = facet_load_u32le(bytes);
    if (document->sections[index].size > FACET_BPX_ASSEMBLY_SIZE)
        facet_report_add(report, "BPX-S-ASM-SIZE", FACET_SEVERITY_WARNING, at,
                         "%s has %zu bytes, expected "
                         "%d",
                         name, document->sections[index].size, FACET_BPX_ASSEMBLY_SIZE);
    if (facet_load_u16le(bytes + 10) != 0)
        facet_report_add(report, "BPX-S-ASM-RESERVED", FACET_SEVERITY_WARNING, at,
                         "the reserved field of %s is not 0", name);
    if (type == FACET_BPX_ASSEMBLY_GL &&
        !((version >= 30 && version <= 33) || (version >= 40 && version <= 46)))
        facet_report_add(report, "BPX-S-ASM-VERSION", FACET_SEVERITY_WARNING, at,
                         "%s needs version %" PRIu32 ", expected 30 to 33 or 40 to 46", name,
                         version);
}

static void check_use(const facet_bpx *document, const facet_bpx_shaders *s, facet_report *report)
{
    const facet_bpx_assembly *both[] = {&s->gl, &s->dx};
    for (size_t i = 0; i < 2; i++) {
        if (both[i]->is_present && (both[i]->vertex == FACET_NONE || both[i]->pixel == FACET_NONE))
            facet_report_add(report, "BPX-S-ASM-VERTEX", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                             "a program of %s has no %s shader", i ? "DirectX" : "OpenGL",
                             both[i]->vertex == FACET_NONE ? "vertex" : "pixel");
    }
    facet_tally unused = {0};
    for (uint32_t i = 0; i < document->section_count; i++) {
        bool used = false;
        for (size_t k = 0; k < 2; k++)
            used |= both[k]->is_present &&
                    (both[k]->vertex == i || both[k]->geometry == i || both[k]->pixel == i);
        if (!used && document->sections[i].type == FACET_BPX_SHADER)
            facet_tally_hit(&unused, i + 1);
    }
    facet_report_add_tally(report, "BPX-S-SHADER-UNUSED", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                           &unused, "no assembly names the shader in section %" PRIu64,
                           unused.first);
}

void facet_bpx_check_shaders(const facet_bpx *document, facet_report *report)
{
    facet_bpx_shaders s;
    facet_error fault;
    uint32_t first = 0, count = facet_bpx_count(document, FACET_BPX_SHADER, &first);
    if (facet_load_u32le(document->extension) != count)
        facet_report_add(report, "BPX-S-COUNT", FACET_SEVERITY_WARNING, 0x13,
                         "the header counts %" PRIu32 " shaders, there are %" PRIu32,
                         facet_load_u32le(document->extension), count);
    if (document->extension[4] & 0xF0)
        facet_report_add(report, "BPX-S-FLAGS", FACET_SEVERITY_WARNING, 0x17,
                         "the compatibility flags are 0x%02X, of which 0x%02X are unknown",
                         document->extension[4], document->extension[4] & 0xF0);
    check_assembly(document, FACET_BPX_ASSEMBLY_DX, FACET_BPX_DIRECTX, report);
    check_assembly(document, FACET_BPX_ASSEMBLY_GL, FACET_BPX_OPENGL, report);
    check_assembly(document, 3, FACET_BPX_VULKAN, report);
    check_assembly(document, 4, FACET_BPX_METAL, report);
    if (facet_bpx_get_shaders(document, &s, &fault)) {
        if (strcmp(fault.rule, "BPX-SECTION-MISSING") != 0) /* check.c reports it for all
                                                             * sections */
            facet_report_add_fault(report, &fault, "BPX");
        return;
    }
    if (s.zero_based)
        facet_report_add(report, "BPX-S-ASM-BASE0", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the shader ids only fit when they are counted from 0");
    check_use(document, &s, report);
}
