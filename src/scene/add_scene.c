/* scene/add_scene.c - append a copy of a scene to another scene. The copy is made in the arena of
 * the target and is renumbered there. Everything that can fail comes before the arrays of the
 * target get more items, so that an error leaves its content unchanged. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "scene/axes.h"
#include "scene/scene.h"

#include <string.h>

/* Integers up to here are exact floats. */
#define MAX_FLOAT_INTEGER 0x1000000u

/* A list of a scene: the same for every kind of item. */
typedef struct item_list {
    size_t array, count, growth; /* offsets in facet_scene */
} item_list;

#define ITEM_LIST(array, count)                                     \
    {                                                               \
        offsetof(facet_scene, array), offsetof(facet_scene, count), \
            offsetof(facet_scene, growth.array)                     \
    }

static const item_list lists[] = {
    ITEM_LIST(meshes, mesh_count),          ITEM_LIST(materials, material_count),
    ITEM_LIST(hulls, hull_count),           ITEM_LIST(images, image_count),
    ITEM_LIST(nodes, node_count),           ITEM_LIST(skins, skin_count),
    ITEM_LIST(animations, animation_count), ITEM_LIST(cameras, camera_count),
    ITEM_LIST(lights, light_count)};
enum { LIST_COUNT = sizeof lists / sizeof *lists };

static void *member(facet_scene *scene, size_t offset)
{
    return (char *)scene + offset;
}

static uint32_t count_of(const facet_scene *scene, const item_list *list)
{
    uint32_t count;
    memcpy(&count, (const char *)scene + list->count, sizeof count);
    return count;
}

static facet_status fail_count(facet_error *error)
{
    return facet_fail(error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                      "the two scenes together have more items than an index can count");
}

/* -- Data of the scene as a whole --------------------------------------- */

static bool is_empty(const facet_scene *scene)
{
    uint32_t count = scene->variant_count;
    for (int i = 0; i < LIST_COUNT; i++)
        count |= count_of(scene, &lists[i]);
    return count == 0 && !scene->occluder;
}

/* Move the data that `scene` lacks from the copy to it. */
static void take_whole(facet_scene *scene, facet_scene *copy)
{
    if (!scene->generator)
        scene->generator = copy->generator;
    if (!scene->name || !*scene->name) {
        scene->name = copy->name;
        copy->name = NULL;
    }
    if (!facet_has_extras(scene->extras, scene->gx_file)) {
        scene->extras = copy->extras;
        scene->gx_file = copy->gx_file;
        copy->extras = NULL;
        copy->gx_file = NULL;
    }
    if (!scene->asset && !scene->extensions) {
        scene->asset = copy->asset;
        scene->extensions = copy->extensions;
        copy->asset = copy->extensions = NULL;
    }
}

static void report_whole(const facet_scene *copy, facet_report *report)
{
    if (copy->name && *copy->name)
        facet_report_add(report, "LOSS-NAMES", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                         "the name of the added scene is dropped");
    if (facet_has_extras(copy->extras, copy->gx_file))
        facet_report_add(report, "LOSS-EXTRAS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the extras of the added scene as a whole are dropped");
    if (copy->asset || copy->extensions)
        facet_report_add(report, "LOSS-ASSET", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "copyright, metadata and extensions of the added scene as a whole are "
                         "dropped");
}

/* -- Nodes -------------------------------------------------------------- */

/* Give each mesh of a scene without nodes a node. After an error, the scene has no nodes. */
static facet_status add_nodes(facet_scene *scene, facet_error *error)
{
    scene->roots = NULL;
    scene->root_count = 0;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        facet_node *node = NULL;
        facet_status status = facet_scene_add_node(scene, scene->meshes[i]->name, &node, error);
        if (status) {
            scene->node_count = 0;
            return status;
        }
        node->mesh = i;
    }
    return FACET_OK;
}

