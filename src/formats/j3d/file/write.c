/* formats/j3d/file/write.c - the sections of a document to a file. */
#include "formats/j3d/file/writer.h"

#include "base/arena.h"
#include "base/error.h"

#include <inttypes.h>
#include <string.h>

#define HEADER_SIZE 0x20
#define SECTION_ALIGNMENT 0x20

/* -- Sections ----------------------------------------------------------- */

typedef facet_status (*section_writer)(facet_j3d_writer *writer);

static facet_status write_section(facet_j3d_writer *writer, facet_j3d_section_kind kind,
                                  bool present, section_writer write, uint32_t *count)
{
    const char *magic = facet_j3d_section_name(kind);
    if (!present)
        return FACET_OK;
    writer->section = writer->size;
    writer->gap_count = 0;
    facet_j3d_put(writer, magic, 4);
    facet_j3d_put_u32(writer, 0);
    TRY(write(writer));
    facet_j3d_pad(writer, SECTION_ALIGNMENT);
    size_t size = facet_j3d_writer_position(writer);
    if (size > UINT32_MAX)
        return facet_fail(writer->error, FACET_ERROR_LIMIT, "J3D-SECTION-SIZE", FACET_NO_OFFSET,
                          "section %s would have %zu bytes; the format holds 4 GiB", magic, size);
    facet_j3d_patch(writer, 4, (uint32_t)size);
    writer->is_as_read[kind] =
        facet_j3d_keep_padding(writer, &writer->document->layout.sections[kind]);
    ++*count;
    return FACET_OK;
}

static facet_status write_sections(facet_j3d_writer *writer, uint32_t *count)
{
    const facet_j3d *document = writer->document;
    bool packets = document->has_packets && document->kind == FACET_J3D_BDL4;
    bool early = document->textures_before_packets;
    const struct {
        facet_j3d_section_kind kind;
        bool present;
        section_writer write;
    } sections[] = {
        {FACET_J3D_INF1, document->has_hierarchy, facet_j3d_write_inf1},
        {FACET_J3D_VTX1, document->has_vertices, facet_j3d_write_vtx1},
        {FACET_J3D_EVP1, document->has_envelopes, facet_j3d_write_evp1},
        {FACET_J3D_DRW1, document->has_draw_matrices, facet_j3d_write_drw1},
        {FACET_J3D_JNT1, document->has_joints, facet_j3d_write_jnt1},
        {FACET_J3D_SHP1, document->has_shapes, facet_j3d_write_shp1},
        {FACET_J3D_MAT3, document->has_materials, facet_j3d_write_mat3},
        {FACET_J3D_TEX1, document->has_textures && early, facet_j3d_write_tex1},
        {FACET_J3D_MDL3, packets, facet_j3d_write_mdl3},
        {FACET_J3D_TEX1, document->has_textures && !early, facet_j3d_write_tex1},
    };
    facet_status status = FACET_OK;
    for (size_t i = 0; !status && i < sizeof sections / sizeof *sections; i++)
        status =
            write_section(writer, sections[i].kind, sections[i].present, sections[i].write, count);
    /* INF1 is the first section. */
    if (!status && document->has_hierarchy &&
        !(writer->is_as_read[FACET_J3D_VTX1] && writer->is_as_read[FACET_J3D_SHP1]))
        facet_j3d_count_anew(writer, HEADER_SIZE);
    for (uint32_t i = 0; !status && i < document->unknown_section_count; i++, ++*count)
        facet_j3d_put(writer, document->unknown_sections[i].bytes,
                      document->unknown_sections[i].size);
    return status;
}

/* -- File --------------------------------------------------------------- */

static const char *magic_of(facet_j3d_kind kind)
{
    switch (kind) {
    case FACET_J3D_BMD2:
    case FACET_J3D_BMD3:
        return "J3D2bmd3";
    case FACET_J3D_BDL4:
        return "J3D2bdl4";
    case FACET_J3D_BMT3:
        return "J3D2bmt3";
    }
    return NULL;
}

static void note_losses(const facet_j3d *document, facet_report *report)
{
    if (document->kind == FACET_J3D_BMD2)
        facet_report_add(report, "J3D-KIND", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                         "the bmd2 model is written as bmd3");
    if (document->has_packets && document->kind != FACET_J3D_BDL4)
        facet_report_add(report, "LOSS-MATERIALS", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                         "baked materials (MDL3) are left out: the target is not a BDL");
}

