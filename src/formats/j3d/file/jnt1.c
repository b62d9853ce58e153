/* formats/j3d/file/jnt1.c - joints. */
#include "formats/j3d/file/reader.h"
#include "formats/j3d/file/writer.h"

#include <math.h>
#include <string.h>

#define HEAD 0x18
#define JOINT 0x40

/* -- Reading ------------------------------------------------------------ */

static void load_joint(const uint8_t *at, facet_j3d_joint *joint)
{
    joint->kind = facet_load_u16be(at);
    joint->scale_compensate = at[0x02];
    joint->unknown = at[0x03];
    facet_j3d_load_vector(at + 0x04, joint->scale);
    for (int i = 0; i < 3; i++)
        joint->rotation[i] = (int16_t)facet_load_u16be(at + 0x10 + 2 * i);
    joint->unknown2 = facet_load_u16be(at + 0x16);
    facet_j3d_load_vector(at + 0x18, joint->translation);
    joint->radius = facet_load_f32be(at + 0x24);
    facet_j3d_load_vector(at + 0x28, joint->minimum);
    facet_j3d_load_vector(at + 0x34, joint->maximum);
    joint->parent = FACET_J3D_NONE;
}

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
        load_joint(table + (size_t)i * JOINT, &joints->items[i]);
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

static void put_joint(facet_j3d_writer *writer, const facet_j3d_joint *joint)
{
    facet_j3d_put_u16(writer, joint->kind);
    facet_j3d_put_u8(writer, joint->scale_compensate);
    facet_j3d_put_u8(writer, joint->unknown);
    facet_j3d_put_floats(writer, joint->scale, 3);
    for (int i = 0; i < 3; i++)
        facet_j3d_put_u16(writer, (uint16_t)joint->rotation[i]);
    facet_j3d_put_u16(writer, joint->unknown2);
    facet_j3d_put_floats(writer, joint->translation, 3);
    facet_j3d_put_floats(writer, &joint->radius, 1);
    facet_j3d_put_floats(writer, joint->minimum, 3);
    facet_j3d_put_floats(writer, joint->maximum, 3);
}

facet_status facet_j3d_write_jnt1(facet_j3d_writer *writer)
{
    const facet_j3d_joints *joints = &writer->document->joints;
    facet_status status = facet_j3d_fits_u16(writer, joints->count, "J3D-JNT1-ENTRIES", "joints");
    if (status)
        return status;
    facet_j3d_put_u16(writer, (uint16_t)joints->count);
    facet_j3d_put_u16(writer, 0xFFFF);
    facet_j3d_put_zeros(writer, HEAD - 0x0C);
    facet_j3d_patch_here(writer, 0x0C);
    for (uint32_t i = 0; i < joints->count; i++)
        put_joint(writer, &joints->items[i]);
    facet_j3d_patch_here(writer, 0x10);
    facet_j3d_put_u16s(writer, joints->remap, joints->count);
    facet_j3d_pad(writer, 4);
    return facet_j3d_put_names(writer, &joints->names, 0x14);
}
