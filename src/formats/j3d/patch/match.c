/* formats/j3d/patch/match.c - match of nodes, meshes and materials of the scene with the original:
 * by name, and by number if names are equal. */
#include "formats/j3d/patch/appearance.h"
#include "formats/j3d/patch/compare.h"
#include "formats/j3d/patch/images.h"
#include "formats/j3d/patch/like.h"
#include "formats/j3d/scene/from_scene/names.h"
#include "formats/j3d/scene/from_scene/unnamed.h"

#include "base/arena.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

static uint32_t *nothing(const facet_j3d_builder *b, uint32_t count)
{
    uint32_t *list = facet_j3d_builder_scratch(b, count, sizeof *list);
    for (uint32_t i = 0; list && i < count; i++)
        list[i] = FACET_NONE;
    return list;
}

static const char *text_of(const void *user, uint32_t i)
{
    const char *const *texts = user;
    return texts[i];
}

/* -- Joints ------------------------------------------------------------- */

/* True for nodes matched in this pass. First come bones and empty nodes, because a skinned mesh can
 * have the name of a bone. Then come nodes of rigid meshes, which programs without joints name like
 * the joint. */
static bool is_matched(const facet_node *node, int pass)
{
    bool is_rigid = pass >= 2;
    return is_rigid ? node->mesh != FACET_NONE && node->skin == FACET_NONE
                    : node->mesh == FACET_NONE;
}

facet_status facet_j3d_like_match_joints(facet_j3d_builder *b)
{
    facet_j3d_like *like = b->like;
    const facet_scene *scene = b->scene;
    facet_j3d_name_index names;
    const char **texts = facet_j3d_name_texts(b, &like->document->joints.names, like->joint_count);
    like->joint_of_node = nothing(b, scene->node_count);
    if (!texts || !like->joint_of_node)
        return facet_j3d_builder_no_memory(b);
    facet_status status = facet_j3d_index_names(b, like->joint_count, text_of, texts, &names);
    for (int pass = 0; pass < 4 && !status; pass++) {
        for (uint32_t i = 0; i < scene->node_count; i++) {
            const char *name = scene->nodes[i]->name;
            if (!is_matched(scene->nodes[i], pass) || like->joint_of_node[i] != FACET_NONE)
                continue;
            like->joint_of_node[i] = pass % 2 ? facet_j3d_assign_changed_name(&names, name)
                                              : facet_j3d_assign_name(&names, name);
        }
    }
    return status ? status
                  : facet_j3d_match_unnamed(scene, like->document, like->joint_of_node, b->scratch,
                                            b->error);
}

/* -- Shapes ------------------------------------------------------------- */

uint32_t facet_j3d_shape_number(const char *name)
{
    if (!name || strncmp(name, "shape", 5) != 0 || name[5] < '0' || name[5] > '9')
        return FACET_NONE;
    char *end;
    unsigned long number = strtoul(name + 5, &end, 10);
    return (*end == '\0' || *end == '_' || *end == '.') && number < UINT16_MAX ? (uint32_t)number
                                                                               : FACET_NONE;
}

static facet_status match_shapes(facet_j3d_builder *b)
{
    facet_j3d_like *like = b->like;
    const facet_scene *scene = b->scene;
    like->shape_of_node = nothing(b, scene->node_count);
    like->main_material = nothing(b, scene->node_count);
    if (!like->shape_of_node || !like->main_material)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (scene->nodes[i]->mesh == FACET_NONE)
            continue;
        uint32_t shape = facet_j3d_shape_number(scene->meshes[scene->nodes[i]->mesh]->name);
        if (shape >= like->shape_count)
            shape = facet_j3d_shape_number(scene->nodes[i]->name);
        like->shape_of_node[i] = shape < like->shape_count ? shape : FACET_NONE;
    }
    return FACET_OK;
}

/* -- Materials ---------------------------------------------------------- */

/* True if a name is that of a slot, or became it when a program made equal names differ: "skin.001"
 * and "skin 1" are "skin". */
static bool is_name_of(facet_j3d_name_index *names, const char *name, const char *slot)
{
    size_t length = strlen(slot), bare = facet_bare_length(name);
    if (strcmp(name, slot) == 0 || (strncmp(name, slot, bare) == 0 && !slot[bare]))
        return true;
    if (strncmp(name, slot, length) != 0 || !name[length] || !strchr(" _-", name[length]))
        return false;
    const char *number = name + length + 1;
    return *number && strspn(number, "0123456789") == strlen(number) &&
           facet_j3d_find_name(names, name) == FACET_NONE;
}

