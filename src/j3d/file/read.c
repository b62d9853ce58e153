/* j3d/file/read.c - the file: its header, and which section lies where. */
#include "j3d/file/mdl3.h"
#include "j3d/file/reader.h"

#include <inttypes.h>
#include <string.h>

#define HEADER_SIZE 0x20
#define SECTION_HEAD 8

/* -- Sections ----------------------------------------------------------- */

static const struct {
    char magic[5];
    facet_j3d_section_kind kind;
} section_names[] = {
    {"INF1", FACET_J3D_INF1}, {"VTX1", FACET_J3D_VTX1}, {"EVP1", FACET_J3D_EVP1},
    {"DRW1", FACET_J3D_DRW1}, {"JNT1", FACET_J3D_JNT1}, {"SHP1", FACET_J3D_SHP1},
    {"MAT3", FACET_J3D_MAT3}, {"MAT2", FACET_J3D_MAT3}, {"MDL3", FACET_J3D_MDL3},
    {"TEX1", FACET_J3D_TEX1},
};

/* The kind of section that begins at these bytes, or -1. */
static int section_kind(const uint8_t *magic)
{
    for (size_t i = 0; i < sizeof section_names / sizeof *section_names; i++) {
        if (memcmp(magic, section_names[i].magic, 4) == 0)
            return (int)section_names[i].kind;
    }
    return -1;
}

static facet_status keep_unknown(facet_j3d_reader *reader, const facet_j3d_section *section)
{
    facet_j3d *document = reader->document;
    uint32_t count = document->unknown_section_count;
    facet_quoted quoted;
    facet_quote(&quoted, (const char *)section->bytes, 4);
    if (memcmp(section->bytes, "MAT", 3) == 0)
        return facet_fail(
            reader->error, FACET_ERROR_UNSUPPORTED, "J3D-SECTION-VARIANT", section->offset,
            "materials of the variant '%s' are not read: MAT3 and MAT2 are", quoted.text);
    facet_j3d_unknown_section *sections =
        facet_arena_resize(reader->arena, document->unknown_sections, count, count + 1,
                           sizeof *document->unknown_sections);
    if (!sections)
        return facet_fail_memory(reader->error, (count + 1) * sizeof *sections);
    memcpy(sections[count].magic, section->bytes, 4);
    sections[count].bytes = section->bytes;
    sections[count].size = section->size;
    document->unknown_sections = sections;
    document->unknown_section_count = count + 1;
    facet_report_add(reader->report, "J3D-SECTION-UNKNOWN", FACET_SEVERITY_WARNING, section->offset,
                     "section '%s' is unknown; it is kept as it is", quoted.text);
    return FACET_OK;
}

static facet_status add_section(facet_j3d_reader *reader, const facet_j3d_section *section)
{
    int kind = section_kind(section->bytes);
    if (kind < 0)
        return keep_unknown(reader, section);
    if (reader->sections[kind].bytes)
        return facet_fail(reader->error, FACET_ERROR_MALFORMED, "J3D-SECTION-TWICE",
                          section->offset, "there are two sections %.4s",
                          (const char *)section->bytes);
    reader->sections[kind] = *section;
    return FACET_OK;
}

/* Unknown sections are few, or the file is nonsense. */
#define MOST_SECTIONS 64

static facet_status find_sections(facet_j3d_reader *reader)
{
    uint32_t announced = facet_load_u32be(reader->data + 0x0C), count = 0;
    size_t at = HEADER_SIZE;
    facet_status status = FACET_OK;
    for (; !status && reader->size - at >= SECTION_HEAD; count++) {
        facet_j3d_section section = {reader->data + at, facet_load_u32be(reader->data + at + 4),
                                     at};
        /* The announced count may be too small or too large; behind the last
         * section there may be anything. */
        if (count >= announced && section_kind(section.bytes) < 0)
            break;
        if (section.size < SECTION_HEAD || section.size > reader->size - at ||
            section.size % 4 != 0) {
            facet_quoted quoted;
            return facet_fail(reader->error, FACET_ERROR_MALFORMED, "J3D-SECTION-SIZE", at,
                              "section '%s' announces %zu bytes where %zu are left (a multiple of "
                              "4 is expected)",
                              facet_quote(&quoted, (const char *)section.bytes, 4), section.size,
                              reader->size - at);
        }
        if (count == MOST_SECTIONS)
            return facet_fail(reader->error, FACET_ERROR_MALFORMED, "J3D-SECTION-COUNT", at,
                              "there are more than %d sections", MOST_SECTIONS);
        status = add_section(reader, &section);
        at += section.size;
    }
    if (status)
        return status;
    bool short_bmt = reader->document->kind == FACET_J3D_BMT3 && announced == 2 && count == 1;
    if (count != announced && !short_bmt)
        facet_report_add(reader->report, "J3D-SECTION-COUNT", FACET_SEVERITY_WARNING, 0x0C,
                         "the header announces %" PRIu32 " sections, and there are %" PRIu32,
                         announced, count);
    if (at < reader->size)
        facet_report_add(reader->report, "J3D-FILE-SIZE", FACET_SEVERITY_WARNING, at,
                         "%zu bytes follow the last section", reader->size - at);
    return FACET_OK;
}

