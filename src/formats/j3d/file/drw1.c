/* formats/j3d/file/drw1.c - draw matrices: the joint or envelope that moves a vertex. */
#include "formats/j3d/file/reader.h"
#include "formats/j3d/file/writer.h"

#include <inttypes.h>

#define HEAD 0x14

/* -- Reading ------------------------------------------------------------ */

/* The count without the second copy of all envelopes. Exporters write it, but shapes never use
 * it. */
static uint32_t effective_count(const facet_j3d_draw_matrices *matrices, uint32_t envelope_count)
{
    uint32_t envelopes = 0;
    for (uint32_t i = 0; i < matrices->count; i++)
        envelopes += matrices->items[i].is_envelope;
    uint32_t rigid = matrices->count - envelopes;
    return rigid + (envelopes < envelope_count ? envelopes : envelope_count);
}

facet_status facet_j3d_read_drw1(facet_j3d_reader *reader)
{
    const facet_j3d_section *section = &reader->sections[FACET_J3D_DRW1];
    facet_j3d *document = reader->document;
    facet_j3d_draw_matrices *matrices = &document->draw_matrices;
    const uint8_t *types, *indices;
    facet_status status = facet_j3d_need_head(reader, FACET_J3D_DRW1, HEAD, "J3D-DRW1-SIZE");
    if (status)
        return status;
    uint16_t count = facet_load_u16be(section->bytes + 0x08);
    status = facet_j3d_find_table(reader, FACET_J3D_DRW1, 0x0C, count, 1, "J3D-DRW1-ENTRIES",
                                  "types", &types);
    if (!status)
        status = facet_j3d_find_table(reader, FACET_J3D_DRW1, 0x10, count, 2, "J3D-DRW1-ENTRIES",
                                      "indices", &indices);
    if (!status)
        status = facet_j3d_make(reader, count, sizeof *matrices->items, &matrices->items);
    if (status)
        return status;
    for (uint32_t i = 0; i < count; i++) {
        facet_j3d_draw_matrix *matrix = &matrices->items[i];
        uint64_t at = (uint64_t)(types - section->bytes) + i;
        if (types[i] > 1)
            return facet_j3d_fault(reader, FACET_J3D_DRW1, at, "J3D-DRW1-TYPE",
                                   "draw matrix %" PRIu32
                                   " is of type %u, expected 0 (joint) or 1 (envelope)",
                                   i, (unsigned)types[i]);
        matrix->is_envelope = types[i];
        matrix->index = facet_load_u16be(indices + (size_t)i * 2);
        uint32_t limit = matrix->is_envelope ? document->envelopes.count : document->joints.count;
        if (matrix->index >= limit)
            return facet_j3d_fault(
                reader, FACET_J3D_DRW1, (uint64_t)(indices - section->bytes) + 2 * (uint64_t)i,
                "J3D-DRW1-INDEX", "draw matrix %" PRIu32 " names %s %u of %" PRIu32, i,
                matrix->is_envelope ? "envelope" : "joint", (unsigned)matrix->index, limit);
    }
    matrices->count = count;
    reader->document->layout.unaligned_draw_matrices = count > 0 && (indices - section->bytes) % 2;
    if (count > 0)
        facet_j3d_learn_padding(reader, FACET_J3D_DRW1,
                                (size_t)(indices - section->bytes) + (size_t)count * 2);
    matrices->effective_count = effective_count(matrices, document->envelopes.count);
    return FACET_OK;
}

/* -- Writing ------------------------------------------------------------ */

facet_status facet_j3d_write_drw1(facet_j3d_writer *writer)
{
    const facet_j3d_draw_matrices *matrices = &writer->document->draw_matrices;
    TRY(facet_j3d_fits_u16(writer, matrices->count, "J3D-DRW1-ENTRIES", "draw matrices"));
    facet_j3d_put_u16(writer, (uint16_t)matrices->count);
    facet_j3d_put_u16(writer, 0xFFFF);
    facet_j3d_put_zeros(writer, HEAD - 0x0C);
    facet_j3d_patch_to_position(writer, 0x0C);
    for (uint32_t i = 0; i < matrices->count; i++)
        facet_j3d_put_u8(writer, matrices->items[i].is_envelope);
    if (!writer->document->layout.unaligned_draw_matrices)
        facet_j3d_pad(writer, 2);
    facet_j3d_patch_to_position(writer, 0x10);
    for (uint32_t i = 0; i < matrices->count; i++)
        facet_j3d_put_u16(writer, matrices->items[i].index);
    return FACET_OK;
}