/* Match materials of meshes with known shapes to the slots of these shapes, by name. */
static void match_by_shapes(facet_j3d_builder *b, const char *const *texts,
                            facet_j3d_name_index *names)
{
    facet_j3d_like *like = b->like;
    const facet_scene *scene = b->scene;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        uint32_t shape = like->shape_of_node[i];
        uint32_t slot =
            shape == FACET_NONE ? FACET_NONE : like->document->shapes.items[shape].material;
        if (slot >= like->slot_count || scene->nodes[i]->mesh == FACET_NONE)
            continue;
        const facet_mesh *mesh = scene->meshes[scene->nodes[i]->mesh];
        uint32_t last = FACET_NONE;
        for (uint32_t face = 0; mesh->face_materials && face < mesh->face_count; face++) {
            uint32_t m = mesh->face_materials[face];
            if (m == last || m >= scene->material_count || like->slot_of[m] != FACET_NONE)
                continue;
            last = m;
            if (!is_name_of(names, scene->materials[m]->name, texts[slot]))
                continue;
            like->slot_of[m] = slot;
            names->taken[slot] = true;
        }
    }
}

static facet_status match_materials(facet_j3d_builder *b)
{
    facet_j3d_like *like = b->like;
    const facet_scene *scene = b->scene;
    facet_j3d_name_index names;
    const char **texts =
        facet_j3d_name_texts(b, &like->document->materials.names, like->slot_count);
    like->slot_of = nothing(b, scene->material_count);
    if (!texts || !like->slot_of)
        return facet_j3d_builder_no_memory(b);
    TRY(facet_j3d_index_names(b, like->slot_count, text_of, texts, &names));
    match_by_shapes(b, texts, &names);
    for (int pass = 0; pass < 3; pass++) {
        for (uint32_t m = 0; m < scene->material_count; m++) {
            const char *name = scene->materials[m]->name;
            if (like->slot_of[m] == FACET_NONE)
                like->slot_of[m] = pass == 0   ? facet_j3d_assign_name(&names, name)
                                   : pass == 1 ? facet_j3d_assign_changed_name(&names, name)
                                               : facet_j3d_find_name(&names, name);
        }
    }
    return FACET_OK;
}

/* -- Shapes of faces ---------------------------------------------------- */

/* Choose the material of a mesh that represents its shape's: one that matches the slot, else the
 * first. */
static void choose_main_materials(const facet_j3d_builder *b)
{
    facet_j3d_like *like = b->like;
    const facet_scene *scene = b->scene;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        uint32_t shape = like->shape_of_node[i];
        if (shape == FACET_NONE)
            continue;
        const facet_mesh *mesh = scene->meshes[scene->nodes[i]->mesh];
        uint32_t slot = like->document->shapes.items[shape].material;
        for (uint32_t face = 0; mesh->face_materials && face < mesh->face_count; face++) {
            uint32_t m = mesh->face_materials[face];
            if (m >= scene->material_count)
                continue;
            if (like->main_material[i] == FACET_NONE)
                like->main_material[i] = m;
            if (like->slot_of[m] == slot) {
                like->main_material[i] = m;
                break;
            }
        }
    }
}

/* The shape of a slot, if it suits a mesh on its joint. */
static uint32_t shape_of_slot(const facet_j3d_builder *b, const facet_j3d_instance *instance,
                              uint32_t slot)
{
    const facet_j3d_like *like = b->like;
    if (slot >= like->slot_count)
        return FACET_NONE;
    uint32_t shape = like->shape_of_slot[slot];
    if (shape == FACET_NONE)
        return FACET_NONE;
    uint32_t joint = like->single_joint[shape];
    bool fits = instance->skin != FACET_NONE || joint == FACET_NONE || joint == instance->joint ||
                b->is_flat;
    return fits ? shape : FACET_NONE;
}

