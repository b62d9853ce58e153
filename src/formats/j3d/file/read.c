/* formats/j3d/file/read.c - sections of a file to a document. */
#include "formats/j3d/file/mdl3.h"
#include "formats/j3d/file/reader.h"

#include "base/error.h"

#include <string.h>

/* Keep unknown sections, so that they are written again. */
static facet_status keep_unknown(facet_j3d_reader *reader, const facet_j3d_sections *sections)
{
    facet_j3d *document = reader->document;
    uint32_t count = 0;
    for (uint32_t i = 0; i < sections->count; i++)
        count += facet_j3d_section_kind_at(sections->all[i].bytes) < 0;
    facet_status status = facet_j3d_make(reader, count, sizeof *document->unknown_sections,
                                         &document->unknown_sections);
    for (uint32_t i = 0; i < sections->count && !status; i++) {
        const facet_j3d_section *section = &sections->all[i];
        if (facet_j3d_section_kind_at(section->bytes) >= 0)
            continue;
        facet_j3d_unknown_section *kept =
            &document->unknown_sections[document->unknown_section_count++];
        memcpy(kept->magic, section->bytes, 4);
        kept->bytes = section->bytes;
        kept->size = section->size;
    }
    return status;
}

static void note_presence(facet_j3d_reader *reader)
{
    facet_j3d *document = reader->document;
    const facet_j3d_section *sections = reader->sections;
    document->has_hierarchy = sections[FACET_J3D_INF1].bytes;
    document->has_vertices = sections[FACET_J3D_VTX1].bytes;
    document->has_envelopes = sections[FACET_J3D_EVP1].bytes;
    document->has_draw_matrices = sections[FACET_J3D_DRW1].bytes;
    document->has_joints = sections[FACET_J3D_JNT1].bytes;
    document->has_shapes = sections[FACET_J3D_SHP1].bytes;
    document->has_materials = sections[FACET_J3D_MAT3].bytes;
    document->has_packets = sections[FACET_J3D_MDL3].bytes;
    document->has_textures = sections[FACET_J3D_TEX1].bytes;
    for (int i = 0; i < FACET_J3D_SECTION_COUNT; i++) {
        document->layout.sections[i].bytes = sections[i].bytes;
        document->layout.sections[i].size = sections[i].size;
    }
    document->textures_before_packets =
        document->has_textures && document->has_packets &&
        sections[FACET_J3D_TEX1].offset < sections[FACET_J3D_MDL3].offset;
}

static facet_status read_sections(facet_j3d_reader *reader)
{
    static facet_status (*const readers[])(facet_j3d_reader *) = {
        facet_j3d_read_inf1, facet_j3d_read_jnt1, facet_j3d_read_evp1, facet_j3d_read_drw1,
        facet_j3d_read_vtx1, facet_j3d_read_shp1, facet_j3d_read_mat3, facet_j3d_read_mdl3,
        facet_j3d_read_tex1, facet_j3d_bind,
    };
    static const facet_j3d_section_kind kinds[] = {
        FACET_J3D_INF1, FACET_J3D_JNT1, FACET_J3D_EVP1, FACET_J3D_DRW1, FACET_J3D_VTX1,
        FACET_J3D_SHP1, FACET_J3D_MAT3, FACET_J3D_MDL3, FACET_J3D_TEX1, FACET_J3D_INF1,
    };
    facet_status status = FACET_OK;
    for (size_t i = 0; !status && i < sizeof readers / sizeof *readers; i++) {
        if (reader->sections[kinds[i]].bytes)
            status = readers[i](reader);
    }
    return status;
}

static facet_status read_file(facet_j3d_reader *reader)
{
    facet_j3d *document = reader->document;
    facet_j3d_sections sections;
    TRY(facet_j3d_find_sections(reader->data, reader->size, FACET_J3D_SECTIONS_READ, reader->report,
                                &sections, reader->error));
    document->kind = sections.kind;
    memcpy(document->signature, reader->data + 0x10, sizeof document->signature);
    memcpy(reader->sections, sections.by_kind, sizeof reader->sections);
    note_presence(reader);
    facet_status status = keep_unknown(reader, &sections);
    if (!status)
        status = read_sections(reader);
    if (!status) {
        facet_j3d_complete_padding(&document->layout);
        document->layout.narrow_blend_mask = facet_j3d_has_narrow_mask(document);
    }
    return status;
}

facet_status facet_j3d_read(const facet_source *source, const facet_options *options,
                            facet_j3d **document, facet_error *error)
{
    facet_j3d_reader reader = {0};
    reader.data = source->data;
    reader.size = source->size;
    reader.report = options ? options->report : NULL;
    reader.error = error;
    TRY(facet_arena_create(options, &reader.arena, error));
    facet_status status = facet_j3d_make(&reader, 1, sizeof *reader.document, &reader.document);
    if (!status) {
        reader.document->arena = reader.arena;
        status = read_file(&reader);
    }
    if (status)
        facet_arena_free(reader.arena);
    else
        *document = reader.document;
    return status;
}

void facet_j3d_free(facet_j3d *document)
{
    if (document)
        facet_arena_free(document->arena);
}
