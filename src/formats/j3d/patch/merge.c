/* formats/j3d/patch/merge.c - differences of the scene, stored in the original: shapes, joints,
 * materials and textures. */
#include "formats/j3d/patch/draws.h"
#include "formats/j3d/patch/like.h"
#include "formats/j3d/patch/material_slots.h"
#include "formats/j3d/patch/packets.h"
#include "formats/j3d/patch/samplers.h"
#include "formats/j3d/patch/shapes.h"
#include "formats/j3d/patch/tree.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"

#include <inttypes.h>
#include <string.h>

/* -- Joints ------------------------------------------------------------- */

static facet_status put_joints(facet_j3d_builder *b)
{
    facet_j3d_joints *to = &b->like->document->joints;
    bool has_new = b->document->joints.count > b->like->joint_count;
    if (!has_new && b->like->renamed_count == 0)
        return FACET_OK;
    *to = b->document->joints;
    if (!has_new)
        return FACET_OK;
    TRY(facet_j3d_like_add_binds(b));
    return facet_j3d_like_add_joints(b);
}

/* -- Textures ----------------------------------------------------------- */

static void put_textures(facet_j3d_builder *b)
{
    if (!b->like->textures_changed)
        return;
    b->like->document->textures = b->document->textures;
    b->like->document->has_textures = true;
}

/* -- The merge ---------------------------------------------------------- */

/* Report changes other than those of shapes, which put_shapes reports. */
static void report_rest(const facet_j3d_builder *b)
{
    const facet_j3d_like *like = b->like;
    uint32_t bones = b->document->joints.count - like->joint_count, images = 0;
    for (uint32_t i = 0; i < b->scene->image_count; i++)
        images += like->image_of[i] == FACET_NONE || like->is_repainted[i];
    images = like->textures_changed ? images : 0;
    if (bones + like->renamed_count + like->new_slot_count + images > 0)
        facet_report_add(
            facet_j3d_builder_report(b), "J3D-LIKE", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
            "new joints: %" PRIu32 ", renamed: %" PRIu32 "; edited or new materials: %" PRIu32
            ", pictures: %" PRIu32 "; everything else is kept",
            bones, like->renamed_count, like->new_slot_count, images);
}

facet_status facet_j3d_like_merge(facet_j3d_builder *b)
{
    facet_j3d_like *like = b->like;
    facet_j3d *o = like->document;
    facet_j3d_kind kind = b->document->kind;
    const facet_j3d before = *o;
    bool has_changed = false;
    facet_status status = put_joints(b);
    if (!status)
        status = facet_j3d_like_put_shapes(b);
    put_textures(b);
    if (!status)
        report_rest(b);
    if (!status)
        status = facet_j3d_like_put_slots(b);
    if (!status)
        status = facet_j3d_like_put_samplers(b, &has_changed);
    if (status)
        return status;
    if (kind == FACET_J3D_BMD3 || like->materials_changed)
        o->has_packets = false;
    if (o->has_packets && (has_changed || like->textures_changed))
        TRY(facet_j3d_patch_packets(o, &before, b->error));
    if (o->kind != FACET_J3D_BMD2 || kind != FACET_J3D_BMD3)
        o->kind = kind;
    b->document = o;
    return FACET_OK;
}
