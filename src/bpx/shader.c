/* bpx/shader.c - shader packages: assemblies and the shaders they name. */
#include "base/arena.h"
#include "base/error.h"
#include "bpx/bpx.h"

#include <inttypes.h>
#include <string.h>

#define ASSEMBLY_SIZE 12

/* -- Reading ------------------------------------------------------------ */

/* Resolve an id read from `base` (0 or 1) up; false when it names no shader. */
static bool resolve(const facet_bpx *bpx, uint16_t id, uint32_t base, uint32_t *shader)
{
    *shader = FACET_NONE;
    if (base == 1 ? id == 0 : id == 0xFFFF)
        return true;
    uint32_t index = id - base;
    if (index >= bpx->section_count || facet_bpx_section_at(bpx, index).type != FACET_BPX_SHADER)
        return false;
    *shader = index;
    return true;
}

static bool parse(const facet_bpx *bpx, const uint8_t *bytes, uint32_t base, facet_bpx_assembly *a)
{
    a->is_present = true;
    a->least_version = facet_load_u32le(bytes);
    return resolve(bpx, facet_load_u16le(bytes + 4), base, &a->vertex) &&
           resolve(bpx, facet_load_u16le(bytes + 6), base, &a->geometry) &&
           resolve(bpx, facet_load_u16le(bytes + 8), base, &a->pixel);
}

static facet_status find_assembly(const facet_bpx_document *document, uint8_t type,
                                  const uint8_t **bytes, facet_error *error)
{
    const facet_bpx *bpx = &document->view;
    uint32_t index = 0;
    *bytes = NULL;
    if (facet_bpx_count(bpx, type, &index) == 0 || !document->contents[index].data)
        return FACET_OK;
    if (document->contents[index].size < ASSEMBLY_SIZE)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-S-ASM-SIZE",
                          facet_bpx_section_at(bpx, index).offset, "%s has %zu bytes, expected %d",
                          facet_bpx_section_name(bpx, type), document->contents[index].size,
                          ASSEMBLY_SIZE);
    *bytes = document->contents[index].data;
    return FACET_OK;
}

facet_status facet_bpx_shaders_of(const facet_bpx_document *document, facet_bpx_shaders *shaders,
                                  facet_error *error)
{
    const facet_bpx *bpx = &document->view;
    const uint8_t *gl, *dx;
    facet_bpx_shaders s;
    if (bpx->type != 'S' || bpx->revision != FACET_BPX_0A)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "BPX-VERSION-LATER", 3,
                          "the file has type %c of revision %s, expected a shader package of "
                          "version 0",
                          bpx->type, facet_bpx_revision_name(bpx->revision));
    facet_status status = find_assembly(document, FACET_BPX_ASSEMBLY_GL, &gl, error);
    if (!status)
        status = find_assembly(document, FACET_BPX_ASSEMBLY_DX, &dx, error);
    if (status)
        return status;
    if (!gl)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-SECTION-MISSING", FACET_NO_OFFSET,
                          "the shader package has no section AssemblyGL");
    for (uint32_t base = 1; base <= 1; base--) {
        memset(&s, 0, sizeof s);
        s.count = facet_load_u32le(bpx->extension);
        s.flags = bpx->extension[4];
        s.zero_based = base == 0;
        if (parse(bpx, gl, base, &s.gl) && (!dx || parse(bpx, dx, base, &s.dx))) {
            *shaders = s;
            return FACET_OK;
        }
    }
    return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-S-ASM-ID", FACET_NO_OFFSET,
                      "an assembly names a section that is no shader, counted from 1 and from 0");
}

/* -- Check -------------------------------------------------------------- */