static uint32_t find_shape(const facet_j3d_builder *b, const facet_j3d_instance *instance,
                           uint32_t material)
{
    facet_j3d_like *like = b->like;
    bool known = material < b->scene->material_count;
    uint32_t slot = known ? like->slot_of[material] : FACET_NONE;
    uint32_t shape =
        instance->node == FACET_NONE ? FACET_NONE : like->shape_of_node[instance->node];
    if (shape != FACET_NONE) {
        uint32_t main = like->main_material[instance->node];
        if (main == FACET_NONE || b->original_of[main] == material ||
            (slot != FACET_NONE && slot == like->document->shapes.items[shape].material))
            return shape;
    }
    return shape_of_slot(b, instance, slot);
}

uint32_t facet_j3d_like_shape(const facet_j3d_builder *b, const facet_j3d_instance *instance,
                              uint32_t material, uint32_t *arrays)
{
    facet_j3d_like *like = b->like;
    uint32_t shape = find_shape(b, instance, material);
    if (shape == FACET_NONE)
        return FACET_NONE;
    /* A shape has one material; another material needs another shape. */
    uint32_t *taken = &like->material_of_shape[shape];
    bool keeps = material < b->scene->material_count && !like->is_edited[material] &&
                 like->slot_of[material] == like->document->shapes.items[shape].material;
    uint32_t drawn = keeps || material >= b->scene->material_count ? FACET_NONE - 1 : material;
    if (*taken == FACET_NONE)
        *taken = drawn;
    if (*taken != drawn)
        return FACET_NONE;
    if (drawn == FACET_NONE - 1)
        *arrays &= like->known_arrays[shape];
    return shape;
}

facet_status facet_j3d_like_find_own_materials(facet_j3d_builder *b)
{
    enum { CULL_FRONT = 1 };
    const facet_j3d *o = b->like->document;
    uint32_t count = b->scene->material_count;
    facet_j3d_material *material = facet_j3d_builder_scratch(b, 1, sizeof *material);
    b->extras_data = facet_j3d_builder_scratch(b, count, sizeof *b->extras_data);
    b->is_reversed = facet_j3d_builder_scratch(b, count, sizeof *b->is_reversed);
    if (!material || !b->extras_data || !b->is_reversed)
        return facet_j3d_builder_no_memory(b);
    facet_status status = FACET_OK;
    for (uint32_t m = 0; m < count && !status; m++) {
        if (b->like->slot_of[m] == FACET_NONE || b->like->is_edited[m])
            continue;
        status = facet_j3d_get_material(o, b->like->slot_of[m], material, b->error);
        b->is_reversed[m] =
            !status && material->given.cull_mode && material->gx.cull_mode == CULL_FRONT;
    }
    b->own_texcoords = 8;
    return status;
}

/* Find the meshes of the original's scene that show the shapes of the slots. */
static facet_status find_meshes(facet_j3d_builder *b)
{
    facet_j3d_like *like = b->like;
    like->mesh_of_slot = facet_j3d_builder_scratch(b, like->slot_count, sizeof *like->mesh_of_slot);
    if (!like->mesh_of_slot)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < like->scene->mesh_count; i++) {
        uint32_t shape = facet_j3d_shape_number(like->scene->meshes[i]->name);
        if (shape < like->shape_count &&
            like->document->shapes.items[shape].material < like->slot_count)
            like->mesh_of_slot[like->document->shapes.items[shape].material] =
                like->scene->meshes[i];
    }
    return FACET_OK;
}

facet_status facet_j3d_like_match(facet_j3d_builder *b)
{
    facet_j3d_like *like = b->like;
    const facet_j3d_shapes *shapes = &like->document->shapes;
    like->shape_of_slot = nothing(b, like->slot_count);
    like->known_arrays = facet_j3d_builder_scratch(b, like->shape_count, sizeof(uint32_t));
    if (!like->shape_of_slot || !like->known_arrays)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = like->shape_count; i-- > 0;) {
        like->known_arrays[i] = like->known[i].arrays;
        if (like->known[i].normals) /* also those with tangents */
            like->known_arrays[i] |= 1u << FACET_J3D_ARRAY_NORMAL;
        if (shapes->items[i].material < like->slot_count)
            like->shape_of_slot[shapes->items[i].material] = i;
    }
    facet_status status = match_shapes(b);
    if (!status)
        status = match_materials(b);
    if (!status)
        status = facet_j3d_like_match_images(b);
    if (!status)
        status = find_meshes(b);
    if (!status)
        status = facet_j3d_like_find_edits(b);
    if (!status)
        choose_main_materials(b);
    facet_j3d_like_compare_sizes(b);
    return status;
}