/* List the roots that a scene without a list of roots has. */
static facet_status list_roots(facet_scene *scene, facet_error *error)
{
    if (scene->roots)
        return FACET_OK;
    bool *is_root = facet_arena_allocate(scene->arena, scene->node_count, sizeof *is_root);
    uint32_t *roots = facet_arena_allocate(scene->arena, scene->node_count, sizeof *roots);
    if (!is_root || !roots)
        return facet_fail_arena(scene->arena, error);
    facet_scene_mark_roots(scene, is_root);
    scene->root_count = 0;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (is_root[i])
            roots[scene->root_count++] = i;
    }
    scene->roots = roots;
    return FACET_OK;
}

/* -- Variants ----------------------------------------------------------- */

typedef struct variant_names {
    const facet_scene *scene, *copy;
} variant_names;

static const char *variant_name(const variant_names *names, uint32_t i)
{
    uint32_t count = names->scene->variant_count;
    return i < count ? names->scene->variants[i] : names->copy->variants[i - count];
}

static int order_variants(const void *user, uint32_t a, uint32_t b)
{
    return strcmp(variant_name(user, a), variant_name(user, b));
}

/* Find the number in the target of each variant of the copy. The new ones move to the front of
 * copy->variants. If the copy has several variants of a name, the later ones stay separate, because
 * they cannot be chosen by name. */
static facet_status number_variants(const facet_scene *scene, facet_scene *copy, uint32_t *numbers,
                                    facet_error *error)
{
    const variant_names names = {scene, copy};
    const uint32_t before = scene->variant_count;
    if (copy->variant_count == 0)
        return FACET_OK;
    facet_table table = facet_table_make(scene->arena);
    bool *is_used = facet_arena_allocate_zeroed(scene->arena, before, sizeof *is_used);
    bool failed = !is_used;
    uint32_t kept = 0;
    for (uint32_t i = 0; !failed && i < before + copy->variant_count; i++) {
        const char *name = variant_name(&names, i);
        /* New variants are stored under the place that they get, so that later names find it. */
        uint32_t place = i < before ? i : before + kept;
        if (i >= before)
            copy->variants[kept] = name;
        uint32_t found = facet_table_put(&table, facet_hash_bytes(name, strlen(name)), place,
                                         order_variants, &names);
        failed = found == FACET_NONE;
        if (failed || i < before)
            continue;
        bool is_same = found < before && !is_used[found];
        numbers[i - before] = is_same ? found : place;
        if (is_same)
            is_used[found] = true;
        else
            kept++;
    }
    facet_table_free(&table);
    facet_arena_release(scene->arena, is_used, before, sizeof *is_used);
    copy->variant_count = kept;
    return failed ? facet_fail_arena(scene->arena, error) : FACET_OK;
}

/* -- Renumbering -------------------------------------------------------- */

/* Add the former number of items in the target to an index of the copy. */
static void shift(uint32_t *index, uint32_t by)
{
    if (*index != FACET_NONE)
        *index += by;
}

static void shift_all(uint32_t *indices, uint32_t count, uint32_t by)
{
    for (uint32_t i = 0; indices && i < count; i++)
        shift(&indices[i], by);
}

static void shift_mesh(const facet_mesh *mesh, uint32_t by)
{
    for (int kind = 0; kind < FACET_USE_KINDS; kind++) {
        facet_material_uses uses = facet_mesh_material_uses(mesh, kind);
        shift_all(uses.indices, uses.count, by);
    }
}

static facet_status shift_gx(facet_material *material, uint32_t by, facet_error *error)
{
    facet_gx_material *gx = (facet_gx_material *)(uintptr_t)material->gx; /* of the copy */
    for (size_t i = 0; gx && i < sizeof gx->textures / sizeof *gx->textures; i++) {
        if (gx->textures[i] == FACET_GX_NO_TEXTURE)
            continue;
        if (by >= FACET_GX_NO_TEXTURE - gx->textures[i])
            return fail_count(error);
        gx->textures[i] = (uint16_t)(gx->textures[i] + by);
    }
    return FACET_OK;
}

