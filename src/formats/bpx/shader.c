/* formats/bpx/shader.c - shader packages: assemblies and their shaders. */
#include "base/arena.h"
#include "base/error.h"
#include "formats/bpx/bpx.h"

#include <inttypes.h>
#include <string.h>

/* -- Reading ------------------------------------------------------------ */

/* Find the shader of an id, counted from `base` (0 or 1); false if the id is invalid. */
static bool resolve(const facet_bpx *document, uint16_t id, uint32_t base, uint32_t *shader)
{
    *shader = FACET_NONE;
    if (base == 1 ? id == 0 : id == 0xFFFF)
        return true;
    uint32_t index = id - base;
    if (index >= document->section_count || document->sections[index].type != FACET_BPX_SHADER)
        return false;
    *shader = index;
    return true;
}

static bool parse(const facet_bpx *document, const uint8_t *bytes, uint32_t base,
                  facet_bpx_assembly *a)
{
    a->is_present = true;
    a->least_version = facet_load_u32le(bytes);
    return resolve(document, facet_load_u16le(bytes + 4), base, &a->vertex) &&
           resolve(document, facet_load_u16le(bytes + 6), base, &a->geometry) &&
           resolve(document, facet_load_u16le(bytes + 8), base, &a->pixel);
}

static facet_status find_assembly(const facet_bpx *document, uint8_t type, const uint8_t **bytes,
                                  facet_error *error)
{
    uint32_t index = 0;
    *bytes = NULL;
    if (facet_bpx_count(document, type, &index) == 0 || !document->sections[index].data)
        return FACET_OK;
    if (document->sections[index].size < FACET_BPX_ASSEMBLY_SIZE)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-S-ASM-SIZE",
                          document->sections[index].offset, "%s has %zu bytes, expected %d",
                          facet_bpx_section_name(FACET_BPX_0A, 'S', type),
                          document->sections[index].size, FACET_BPX_ASSEMBLY_SIZE);
    *bytes = document->sections[index].data;
    return FACET_OK;
}

/* Fill *shaders, with ids counted from `base`; false if an id is invalid. */
static bool read_programs(const facet_bpx *document, const uint8_t *gl, const uint8_t *dx,
                          uint32_t base, facet_bpx_shaders *shaders)
{
    facet_bpx_shaders s;
    memset(&s, 0, sizeof s);
    s.count = facet_load_u32le(document->extension);
    s.flags = document->extension[4];
    s.zero_based = base == 0;
    if (!parse(document, gl, base, &s.gl) || (dx && !parse(document, dx, base, &s.dx)))
        return false;
    *shaders = s;
    return true;
}

facet_status facet_bpx_get_shaders(const facet_bpx *document, facet_bpx_shaders *shaders,
                                   facet_error *error)
{
    const uint8_t *gl, *dx;
    if (document->type != 'S' || document->revision != FACET_BPX_0A)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "BPX-VERSION-LATER", 3,
                          "the file has type %c of revision %s, expected a shader package of "
                          "version 0",
                          document->type, facet_bpx_revision_name(document->revision));
    TRY(find_assembly(document, FACET_BPX_ASSEMBLY_GL, &gl, error));
    TRY(find_assembly(document, FACET_BPX_ASSEMBLY_DX, &dx, error));
    if (!gl)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-SECTION-MISSING", FACET_NO_OFFSET,
                          "the shader package has no section AssemblyGL");
    if (read_programs(document, gl, dx, 1, shaders) || read_programs(document, gl, dx, 0, shaders))
        return FACET_OK;
    return facet_fail(
        error, FACET_ERROR_MALFORMED, "BPX-S-ASM-ID", FACET_NO_OFFSET,
        "an assembly names a section that is not a shader, counted from 1 and from 0");
}

/* -- Writing ----------------------------------------------------------- */

/* Add a shader. Returns its id, 0 for no shader. */
static uint16_t add_shader(facet_bpx *document, const facet_bpx_shader *shader)
{
    if (!shader->data)
        return 0;
    facet_bpx_add_section(document, FACET_BPX_SHADER, false, shader->data, shader->size);
    return (uint16_t)document->section_count;
}

static void add_program(facet_bpx *document, const facet_bpx_program *program, uint8_t *assembly)
{
    facet_store_u32le(assembly, program->least_version);
    facet_store_u16le(assembly + 4, add_shader(document, &program->vertex));
    facet_store_u16le(assembly + 6, add_shader(document, &program->geometry));
    facet_store_u16le(assembly + 8, add_shader(document, &program->pixel));
}

facet_status facet_bpx_from_programs(const facet_bpx_program *gl, const facet_bpx_program *dx,
                                     const facet_options *options, facet_bpx **document,
                                     facet_error *error)
{
    if (gl->least_version == 0 || !gl->vertex.data || !gl->pixel.data)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "BPX-S-ASM-VERTEX", FACET_NO_OFFSET,
                          "a shader package needs an OpenGL version, vertex and pixel shader");
    bool has_dx = dx && dx->least_version > 0;
    facet_bpx *made = NULL;
    TRY(facet_bpx_create('S', 8, options, &made, error));
    uint8_t *bytes = facet_arena_allocate_zeroed(made->arena, 2, FACET_BPX_ASSEMBLY_SIZE);
    if (!bytes) {
        facet_status status = facet_fail_arena(made->arena, error);
        facet_bpx_free(made);
        return status;
    }
    add_program(made, gl, bytes);
    if (has_dx)
        add_program(made, dx, bytes + FACET_BPX_ASSEMBLY_SIZE);
    facet_store_u32le(made->extension, made->section_count);
    made->extension[4] = (uint8_t)(FACET_BPX_OPENGL | (has_dx ? FACET_BPX_DIRECTX : 0));
    if (has_dx)
        facet_bpx_add_section(made, FACET_BPX_ASSEMBLY_DX, true, bytes + FACET_BPX_ASSEMBLY_SIZE,
                              FACET_BPX_ASSEMBLY_SIZE);
    facet_bpx_add_section(made, FACET_BPX_ASSEMBLY_GL, true, bytes, FACET_BPX_ASSEMBLY_SIZE);
    *document = made;
    return FACET_OK;
}
