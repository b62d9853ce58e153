/* j3d/jnt1.c - joints. */
#include "j3d/document.h"

#include <math.h>

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
        const float *scale = joints->items[i].scale;
        if (!isfinite(scale[0]) || !isfinite(scale[1]) || !isfinite(scale[2]))
            return facet_j3d_fault(reader, FACET_J3D_JNT1,
                                   (uint64_t)(table - section->bytes) + i * JOINT + 4,
                                   "J3D-JNT1-SCALE", "the scale of a joint is not finite");
    }
    joints->count = count;
    status = facet_j3d_read_remap(reader, FACET_J3D_JNT1, 0x10, count, count, "J3D-JNT1-REMAP",
                                  &joints->remap);
    return status ? status : facet_j3d_read_names(reader, FACET_J3D_JNT1, 0x14, &joints->names);
}