/* Write the exporters' signature if the document has none, or an older one. */
static void put_signature(facet_j3d_writer *writer)
{
    static const uint8_t usual[16] = "SVR3\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF";
    const facet_j3d *document = writer->document;
    bool none = document->signature[0] == 0 || document->kind == FACET_J3D_BMD2;
    facet_j3d_put(writer, none ? usual : document->signature, sizeof usual);
}

static facet_status build(facet_j3d_writer *writer, const char *magic)
{
    uint32_t count = 0;
    facet_j3d_put(writer, magic, 8);
    facet_j3d_put_zeros(writer, 8);
    put_signature(writer);
    facet_status status = write_sections(writer, &count);
    if (!status && writer->failed)
        status = facet_fail_arena(writer->arena, writer->error);
    if (!status && writer->size > UINT32_MAX)
        status = facet_fail(writer->error, FACET_ERROR_LIMIT, "J3D-FILE-SIZE", FACET_NO_OFFSET,
                            "the file would have %zu bytes; the format holds 4 GiB", writer->size);
    if (status)
        return status;
    writer->section = 0;
    facet_j3d_patch(writer, 0x08, (uint32_t)writer->size);
    /* Material files announce both sections, even if one is missing. */
    bool short_bmt = writer->document->kind == FACET_J3D_BMT3 && count < 2;
    facet_j3d_patch(writer, 0x0C, short_bmt ? 2 : count);
    return FACET_OK;
}

/* Read the written bytes again: the reader checks every index, count and command. */
static facet_status verify(const facet_j3d_writer *writer, const facet_options *options)
{
    facet_options quiet = {0};
    if (options)
        quiet = *options;
    quiet.report = NULL;
    facet_j3d *again;
    facet_source source = facet_source_from_memory(writer->bytes, writer->size, NULL);
    facet_status status = facet_j3d_read(&source, &quiet, &again, writer->error);
    if (!status)
        facet_j3d_free(again);
    if (status != FACET_ERROR_MALFORMED)
        return status;
    if (writer->error) {
        writer->error->status = FACET_ERROR_ARGUMENT;
        writer->error->offset = FACET_NO_OFFSET;
    }
    return FACET_ERROR_ARGUMENT;
}

/* Lower bound of the file size in bytes. */
static size_t estimate(const facet_j3d *document)
{
    size_t size = 4096;
    for (int i = 0; i < FACET_J3D_ARRAY_COUNT; i++)
        size += document->vertices.arrays[i].size;
    for (uint32_t i = 0; i < document->shapes.display_list_count; i++)
        size += document->shapes.display_lists[i].size + 32;
    for (uint32_t i = 0; i < document->packets.count; i++)
        size += document->packets.items[i].size;
    for (uint32_t i = 0; i < document->textures.texels_count; i++)
        size += document->textures.texels[i].size;
    return size;
}

facet_status facet_j3d_write(const facet_j3d *document, const facet_options *options,
                             facet_output *output, facet_error *error)
{
    facet_j3d_writer writer = {
        .document = document, .report = options ? options->report : NULL, .error = error};
    const char *magic = magic_of(document->kind);
    if (!magic)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "J3D-KIND", FACET_NO_OFFSET,
                          "the kind of the document is unknown");
    if (document->kind == FACET_J3D_BDL4 && !document->has_packets)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "J3D-SECTION-MISSING", FACET_NO_OFFSET,
                          "a BDL needs baked materials (MDL3), and the document has none");
    facet_status status = facet_j3d_validate(document, error);
    if (!status)
        status = facet_arena_create(options, &writer.arena, error);
    if (status)
        return status;
    writer.space = estimate(document);
    writer.bytes = facet_arena_allocate(writer.arena, writer.space, 1);
    status = writer.bytes ? build(&writer, magic) : facet_fail_arena(writer.arena, error);
    if (!status)
        status = verify(&writer, options);
    if (!status) {
        note_losses(document, writer.report);
        facet_output_write(output, writer.bytes, writer.size);
    }
    facet_arena_free(writer.arena);
    return status;
}