/* A model has all its sections; MDL3 can be made anew, envelopes and textures
 * may be none. */
static facet_status expect_sections(const facet_j3d_reader *reader)
{
    static const struct {
        facet_j3d_section_kind kind;
        const char *magic;
        bool needed;
    } expected[] = {
        {FACET_J3D_INF1, "INF1", true},  {FACET_J3D_VTX1, "VTX1", true},
        {FACET_J3D_EVP1, "EVP1", false}, {FACET_J3D_DRW1, "DRW1", true},
        {FACET_J3D_JNT1, "JNT1", true},  {FACET_J3D_SHP1, "SHP1", true},
        {FACET_J3D_MAT3, "MAT3", true},  {FACET_J3D_TEX1, "TEX1", false},
    };
    const facet_j3d *document = reader->document;
    if (document->kind == FACET_J3D_BMT3) {
        if (!document->has_materials && !document->has_textures)
            return facet_fail(reader->error, FACET_ERROR_MALFORMED, "J3D-SECTION-MISSING", 0x20,
                              "the file has neither materials (MAT3) nor textures (TEX1)");
        return FACET_OK;
    }
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        if (reader->sections[expected[i].kind].bytes)
            continue;
        if (expected[i].needed)
            return facet_fail(reader->error, FACET_ERROR_MALFORMED, "J3D-SECTION-MISSING", 0x20,
                              "the file has no section %s", expected[i].magic);
        facet_report_add(reader->report, "J3D-SECTION-MISSING", FACET_SEVERITY_WARNING, 0x20,
                         "the file has no section %s", expected[i].magic);
    }
    if (document->kind == FACET_J3D_BDL4 && !document->has_packets)
        facet_report_add(reader->report, "J3D-SECTION-MISSING", FACET_SEVERITY_WARNING, 0x20,
                         "the file is a BDL and has no section MDL3");
    if (document->kind != FACET_J3D_BDL4 && document->has_packets)
        facet_report_add(reader->report, "J3D-SECTION-KIND", FACET_SEVERITY_WARNING, 0x20,
                         "the file is no BDL and has a section MDL3");
    return FACET_OK;
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
    document->textures_before_packets =
        document->has_textures && document->has_packets &&
        sections[FACET_J3D_TEX1].offset < sections[FACET_J3D_MDL3].offset;
}

/* -- Reading ------------------------------------------------------------ */

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
    facet_status status =
        facet_j3d_find_kind(reader->data, reader->size, &document->kind, reader->error);
    if (status)
        return status;
    if (reader->size < HEADER_SIZE)
        return facet_fail(reader->error, FACET_ERROR_MALFORMED, "J3D-FILE-SIZE", 0,
                          "the file has %zu bytes, and its header alone needs 32", reader->size);
    memcpy(document->signature, reader->data + 0x10, sizeof document->signature);
    uint32_t announced = facet_load_u32be(reader->data + 8);
    if (announced != reader->size)
        facet_report_add(reader->report, "J3D-FILE-SIZE", FACET_SEVERITY_WARNING, 8,
                         "the header announces %" PRIu32 " bytes, and the file has %zu", announced,
                         reader->size);
    status = find_sections(reader);
    if (status)
        return status;
    note_presence(reader);
    status = expect_sections(reader);
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
    facet_j3d_reader reader = {.data = source->data,
                               .size = source->size,
                               .report = options ? options->report : NULL,
                               .error = error};
    facet_status status = facet_arena_create(options, &reader.arena, error);
    if (status)
        return status;
    status = facet_j3d_make(&reader, 1, sizeof *reader.document, &reader.document);
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