static void check_assembly(const facet_bpx_document *document, uint8_t type, uint8_t flag,
                           facet_report *report)
{
    const facet_bpx *bpx = &document->view;
    uint32_t index = 0;
    bool present = facet_bpx_count(bpx, type, &index) > 0, flagged = bpx->extension[4] & flag;
    const char *name = facet_bpx_section_name(bpx, type);
    if (present != flagged)
        facet_report_add(report, "BPX-S-FLAGS-ASM", FACET_SEVERITY_WARNING, 0x17,
                         "the flag 0x%X is %s, but %s is %s", flag, flagged ? "set" : "not set",
                         name, present ? "there" : "not there");
    if (!present || type > FACET_BPX_ASSEMBLY_GL || document->contents[index].size < ASSEMBLY_SIZE)
        return;
    uint64_t at = facet_bpx_section_at(bpx, index).offset;
    const uint8_t *bytes = document->contents[index].data;
    uint32_t version = facet_load_u32le(bytes);
    if (document->contents[index].size > ASSEMBLY_SIZE)
        facet_report_add(report, "BPX-S-ASM-SIZE", FACET_SEVERITY_WARNING, at,
                         "%s has %zu bytes, expected "
                         "%d",
                         name, document->contents[index].size, ASSEMBLY_SIZE);
    if (facet_load_u16le(bytes + 10) != 0)
        facet_report_add(report, "BPX-S-ASM-RESERVED", FACET_SEVERITY_WARNING, at,
                         "the reserved field of %s is not 0", name);
    if (type == FACET_BPX_ASSEMBLY_GL &&
        !((version >= 30 && version <= 33) || (version >= 40 && version <= 46)))
        facet_report_add(report, "BPX-S-ASM-VERSION", FACET_SEVERITY_WARNING, at,
                         "%s needs version %" PRIu32 ", expected 30 to 33 or 40 to 46", name,
                         version);
}

static void check_use(const facet_bpx *bpx, const facet_bpx_shaders *s, facet_report *report)
{
    const facet_bpx_assembly *both[] = {&s->gl, &s->dx};
    for (size_t i = 0; i < 2; i++) {
        if (both[i]->is_present && (both[i]->vertex == FACET_NONE || both[i]->pixel == FACET_NONE))
            facet_report_add(report, "BPX-S-ASM-VERTEX", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                             "a program of %s has no %s shader", i ? "DirectX" : "OpenGL",
                             both[i]->vertex == FACET_NONE ? "vertex" : "pixel");
    }
    facet_tally unused = {0};
    for (uint32_t i = 0; i < bpx->section_count; i++) {
        bool used = false;
        for (size_t k = 0; k < 2; k++)
            used |= both[k]->is_present &&
                    (both[k]->vertex == i || both[k]->geometry == i || both[k]->pixel == i);
        if (!used && facet_bpx_section_at(bpx, i).type == FACET_BPX_SHADER)
            facet_tally_hit(&unused, i + 1);
    }
    facet_report_add_tally(report, "BPX-S-SHADER-UNUSED", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                           &unused, "no assembly names the shader in section %" PRIu64,
                           unused.first);
}