static facet_status shift_materials(const facet_scene *scene, const facet_scene *copy,
                                    const uint32_t *variants, facet_error *error)
{
    for (uint32_t i = 0; i < copy->material_count; i++) {
        facet_material *material = copy->materials[i];
        for (uint32_t k = 0; k < material->variant_count; k++) {
            shift(&material->variants[k].material, scene->material_count);
            material->variants[k].variant = variants[material->variants[k].variant];
        }
        for (int map = 0; map < FACET_MAP_COUNT; map++) {
            if (material->maps[map] && material->maps[map]->has_image)
                shift(&material->maps[map]->image, scene->image_count);
        }
        TRY(shift_gx(material, scene->image_count, error));
    }
    return FACET_OK;
}

static void shift_nodes(const facet_scene *scene, const facet_scene *copy)
{
    for (uint32_t i = 0; i < copy->node_count; i++) {
        facet_node *node = copy->nodes[i];
        shift(&node->parent, scene->node_count);
        shift(&node->mesh, scene->mesh_count);
        shift(&node->skin, scene->skin_count);
        shift(&node->camera, scene->camera_count);
        shift(&node->light, scene->light_count);
        shift_all(node->lods, node->lod_count, scene->node_count);
    }
    shift_all(copy->roots, copy->root_count, scene->node_count);
    for (uint32_t i = 0; i < copy->skin_count; i++) {
        shift_all(copy->skins[i]->joints, copy->skins[i]->joint_count, scene->node_count);
        shift(&copy->skins[i]->skeleton, scene->node_count);
    }
}

static facet_status shift_channel(const facet_scene *scene, facet_channel *channel,
                                  facet_error *error)
{
    if (facet_channel_target_is_of_node(channel->target))
        shift(&channel->node, scene->node_count);
    else
        shift(&channel->material, scene->material_count);
    if (channel->target != FACET_TARGET_TEXTURE_IMAGE)
        return FACET_OK;
    for (uint32_t key = 0; key < channel->key_count; key++) {
        double image = (double)channel->values[key] + scene->image_count;
        if (image > MAX_FLOAT_INTEGER)
            return fail_count(error);
        channel->values[key] = (float)image;
    }
    return FACET_OK;
}

static facet_status renumber(const facet_scene *scene, const facet_scene *copy,
                             const uint32_t *variants, facet_error *error)
{
    for (uint32_t i = 0; i < copy->mesh_count; i++)
        shift_mesh(copy->meshes[i], scene->material_count);
    if (copy->occluder)
        shift_mesh(copy->occluder, scene->material_count);
    TRY(shift_materials(scene, copy, variants, error));
    shift_nodes(scene, copy);
    for (uint32_t i = 0; i < copy->animation_count; i++) {
        for (uint32_t k = 0; k < copy->animations[i]->channel_count; k++)
            TRY(shift_channel(scene, &copy->animations[i]->channels[k], error));
    }
    return FACET_OK;
}

/* -- Joining ------------------------------------------------------------ */

/* Merge the occluder of the target and that of the copy. The old one stays unchanged, because views
 * of a caller may use it. */
static facet_status merge_occluders(const facet_scene *scene, facet_scene *copy,
                                    const facet_options *options, facet_error *error)
{
    facet_mesh *meshes[2] = {scene->occluder, copy->occluder};
    const facet_scene pair = {.meshes = meshes, .mesh_count = 2};
    facet_scene both;
    TRY(facet_scene_copy_into(&pair, scene->arena, &both, error));
    TRY(facet_scene_merge(&both, options, error));
    copy->occluder = both.meshes[0];
    copy->occluder->name = scene->occluder->name;
    copy->occluder->parts = NULL;
    copy->occluder->part_count = 0;
    return FACET_OK;
}

