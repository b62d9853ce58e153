/* formats/j3d/patch/material_slots.c - edited and new materials in their slots. */
#include "formats/j3d/patch/material_slots.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/j3d/scene/from_scene/material.h"

#include <inttypes.h>
#include <string.h>

uint32_t facet_j3d_like_needs(const facet_j3d_builder *b, uint32_t material, uint32_t arrays)
{
    const facet_texture *texture = b->scene->materials[material]->maps[FACET_MAP_DIFFUSE];
    uint32_t needs = 1u << FACET_J3D_ARRAY_POSITION | 1u << FACET_J3D_ARRAY_NORMAL |
                     1u << FACET_J3D_ARRAY_COLOR0;
    if (texture && texture->uv_set < 8)
        needs |= 1u << (FACET_J3D_ARRAY_TEXCOORD0 + texture->uv_set);
    return needs & arrays;
}

facet_status facet_j3d_like_add_slot(facet_j3d_builder *b, uint32_t slot, uint32_t material,
                                     const facet_j3d_shape_plan *plan)
{
    facet_j3d_like *like = b->like;
    like->new_slots[like->new_slot_count++] = (facet_j3d_new_slot){slot, material, plan};
    like->added_slots += slot >= like->slot_count;
    return facet_j3d_builder_limit(b, "J3D-LIMIT-MATERIALS",
                                   (uint64_t)like->slot_count + like->added_slots, UINT16_MAX - 1,
                                   "material slots", "let meshes share materials");
}

/* Get the material of the scene, or the original's if it is unchanged. */
static facet_status fill(facet_j3d_builder *b, const facet_j3d_new_slot *slot,
                         facet_j3d_material *out)
{
    facet_j3d_like *like = b->like;
    bool known = slot->material < b->scene->material_count;
    uint32_t was = known ? like->slot_of[slot->material] : FACET_NONE;
    const char *name = known ? b->scene->materials[slot->material]->name : "material";
    facet_quoted quoted;
    if (was != FACET_NONE && !like->is_edited[slot->material])
        return facet_j3d_get_material(like->document, was, out, b->error);
    facet_j3d_extras_data extras_data = {0};
    facet_j3d_name kept = {0};
    size_t lost = 0;
    facet_status status = FACET_OK;
    if (was != FACET_NONE)
        status = facet_j3d_get_material(like->document, was, out, b->error);
    kept = out->name;
    if (was == FACET_NONE || !kept.bytes)
        status = facet_j3d_builder_name(b, *name ? name : "material", &kept, &lost);
    if (!status && known && was == FACET_NONE)
        status = facet_j3d_read_extras(b, slot->material, &extras_data);
    if (status)
        return status;
    facet_j3d_build_one_material(
        b, slot->material, slot->plan,
        was == FACET_NONE && known && !b->is_edited[slot->material] ? &extras_data : NULL, out);
    out->name = kept;
    facet_report_add(facet_j3d_builder_report(b), "J3D-LIKE-MATERIAL", FACET_SEVERITY_NOTE,
                     FACET_NO_OFFSET, "material '%s' %s: it is taken from the scene",
                     facet_quote(&quoted, name, strlen(name)),
                     was != FACET_NONE ? "was edited" : "is new");
    facet_j3d_builder_report_names(b, "material", lost);
    return FACET_OK;
}

/* Give slots the names of their materials in the scene. Their packets have the same names. */
static facet_status rename_slots(facet_j3d_builder *b)
{
    facet_j3d *o = b->like->document;
    facet_j3d_names *names[2] = {&o->materials.names, &o->packets.names};
    size_t lost = 0;
    for (uint32_t slot = 0; slot < b->like->slot_count; slot++) {
        uint32_t m = b->like->renamed_slot[slot];
        if (m == FACET_NONE)
            continue;
        const char *now = b->scene->materials[m]->name,
                   *was = b->like->scene->materials[slot]->name;
        facet_j3d_name name;
        facet_quoted quoted[2];
        TRY(facet_j3d_builder_name(b, now, &name, &lost));
        for (int i = 0; i < 2; i++) {
            if (slot < names[i]->count)
                names[i]->items[slot] = name;
        }
        facet_report_add(facet_j3d_builder_report(b), "J3D-LIKE-MATERIAL", FACET_SEVERITY_NOTE,
                         FACET_NO_OFFSET, "material '%s' is called '%s' now",
                         facet_quote(&quoted[0], was, strlen(was)),
                         facet_quote(&quoted[1], now, strlen(now)));
    }
    facet_j3d_builder_report_names(b, "material", lost);
    return FACET_OK;
}

facet_status facet_j3d_like_put_slots(facet_j3d_builder *b)
{
    TRY(rename_slots(b));
    facet_j3d_like *like = b->like;
    uint32_t count = like->slot_count + like->added_slots;
    facet_j3d_material *materials = facet_j3d_builder_scratch(b, count, sizeof *materials);
    if (!materials)
        return facet_j3d_builder_no_memory(b);
    facet_status status = FACET_OK;
    if (like->new_slot_count == 0)
        return FACET_OK;
    for (uint32_t i = 0; i < like->slot_count && !status; i++)
        status = facet_j3d_get_material(like->document, i, &materials[i], b->error);
    for (uint32_t i = 0; i < like->new_slot_count && !status; i++) {
        if (like->new_slots[i].slot < count)
            status = fill(b, &like->new_slots[i], &materials[like->new_slots[i].slot]);
    }
    if (!status)
        status = facet_j3d_set_materials(like->document, materials, count, b->error);
    like->materials_changed = !status;
    return status;
}
