/* formats/j3d/file/jnt1.c - joints. */
#include "base/record.h"
#include "formats/j3d/file/reader.h"
#include "formats/j3d/file/writer.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define HEAD 0x18
#define JOINT 0x40
#define LAYOUT "h1b2w3h4w10"

_Static_assert(offsetof(facet_j3d_joint, parent) == JOINT,
               "the file's record is the struct, but for the order of bytes");

/* -- Reading ------------------------------------------------------------ */

facet_status facet_j3d_read_jnt1(facet_j3d_reader *reader)
{
    const facet_j3d_section *section = &reader->sections[FACET_J3D_JNT1];
    facet_j3d_joints *joints = &reader->document->joints;
    const uint8_t *table;
    facet_status status = facet_j3d_need_head(reader, FACET_J3D_JNT1, HEAD, "J3D-JNT1-SIZE");
    if (status)
        return status;
    uint16_t count = facet_load_u16be(section->bytes + 0x08);
    status = facet_j3d_find_table(reader, FACET_J3D_JNT1, 0x0C, count, JOINT, "J3D-JNT1-ENTRIES",
                                  "joints", &table);
    if (!status)
        status = facet_j3d_make(reader, count, sizeof *joints->items, &joints->items);
    if (status)
        return status;
    for (uint32_t i = 0; i < count; i++) {
        facet_record_move(LAYOUT, table + (size_t)i * JOINT, &joints->items[i]);
        joints->items[i].parent = FACET_J3D_NONE;
        for (uint32_t k = 0; k < 3; k++) {
            if (!isfinite(joints->items[i].scale[k]))
                return facet_j3d_fault(reader, FACET_J3D_JNT1,
                                       (uint64_t)(table - section->bytes) + i * JOINT + 4 + 4 * k,
                                       "J3D-JNT1-SCALE", "the scale of a joint is not finite");
        }
    }
    joints->count = count;
    status = facet_j3d_read_remap(reader, FACET_J3D_JNT1, 0x10, count, count, "J3D-JNT1-REMAP",
                                  &joints->remap);
    if (!status)
        status = facet_j3d_read_names(reader, FACET_J3D_JNT1, 0x14, &joints->names);
    if (!status && joints->names.count > 0) {
        const char *last = joints->names.items[joints->names.count - 1].bytes;
        facet_j3d_learn_padding(reader, FACET_J3D_JNT1,
                                (size_t)((const uint8_t *)last - section->bytes) + strlen(last) +
                                    1);
    }
    return status;
}

/* -- Writing ------------------------------------------------------------ */

facet_status facet_j3d_write_jnt1(facet_j3d_writer *writer)
{
    const facet_j3d_joints *joints = &writer->document->joints;
    TRY(facet_j3d_fits_u16(writer, joints->count, "J3D-JNT1-ENTRIES", "joints"));
    facet_j3d_put_u16(writer, (uint16_t)joints->count);
    facet_j3d_put_u16(writer, 0xFFFF);
    facet_j3d_put_zeros(writer, HEAD - 0x0C);
    facet_j3d_patch_to_position(writer, 0x0C);
    uint8_t *at = facet_j3d_extend(writer, (size_t)joints->count * JOINT);
    for (uint32_t i = 0; i < joints->count && at; i++)
        facet_record_move(LAYOUT, &joints->items[i], at + (size_t)i * JOINT);
    facet_j3d_patch_to_position(writer, 0x10);
    facet_j3d_put_u16s(writer, joints->remap, joints->count);
    facet_j3d_pad(writer, 4);
    return facet_j3d_put_names(writer, &joints->names, 0x14);
}