static facet_status reserve(facet_scene *scene, const facet_scene *copy, facet_error *error)
{
    for (int i = 0; i < LIST_COUNT; i++)
        TRY(facet_scene_reserve(scene, member(scene, lists[i].growth),
                                member(scene, lists[i].array), count_of(scene, &lists[i]),
                                count_of(copy, &lists[i]), sizeof(void *), error));
    TRY(facet_scene_reserve(scene, &scene->growth.variants, &scene->variants, scene->variant_count,
                            copy->variant_count, sizeof *scene->variants, error));
    return facet_scene_reserve(scene, &scene->growth.roots, &scene->roots, scene->root_count,
                               copy->root_count, sizeof *scene->roots, error);
}

static void append_items(facet_scene *scene, facet_scene *copy)
{
    for (int i = 0; i < LIST_COUNT; i++) {
        uint32_t before = count_of(scene, &lists[i]), more = count_of(copy, &lists[i]);
        uint32_t count = before + more;
        void *to, *from;
        memcpy(&to, member(scene, lists[i].array), sizeof to);
        memcpy(&from, member(copy, lists[i].array), sizeof from);
        if (more > 0)
            memcpy((char *)to + before * sizeof(void *), from, more * sizeof(void *));
        memcpy(member(scene, lists[i].count), &count, sizeof count);
    }
    for (uint32_t i = 0; i < copy->variant_count; i++)
        scene->variants[scene->variant_count++] = copy->variants[i];
    for (uint32_t i = 0; i < copy->root_count; i++)
        scene->roots[scene->root_count++] = copy->roots[i];
    if (copy->occluder)
        scene->occluder = copy->occluder;
}

/* -- The whole scene ---------------------------------------------------- */

static facet_status check_counts(const facet_scene *scene, const facet_scene *copy,
                                 facet_error *error)
{
    for (int i = 0; i < LIST_COUNT; i++) {
        if (count_of(copy, &lists[i]) >= FACET_NONE - count_of(scene, &lists[i]))
            return fail_count(error);
    }
    return copy->variant_count < FACET_NONE - scene->variant_count ? FACET_OK : fail_count(error);
}

static facet_status join(facet_scene *scene, facet_scene *copy, const facet_options *options,
                         facet_error *error)
{
    uint32_t *variants = facet_arena_allocate(scene->arena, copy->variant_count, sizeof *variants);
    if (!variants)
        return facet_fail_arena(scene->arena, error);
    TRY(check_counts(scene, copy, error));
    TRY(number_variants(scene, copy, variants, error));
    if (scene->roots || copy->roots) {
        TRY(list_roots(copy, error));
        TRY(list_roots(scene, error));
    }
    TRY(renumber(scene, copy, variants, error));
    if (scene->occluder && copy->occluder)
        TRY(merge_occluders(scene, copy, options, error));
    TRY(reserve(scene, copy, error));
    append_items(scene, copy);
    return FACET_OK;
}

facet_status facet_scene_add_scene(facet_scene *scene, const facet_scene *other,
                                   const facet_options *options, facet_error *error)
{
    facet_scene copy;
    facet_axes axes = scene->axes;
    const bool was_empty = is_empty(scene), had_nodes = scene->node_count > 0;
    axes.unit = facet_axes_unit(&scene->axes);
    TRY(facet_scene_copy_into(other, scene->arena, &copy, error));
    TRY(facet_scene_set_axes(&copy, &axes, error));
    if (!had_nodes && copy.node_count > 0)
        TRY(add_nodes(scene, error));
    facet_status status = FACET_OK;
    if (scene->node_count > 0 && copy.node_count == 0)
        status = add_nodes(&copy, error);
    if (!status)
        status = join(scene, &copy, options, error);
    if (status) {
        if (!had_nodes) {
            scene->roots = NULL;
            scene->node_count = scene->root_count = 0;
        }
        return status;
    }
    if (was_empty)
        take_whole(scene, &copy);
    report_whole(&copy, options ? options->report : NULL);
    return FACET_OK;
}