void facet_bpx_check_shaders(const facet_bpx_document *document, facet_report *report)
{
    const facet_bpx *bpx = &document->view;
    facet_bpx_shaders s;
    facet_error fault;
    uint32_t first = 0, count = facet_bpx_count(bpx, FACET_BPX_SHADER, &first);
    if (facet_load_u32le(bpx->extension) != count)
        facet_report_add(report, "BPX-S-COUNT", FACET_SEVERITY_WARNING, 0x13,
                         "the header counts %" PRIu32 " shaders, there are %" PRIu32,
                         facet_load_u32le(bpx->extension), count);
    if (bpx->extension[4] & 0xF0)
        facet_report_add(report, "BPX-S-FLAGS", FACET_SEVERITY_WARNING, 0x17,
                         "the compatibility flags are 0x%02X, of which 0x%02X are unknown",
                         bpx->extension[4], bpx->extension[4] & 0xF0);
    check_assembly(document, FACET_BPX_ASSEMBLY_DX, FACET_BPX_DIRECTX, report);
    check_assembly(document, FACET_BPX_ASSEMBLY_GL, FACET_BPX_OPENGL, report);
    check_assembly(document, 3, FACET_BPX_VULKAN, report);
    check_assembly(document, 4, FACET_BPX_METAL, report);
    if (facet_bpx_shaders_of(document, &s, &fault)) {
        if (strcmp(fault.rule, "BPX-SECTION-MISSING") != 0) /* check.c says it of all sections */
            facet_report_add_fault(report, &fault, "BPX");
        return;
    }
    if (s.zero_based)
        facet_report_add(report, "BPX-S-ASM-BASE0", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the shader ids only fit when they are counted from 0");
    check_use(bpx, &s, report);
}

/* -- Describe ----------------------------------------------------------- */

static void describe_assembly(facet_arena *arena, facet_tree *parent, const char *key,
                              const facet_bpx_assembly *a)
{
    if (!a->is_present)
        return;
    facet_tree *tree = facet_tree_object(arena, parent, key);
    facet_tree_integer(arena, tree, "least_version", a->least_version);
    if (a->vertex != FACET_NONE)
        facet_tree_integer(arena, tree, "vertex", (int64_t)a->vertex + 1);
    if (a->geometry != FACET_NONE)
        facet_tree_integer(arena, tree, "geometry", (int64_t)a->geometry + 1);
    if (a->pixel != FACET_NONE)
        facet_tree_integer(arena, tree, "pixel", (int64_t)a->pixel + 1);
}

void facet_bpx_describe_shaders(const facet_bpx_document *document, facet_description *description)
{
    facet_bpx_shaders s;
    facet_error error;
    if (facet_bpx_shaders_of(document, &s, &error))
        return;
    facet_tree *tree = facet_tree_object(description->arena, description->detail, "programs");
    describe_assembly(description->arena, tree, "opengl", &s.gl);
    describe_assembly(description->arena, tree, "directx", &s.dx);
}

/* -- Writing ------------------------------------------------------------ */

/* Add a shader and return its id, 0 for none. */
static uint16_t add_shader(facet_bpx_part *parts, uint16_t *count, const facet_bpx_shader *shader)
{
    if (!shader->data)
        return 0;
    facet_bpx_part part = {FACET_BPX_SHADER, false, shader->data, shader->size};
    parts[(*count)++] = part;
    return *count;
}

static void add_program(facet_bpx_part *parts, uint16_t *count, const facet_bpx_program *program,
                        uint8_t assembly[ASSEMBLY_SIZE])
{
    memset(assembly, 0, ASSEMBLY_SIZE);
    facet_store_u32le(assembly, program->least_version);
    facet_store_u16le(assembly + 4, add_shader(parts, count, &program->vertex));
    facet_store_u16le(assembly + 6, add_shader(parts, count, &program->geometry));
    facet_store_u16le(assembly + 8, add_shader(parts, count, &program->pixel));
}

facet_status facet_bpx_write_shaders(const facet_bpx_program *gl, const facet_bpx_program *dx,
                                     const facet_options *options, facet_output *output,
                                     facet_error *error)
{
    facet_bpx_part parts[8];
    uint8_t gl_bytes[ASSEMBLY_SIZE], dx_bytes[ASSEMBLY_SIZE], extension[5] = {0};
    uint16_t count = 0;
    if (gl->least_version == 0 || !gl->vertex.data || !gl->pixel.data)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "BPX-S-ASM-VERTEX", FACET_NO_OFFSET,
                          "a shader package needs an OpenGL version, vertex and pixel shader");
    bool has_dx = dx && dx->least_version > 0;
    add_program(parts, &count, gl, gl_bytes);
    if (has_dx)
        add_program(parts, &count, dx, dx_bytes);
    facet_store_u32le(extension, count);
    extension[4] = (uint8_t)(FACET_BPX_OPENGL | (has_dx ? FACET_BPX_DIRECTX : 0));
    size_t all = count;
    facet_bpx_part assembly = {FACET_BPX_ASSEMBLY_DX, true, dx_bytes, ASSEMBLY_SIZE};
    if (has_dx)
        parts[all++] = assembly;
    assembly.type = FACET_BPX_ASSEMBLY_GL;
    assembly.data = gl_bytes;
    parts[all++] = assembly;
    return facet_bpx_write('S', extension, parts, all, options, output, error);
}
