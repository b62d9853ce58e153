/* formats/j3d/patch/appearance.c - edited images and materials: those that differ from the
 * original's appearance by more than other programs change them. Materials with another name that
 * have the appearance of the original's. */
#include "formats/j3d/patch/appearance.h"
#include "formats/j3d/patch/images.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/j3d/json/json.h"
#include "formats/j3d/scene/from_scene/look.h"

#include <string.h>

/* -- Materials ---------------------------------------------------------- */

/* Compare with an image of the original. A repainted texture changes the texture, a repainted
 * computed image the material. */
static facet_j3d_same_image same_image(const facet_j3d_looks *looks, const facet_texture *known,
                                       const facet_texture *now)
{
    const facet_j3d_builder *b = looks->builder;
    const facet_j3d_like *like = b->like;
    bool computed = facet_j3d_builder_is_computed(b, like->scene->images[known->image]);
    if (like->image_of[now->image] == FACET_NONE &&
        !facet_j3d_has_bytes(b->scene->images[now->image]))
        return FACET_J3D_IMAGE_UNKNOWN;
    bool same =
        like->image_of[now->image] == known->image && !(computed && like->is_repainted[now->image]);
    return same ? FACET_J3D_IMAGE_SAME : FACET_J3D_IMAGE_OTHER;
}

/* True if the shape of a slot has the texture coordinates of a map. */
static bool has_coordinates(const facet_mesh *mesh, const facet_texture *map)
{
    return !mesh || facet_mesh_find(mesh, FACET_TEXCOORD, map->uv_set);
}

/* Compare with a slot. Other formats hold no map on a mesh without its texture coordinates, so that
 * a missing map says nothing there. */
static bool same_look(const facet_j3d_builder *b, uint32_t slot, const facet_material *now)
{
    const facet_j3d_looks looks = {b, same_image};
    facet_material known = *b->like->scene->materials[slot];
    for (int i = 0; i < FACET_MAP_COUNT; i++) {
        if (known.maps[i] && !now->maps[i] &&
            !has_coordinates(b->like->mesh_of_slot[slot], known.maps[i]))
            known.maps[i] = NULL;
    }
    return facet_j3d_same_look(&looks, &known, now);
}

/* -- Materials with other names ----------------------------------------- */

/* Use a material as the slot of its shape. A name that the original does not have is a new name for
 * the slot, if no other material is that slot. The name of another slot was swapped or duplicated.
 */
static void use_as(facet_j3d_builder *b, uint32_t m, uint32_t slot, bool is_taken)
{
    facet_j3d_like *like = b->like;
    bool is_new = like->slot_of[m] == FACET_NONE;
    facet_quoted quoted[2];
    const char *name = b->scene->materials[m]->name, *known = like->scene->materials[slot]->name;
    like->slot_of[m] = slot;
    if (is_new && !is_taken && *name)
        like->renamed_slot[slot] = m;
    if (is_new)
        return;
    name = facet_quote(&quoted[0], name, strlen(name));
    known = facet_quote(&quoted[1], known, strlen(known));
    facet_report_add(facet_j3d_builder_report(b), "J3D-LIKE-MATERIAL", FACET_SEVERITY_WARNING,
                     FACET_NO_OFFSET,
                     "material '%s' has another one's name and looks like '%s' of its shape: it is "
                     "used as '%s', which keeps its name",
                     name, known, known);
}

/* True if a material looks like a slot, and not like the slot with its name. */
static bool contradicts(const facet_j3d_builder *b, uint32_t m, uint32_t slot)
{
    const facet_material *now = b->scene->materials[m];
    uint32_t named = b->like->slot_of[m];
    return named != slot && (named == FACET_NONE || !same_look(b, named, now)) &&
           same_look(b, slot, now);
}

/* Materials of meshes with known shapes whose names contradict their appearance. */
static facet_status match_looks(facet_j3d_builder *b)
{
    facet_j3d_like *like = b->like;
    const facet_scene *scene = b->scene;
    bool *taken = facet_j3d_builder_scratch(b, like->slot_count, sizeof *taken);
    uint32_t *compared = facet_j3d_builder_scratch(b, scene->material_count, sizeof *compared);
    like->renamed_slot = facet_j3d_builder_scratch(b, like->slot_count, sizeof *like->renamed_slot);
    if (!taken || !compared || !like->renamed_slot)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t slot = 0; slot < like->slot_count; slot++)
        like->renamed_slot[slot] = FACET_NONE;
    for (uint32_t m = 0; m < scene->material_count; m++) {
        if (like->slot_of[m] != FACET_NONE)
            taken[like->slot_of[m]] = true;
    }
    for (uint32_t i = 0; i < scene->node_count; i++) {
        uint32_t shape = like->shape_of_node[i];
        uint32_t slot =
            shape == FACET_NONE ? FACET_NONE : like->document->shapes.items[shape].material;
        if (slot >= like->slot_count)
            continue;
        const facet_mesh *mesh = scene->meshes[scene->nodes[i]->mesh];
        for (uint32_t face = 0; mesh->face_materials && face < mesh->face_count; face++) {
            uint32_t m = mesh->face_materials[face];
            if (m >= scene->material_count || compared[m] == slot + 1)
                continue;
            compared[m] = slot + 1; /* the last slot that it was compared with */
            if (!contradicts(b, m, slot))
                continue;
            use_as(b, m, slot, taken[slot]);
            taken[slot] = true;
        }
    }
    return FACET_OK;
}

facet_status facet_j3d_like_find_edits(facet_j3d_builder *b)
{
    facet_j3d_like *like = b->like;
    const facet_scene *scene = b->scene;
    facet_status status = FACET_OK;
    like->is_repainted = facet_j3d_builder_scratch(b, scene->image_count, sizeof(bool));
    like->is_edited = facet_j3d_builder_scratch(b, scene->material_count, sizeof(bool));
    if (!like->is_repainted || !like->is_edited)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < scene->image_count && !status; i++) {
        if (like->image_of[i] != FACET_NONE)
            status = facet_j3d_like_compare_image(b, i, &like->is_repainted[i]);
    }
    if (!status)
        status = match_looks(b);
    for (uint32_t m = 0; m < scene->material_count && !status; m++) {
        if (like->slot_of[m] != FACET_NONE)
            like->is_edited[m] = !same_look(b, like->slot_of[m], scene->materials[m]);
    }
    return status;
}
