/* formats/j3d/file/evp1.c - envelopes, and the joints' inverse bind matrices. */
#include "formats/j3d/file/reader.h"
#include "formats/j3d/file/writer.h"

#include <inttypes.h>

#define HEAD 0x1C
#define MATRIX 0x30

/* -- Reading ------------------------------------------------------------ */

/* Number of bytes from `offset` to the next table of the section, or to its end. */
static size_t space_from(const facet_j3d_section *section, uint32_t offset)
{
    size_t end = section->size;
    for (uint32_t field = 0x0C; field < HEAD; field += 4) {
        uint32_t other = facet_load_u32be(section->bytes + field);
        if (other > offset && other < end)
            end = other;
    }
    return offset < end ? end - offset : 0;
}

static facet_status read_influences(facet_j3d_reader *reader, const uint8_t *counts)
{
    const facet_j3d_section *section = &reader->sections[FACET_J3D_EVP1];
    facet_j3d_envelopes *envelopes = &reader->document->envelopes;
    const uint8_t *joints, *weights;
    uint32_t total = 0;
    for (uint32_t i = 0; i < envelopes->count; i++) {
        envelopes->items[i].first = total;
        envelopes->items[i].count = counts[i];
        total += counts[i];
    }
    TRY(facet_j3d_find_table(reader, FACET_J3D_EVP1, 0x10, total, 2, "J3D-EVP1-INFLUENCES",
                             "joint indices", &joints));
    TRY(facet_j3d_find_table(reader, FACET_J3D_EVP1, 0x14, total, 4, "J3D-EVP1-INFLUENCES",
                             "weights", &weights));
    TRY(facet_j3d_make(reader, total, sizeof *envelopes->influences, &envelopes->influences));
    for (uint32_t i = 0; i < total; i++) {
        facet_j3d_influence *influence = &envelopes->influences[i];
        influence->joint = facet_load_u16be(joints + (size_t)i * 2);
        influence->weight = facet_load_f32be(weights + (size_t)i * 4);
        if (influence->joint >= reader->document->joints.count)
            return facet_j3d_fault(reader, FACET_J3D_EVP1,
                                   (uint64_t)(joints - section->bytes) + (uint64_t)i * 2,
                                   "J3D-EVP1-JOINT", "joint %u of %" PRIu32 " has an influence",
                                   (unsigned)influence->joint, reader->document->joints.count);
    }
    envelopes->influence_count = total;
    size_t end = (size_t)(joints - section->bytes) + (size_t)total * 2;
    size_t next = (size_t)(weights - section->bytes);
    reader->document->layout.wide_weights =
        total > 0 && next % 8 == 0 && facet_align_up(end, 4) + 4 == next;
    return FACET_OK;
}

/* Read as many matrices as fit, up to the number of joints. The file does not store their
 * number. */
static facet_status read_inverse_binds(facet_j3d_reader *reader)
{
    const facet_j3d_section *section = &reader->sections[FACET_J3D_EVP1];
    const facet_j3d *document = reader->document;
    facet_j3d_envelopes *envelopes = &reader->document->envelopes;
    uint32_t offset = facet_load_u32be(section->bytes + 0x18), needed = 0;
    size_t count = offset ? space_from(section, offset) / MATRIX : 0;
    for (uint32_t i = 0; i < envelopes->influence_count; i++) {
        if (envelopes->influences[i].joint >= needed)
            needed = envelopes->influences[i].joint + 1u;
    }
    if (count < needed)
        return facet_j3d_fault(reader, FACET_J3D_EVP1, 0x18, "J3D-EVP1-INVERSE-BIND",
                               "there are inverse bind matrices for %zu joints, but joint %" PRIu32
                               " has an influence",
                               count, needed - 1);
    if (count > document->joints.count)
        count = document->joints.count;
    if (envelopes->count > 0 && count < document->joints.count)
        facet_j3d_odd(reader, FACET_J3D_EVP1, 0x18, "J3D-EVP1-INVERSE-BIND-COUNT",
                      "there are inverse bind matrices for %zu of %" PRIu32 " joints", count,
                      document->joints.count);
    TRY(facet_j3d_make(reader, count, sizeof *envelopes->inverse_bind, &envelopes->inverse_bind));
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < 12; k++)
            envelopes->inverse_bind[i][k] =
                facet_load_f32be(section->bytes + offset + i * MATRIX + k * 4);
    }
    envelopes->inverse_bind_count = (uint32_t)count;
    return FACET_OK;
}

facet_status facet_j3d_read_evp1(facet_j3d_reader *reader)
{
    facet_j3d_envelopes *envelopes = &reader->document->envelopes;
    const uint8_t *counts;
    facet_status status = facet_j3d_need_head(reader, FACET_J3D_EVP1, HEAD, "J3D-EVP1-SIZE");
    if (status)
        return status;
    uint16_t count = facet_load_u16be(reader->sections[FACET_J3D_EVP1].bytes + 0x08);
    status = facet_j3d_find_table(reader, FACET_J3D_EVP1, 0x0C, count, 1, "J3D-EVP1-ENVELOPES",
                                  "influence counts", &counts);
    if (!status)
        status = facet_j3d_make(reader, count, sizeof *envelopes->items, &envelopes->items);
    if (status)
        return status;
    envelopes->count = count;
    status = read_influences(reader, counts);
    return status ? status : read_inverse_binds(reader);
}

/* -- Writing ------------------------------------------------------------ */

facet_status facet_j3d_write_evp1(facet_j3d_writer *writer)
{
    const facet_j3d_envelopes *envelopes = &writer->document->envelopes;
    TRY(facet_j3d_fits_u16(writer, envelopes->count, "J3D-EVP1-ENVELOPES", "envelopes"));
    facet_j3d_put_u16(writer, (uint16_t)envelopes->count);
    facet_j3d_put_u16(writer, 0xFFFF);
    facet_j3d_put_zeros(writer, HEAD - 0x0C);
    for (size_t field = 0x0C; field < 0x18; field += 4)
        facet_j3d_free_offset(writer, field, envelopes->count);
    facet_j3d_free_offset(writer, 0x18, envelopes->inverse_bind_count);
    if (envelopes->count > 0) {
        facet_j3d_patch_to_position(writer, 0x0C);
        for (uint32_t i = 0; i < envelopes->count; i++)
            facet_j3d_put_u8(writer, envelopes->items[i].count);
        /* not aligned, as in the exporters' files */
        facet_j3d_patch_to_position(writer, 0x10);
        for (uint32_t i = 0; i < envelopes->count; i++) {
            for (uint32_t k = 0; k < envelopes->items[i].count; k++)
                facet_j3d_put_u16(writer,
                                  envelopes->influences[envelopes->items[i].first + k].joint);
        }
        facet_j3d_pad(writer, writer->document->layout.wide_weights ? 8 : 4);
        facet_j3d_patch_to_position(writer, 0x14);
        for (uint32_t i = 0; i < envelopes->count; i++) {
            for (uint32_t k = 0; k < envelopes->items[i].count; k++)
                facet_j3d_put_floats(
                    writer, &envelopes->influences[envelopes->items[i].first + k].weight, 1);
        }
    }
    if (envelopes->inverse_bind_count > 0) {
        facet_j3d_patch_to_position(writer, 0x18);
        facet_j3d_put_floats(writer, envelopes->inverse_bind[0],
                             (size_t)envelopes->inverse_bind_count * 12);
    }
    return FACET_OK;
}
