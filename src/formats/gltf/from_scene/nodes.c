/* formats/gltf/from_scene/nodes.c - nodes, skins and the scene itself.
 *
 * Node i of the scene is node i of the file. Additional nodes follow: one per part of a mesh with
 * several parts, one per skinned mesh, and one above all others if the scene's frame is not glTF's.
 * Skinned meshes must be at the root, because only their joints move them. */
#include "base/arena.h"
#include "base/json.h"
#include "base/report.h"
#include "formats/gltf/from_scene/writer.h"
#include "scene/axes.h"
#include "scene/scene.h"
#include "scene/transform.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* -- Transforms -------------------------------------------------------- */

static void put_transform(facet_gltf_writer *w, facet_json *object,
                          const facet_transform *transform)
{
    static const float none[3] = {0, 0, 0}, one[3] = {1, 1, 1};
    float q[4];
    double length = 0;
    for (int i = 0; i < 4; i++)
        length += (double)transform->rotation[i] * (double)transform->rotation[i];
    bool unit = fabs(length - 1) < 1e-4;
    for (int i = 0; i < 4; i++)
        q[i] = unit || !(length > 0) ? transform->rotation[i]
                                     : (float)(transform->rotation[i] / sqrt(length));
    if (memcmp(transform->translation, none, sizeof none) != 0)
        facet_gltf_put(w, object, "translation", facet_gltf_floats(w, transform->translation, 3));
    if (length > 0 && (q[0] != 0 || q[1] != 0 || q[2] != 0 || q[3] != 1))
        facet_gltf_put(w, object, "rotation", facet_gltf_floats(w, q, 4));
    if (memcmp(transform->scale, one, sizeof one) != 0)
        facet_gltf_put(w, object, "scale", facet_gltf_floats(w, transform->scale, 3));
}

/* Maximum shear: glTF's matrices are products of translation, rotation and scale. */
#define MAX_SHEAR 1e-5

static void put_place(facet_gltf_writer *w, facet_json *object, uint32_t index)
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const facet_node *node = w->scene->nodes[index];
    facet_transform nearest;
    double shear = 0;
    bool flat = false; /* a zero scale, which a matrix must not have */
    if (node->has_matrix) {
        shear = facet_transform_of_matrix(node->matrix, FACET_MIRROR_LEAST, &nearest);
        flat = nearest.scale[0] == 0 || nearest.scale[1] == 0 || nearest.scale[2] == 0;
    }
    if (shear > MAX_SHEAR)
        facet_tally_hit(&w->sheared, index);
    /* An animated node must not have a matrix. */
    if (!node->has_matrix)
        put_transform(w, object, &node->transform);
    else if (shear > MAX_SHEAR || flat || w->animated.places[index])
        put_transform(w, object, &nearest);
    else if (memcmp(node->matrix, identity, sizeof identity) != 0)
        facet_gltf_put(w, object, "matrix", facet_gltf_floats(w, node->matrix, 16));
}

/* Write the visibility at rest, which an animation can change. */
static void put_visibility(facet_gltf_writer *w, facet_json *object, bool visible)
{
    facet_json *extension = facet_json_object_in(w->arena);
    facet_gltf_put(w, extension, "visible", facet_json_boolean(visible));
    facet_gltf_put(w, facet_gltf_extensions_of(w, object), "KHR_node_visibility", extension);
    w->uses_visibility = true;
}

/* -- Nodes -------------------------------------------------------------- */

static uint32_t append_node(facet_gltf_writer *w, facet_json *object)
{
    facet_gltf_append(w, w->nodes, object);
    return (uint32_t)facet_json_array_size(w->nodes) - 1;
}

static void put_mesh(facet_gltf_writer *w, facet_json *object, const facet_gltf_section *section,
                     const facet_node *node)
{
    facet_gltf_put(w, object, "mesh", facet_json_integer_in(w->arena, section->mesh));
    if (!node)
        return;
    if (node->skin != FACET_NONE)
        facet_gltf_put(w, object, "skin", facet_json_integer_in(w->arena, node->skin));
    uint32_t morphs = w->scene->meshes[node->mesh]->morph_count;
    if (node->weights && morphs > 0)
        facet_gltf_put(w, object, "weights", facet_gltf_floats(w, node->weights, morphs));
}

/* Add a node for a part of a mesh. If `node` is NULL, it is at the origin. */
static uint32_t add_part_node(facet_gltf_writer *w, uint32_t mesh,
                              const facet_gltf_section *section, const facet_node *node)
{
    facet_json *object = facet_json_object_in(w->arena);
    facet_gltf_put_text(w, object, "name", section->name);
    put_mesh(w, object, section, node);
    if (w->quantize && (!node || node->skin == FACET_NONE))
        facet_gltf_put_grid(w, object, &w->grids[mesh]);
    return append_node(w, object);
}

static facet_json *children_of(facet_json *object, facet_gltf_writer *w)
{
    facet_json *children = facet_json_object_get(object, "children");
    if (!children) {
        children = facet_json_array_in(w->arena);
        facet_gltf_put(w, object, "children", children);
    }
    return children;
}

static bool is_skinned(const facet_gltf_writer *w, const facet_node *node)
{
    return node->skin != FACET_NONE && node->mesh != FACET_NONE &&
           facet_mesh_find(w->scene->meshes[node->mesh], FACET_JOINTS, 0);
}

static bool stands_plainly_at_root(const facet_gltf_writer *w, const facet_json *object,
                                   const facet_node *node)
{
    (void)w;
    return node->parent == FACET_NONE && !facet_json_object_get(object, "translation") &&
           !facet_json_object_get(object, "rotation") && !facet_json_object_get(object, "scale") &&
           !facet_json_object_get(object, "matrix");
}

/* Attach the mesh of a node: to the node itself if possible, else to additional nodes. The numbers
 * of those that must be at the root go to `extra_roots`. */
static void place_mesh(facet_gltf_writer *w, uint32_t index, facet_json *object,
                       facet_json *extra_roots, bool reached, bool seen)
{
    const facet_node *node = w->scene->nodes[index];
    if (node->mesh == FACET_NONE || w->sections[node->mesh].count == 0)
        return;
    const facet_gltf_sections *sections = &w->sections[node->mesh];
    bool skinned = is_skinned(w, node);
    bool alone = sections->count == 1 && !(w->quantize && !skinned); /* quantized meshes need a node
                                                                      * for the grid */
    if (alone && (!skinned || stands_plainly_at_root(w, object, node))) {
        facet_node plain = *node;
        plain.skin = skinned ? node->skin : FACET_NONE;
        put_mesh(w, object, &sections->items[0], &plain);
        w->carriers[index] = (facet_gltf_carriers){index, 1};
        return;
    }
    w->carriers[index] =
        (facet_gltf_carriers){(uint32_t)facet_json_array_size(w->nodes), sections->count};
    for (uint32_t i = 0; i < sections->count; i++) {
        facet_node plain = *node;
        plain.skin = skinned ? node->skin : FACET_NONE;
        uint32_t made = add_part_node(w, node->mesh, &sections->items[i], &plain);
        if (skinned && (w->animated.visibility[index] || (reached && !seen)))
            put_visibility(w, facet_json_array_get(w->nodes, made), seen);
        if (!skinned)
            facet_gltf_append(w, children_of(object, w), facet_json_integer_in(w->arena, made));
        else if (reached)
            facet_gltf_append(w, extra_roots, facet_json_integer_in(w->arena, made));
    }
}

static facet_json *node_json(facet_gltf_writer *w, uint32_t index)
{
    const facet_node *node = w->scene->nodes[index];
    facet_json *object = facet_json_object_in(w->arena);
    facet_gltf_put_text(w, object, "name", node->name);
    put_place(w, object, index);
    if (node->camera != FACET_NONE)
        facet_gltf_put(w, object, "camera", facet_json_integer_in(w->arena, node->camera));
    if (node->light != FACET_NONE)
        facet_gltf_put_light_of(w, object, node->light);
    if (w->animated.visibility[index] || node->hidden)
        put_visibility(w, object, !node->hidden);
    facet_gltf_put_file_extras(w, object, node->extras, node->gx_file);
    facet_gltf_put_kept(w, object, node->extensions);
    return object;
}

/* -- The scene ---------------------------------------------------------- */

/* True if a node with a skinned mesh stays where it is: the transforms above it have no effect, and
 * it must be at the root. */
static bool stays_at_root(const facet_gltf_writer *w, const facet_json *root)
{
    const facet_json *object = facet_json_array_get(w->nodes, facet_json_integer_value(root));
    return facet_json_object_get(object, "skin") && !facet_json_object_get(object, "children");
}

/* Add a node for the frame, above all roots that it changes. */
static facet_json *put_frame(facet_gltf_writer *w, const facet_transform *transform,
                             facet_json *roots)
{
    facet_json *top = facet_json_object_in(w->arena), *inside = facet_json_array_in(w->arena),
               *outside = facet_json_array_in(w->arena);
    for (size_t i = 0; i < facet_json_array_size(roots); i++) {
        const facet_json *root = facet_json_array_get(roots, i);
        facet_gltf_append(w, stays_at_root(w, root) ? outside : inside,
                          facet_json_integer_in(w->arena, facet_json_integer_value(root)));
    }
    if (facet_json_array_size(inside) == 0)
        return outside;
    facet_gltf_put_text(w, top, "name", "frame");
    put_transform(w, top, transform);
    facet_gltf_put(w, top, "children", inside);
    w->skin_root = append_node(w, top);
    facet_gltf_append(w, outside, facet_json_integer_in(w->arena, w->skin_root));
    return outside;
}

/* -- Roots of skins ----------------------------------------------------- */

/* Root above each node; NULL if out of memory. */
static uint32_t *find_roots(facet_gltf_writer *w)
{
    const facet_scene *scene = w->scene;
    uint32_t *roots = facet_arena_allocate(w->arena, scene->node_count, sizeof *roots);
    for (uint32_t i = 0; roots && i < scene->node_count; i++) {
        uint32_t parent = scene->nodes[i]->parent;
        roots[i] = parent == FACET_NONE ? i : parent;
    }
    /* Parents so far. Each search halves the length of a chain. */
    for (uint32_t i = 0; roots && i < scene->node_count; i++) {
        uint32_t at = i;
        while (roots[at] != at) {
            roots[at] = roots[roots[at]];
            at = roots[at];
        }
        roots[i] = at;
    }
    return roots;
}

/* Fill w->is_rootless, and mark the roots above the joints of such skins. */
static void mark_rootless(facet_gltf_writer *w, bool *marks)
{
    const uint32_t *roots = find_roots(w);
    w->failed |= !roots;
    for (uint32_t s = 0; s < w->scene->skin_count && roots; s++) {
        const facet_skin *skin = w->scene->skins[s];
        for (uint32_t j = 1; j < skin->joint_count; j++)
            w->is_rootless[s] |= roots[skin->joints[j]] != roots[skin->joints[0]];
        for (uint32_t j = 0; j < skin->joint_count && w->is_rootless[s]; j++)
            marks[roots[skin->joints[j]]] = true;
    }
}

static uint32_t count_marks(const facet_gltf_writer *w, const bool *marks)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->scene->node_count; i++)
        count += marks[i];
    return count;
}

/* The roots, with a new node above the marked ones. If a marked node is not a root of the scene, it
 * would become visible: then nothing changes. */
static facet_json *put_skin_root(facet_gltf_writer *w, facet_json *roots, const bool *marks)
{
    facet_json *inside = facet_json_array_in(w->arena), *outside = facet_json_array_in(w->arena);
    for (size_t i = 0; i < facet_json_array_size(roots); i++) {
        int64_t root = facet_json_integer_value(facet_json_array_get(roots, i));
        bool is_marked = root < (int64_t)w->scene->node_count && marks[root];
        facet_gltf_append(w, is_marked ? inside : outside, facet_json_integer_in(w->arena, root));
    }
    if (facet_json_array_size(inside) != count_marks(w, marks))
        return roots;
    facet_json *top = facet_json_object_in(w->arena);
    facet_gltf_put_text(w, top, "name", "joints");
    facet_gltf_put(w, top, "children", inside);
    w->skin_root = append_node(w, top);
    facet_gltf_append(w, outside, facet_json_integer_in(w->arena, w->skin_root));
    return outside;
}

/* Add a node above the joints of skins that have no common root, which glTF requires. */
static facet_json *join_skins(facet_gltf_writer *w, facet_json *roots)
{
    uint32_t nodes = w->scene->node_count, skins = w->scene->skin_count;
    bool *marks = facet_arena_allocate_zeroed(w->arena, nodes, sizeof *marks);
    w->is_rootless = facet_arena_allocate_zeroed(w->arena, skins, sizeof *w->is_rootless);
    w->skin_root = FACET_NONE;
    if (!marks || !w->is_rootless) {
        w->failed = true;
        return roots;
    }
    mark_rootless(w, marks);
    facet_transform transform;
    bool has_frame = facet_axes_transform(&w->scene->axes, &transform);
    if (has_frame)
        roots = put_frame(w, &transform, roots);
    else if (count_marks(w, marks) > 0)
        roots = put_skin_root(w, roots, marks);
    facet_tally wrong = {0};
    for (uint32_t s = 0; s < skins; s++) {
        if (w->is_rootless[s])
            facet_tally_hit(&wrong, s);
    }
    if (!has_frame && w->skin_root != FACET_NONE)
        facet_report_add_tally(facet_gltf_writer_report(w), "GLTF-SKIN", FACET_SEVERITY_WARNING,
                               FACET_NO_OFFSET, &wrong,
                               "the joints of skin %" PRIu64
                               " have no common root: a node above them is added",
                               wrong.first);
    return roots;
}

static void put_scene(facet_gltf_writer *w, facet_json *roots)
{
    facet_report_add_tally(
        facet_gltf_writer_report(w), "LOSS-NODES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
        &w->sheared,
        "node %u is sheared, which translation, rotation and scale cannot express: the shear is "
        "dropped, and its children look slightly different",
        (unsigned)w->sheared.first);
    roots = join_skins(w, roots);
    facet_json *scene = facet_json_object_in(w->arena), *scenes = facet_json_array_in(w->arena);
    facet_gltf_put_text(w, scene, "name", w->scene->name);
    if (facet_json_array_size(roots) > 0)
        facet_gltf_put(w, scene, "nodes", roots);
    facet_gltf_append(w, scenes, scene);
    facet_gltf_put(w, w->root, "scene", facet_json_integer_in(w->arena, 0));
    facet_gltf_put(w, w->root, "scenes", scenes);
}

static void link_children(facet_gltf_writer *w)
{
    for (uint32_t i = 0; i < w->scene->node_count; i++) {
        uint32_t parent = w->scene->nodes[i]->parent;
        if (parent != FACET_NONE)
            facet_gltf_append(w, children_of(facet_json_array_get(w->nodes, parent), w),
                              facet_json_integer_in(w->arena, i));
    }
}

/* Write MSFT_lod: the nodes that replace a node at a distance. A node that carries a skinned mesh
 * is not a child of its original node, so it gets its own levels. */
static void put_level(facet_gltf_writer *w, uint32_t index, uint32_t carrier)
{
    const facet_node *node = w->scene->nodes[index];
    facet_json *object = facet_json_object_in(w->arena), *ids = facet_json_array_in(w->arena);
    uint32_t on = index;
    bool apart = carrier != FACET_NONE;
    if (apart)
        on = w->carriers[index].first + carrier;
    for (uint32_t i = 0; i < node->lod_count; i++) {
        const facet_gltf_carriers *there = &w->carriers[node->lods[i]];
        if (!apart)
            facet_gltf_append(w, ids, facet_json_integer_in(w->arena, node->lods[i]));
        else if (there->count == w->carriers[index].count)
            facet_gltf_append(w, ids, facet_json_integer_in(w->arena, there->first + carrier));
    }
    facet_gltf_put(w, object, "ids", ids);
    facet_json *there = facet_json_array_get(w->nodes, on);
    facet_gltf_put(w, facet_gltf_extensions_of(w, there), "MSFT_lod", object);
    w->uses_lods = true;
}

static void put_levels(facet_gltf_writer *w)
{
    for (uint32_t i = 0; i < w->scene->node_count && !w->failed; i++) {
        const facet_node *node = w->scene->nodes[i];
        bool apart = is_skinned(w, node) && w->carriers[i].first != i;
        if (node->lod_count == 0 || w->carriers[i].count == 0)
            continue;
        if (!apart)
            put_level(w, i, FACET_NONE);
        for (uint32_t c = 0; apart && c < w->carriers[i].count; c++)
            put_level(w, i, c);
    }
}

static void place_meshes(facet_gltf_writer *w, facet_json *roots)
{
    const facet_scene *scene = w->scene;
    uint32_t *scratch = facet_arena_allocate(w->arena, scene->node_count, sizeof *scratch);
    uint32_t *order = facet_arena_allocate(w->arena, scene->node_count, sizeof *order);
    bool *seen = facet_arena_allocate(w->arena, scene->node_count, sizeof *seen);
    bool *reached = facet_arena_allocate(w->arena, scene->node_count, sizeof *reached);
    if (!scratch || !order || !seen || !reached ||
        facet_scene_order(scene, scratch, order, NULL) != FACET_OK) {
        w->failed = true;
        return;
    }
    facet_scene_mark_visible(scene, order, seen);
    facet_scene_mark_reached(scene, order, reached);
    for (uint32_t i = 0; i < scene->node_count && !w->failed; i++)
        place_mesh(w, i, facet_json_array_get(w->nodes, i), roots, reached[i], seen[i]);
}

/* List the roots of the scene, in its order if it lists them. */
static void put_roots(facet_gltf_writer *w, facet_json *roots)
{
    const facet_scene *scene = w->scene;
    bool *is_root = facet_arena_allocate(w->arena, scene->node_count, sizeof *is_root);
    w->failed |= !is_root;
    if (!is_root)
        return;
    facet_scene_mark_roots(scene, is_root);
    uint32_t count = scene->roots ? scene->root_count : scene->node_count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = scene->roots ? scene->roots[i] : i;
        if (is_root[node])
            facet_gltf_append(w, roots, facet_json_integer_in(w->arena, node));
    }
}

void facet_gltf_nodes_from_scene(facet_gltf_writer *w)
{
    const facet_scene *scene = w->scene;
    facet_json *roots = facet_json_array_in(w->arena);
    w->carriers = facet_arena_allocate_zeroed(w->arena, scene->node_count, sizeof *w->carriers);
    w->failed |= !w->carriers;
    for (uint32_t i = 0; i < scene->node_count; i++)
        append_node(w, node_json(w, i));
    link_children(w);
    put_roots(w, roots);
    place_meshes(w, roots);
    for (uint32_t i = 0; scene->node_count == 0 && i < scene->mesh_count; i++) {
        for (uint32_t s = 0; s < w->sections[i].count; s++)
            facet_gltf_append(w, roots,
                              facet_json_integer_in(
                                  w->arena, add_part_node(w, i, &w->sections[i].items[s], NULL)));
    }
    put_levels(w);
    put_scene(w, roots);
}

/* -- Skins -------------------------------------------------------------- */

static uint32_t write_inverse_bind(facet_gltf_writer *w, const facet_skin *skin)
{
    uint32_t index = FACET_NONE;
    size_t count = (size_t)skin->joint_count * 16;
    float *matrices = facet_arena_allocate(w->arena, count, sizeof *matrices);
    if (!matrices) {
        w->failed = true;
        return index;
    }
    for (size_t i = 0; i < count; i++) /* NULL: identity matrices */
        matrices[i] = skin->inverse_bind ? skin->inverse_bind[i] : (float)(i % 16 % 5 == 0);
    if (w->quantize)
        facet_gltf_bind_grid(w->scene, w->grids, matrices, skin->joint_count);
    for (size_t i = 3; i < count; i += 4) /* glTF requires exactly 0 0 0 1 in the last row */
        matrices[i] = i % 16 == 15 ? 1.0F : 0.0F;
    facet_gltf_add_floats(w, matrices, skin->joint_count, 16, "MAT4", FACET_GLTF_USE_MATRICES,
                          &index);
    return index;
}

/* Position of each node in a depth-first order, and the size of its subtree. The nodes of the
 * subtree follow it directly. */
typedef struct subtrees {
    uint32_t *places, *sizes;
} subtrees;

static subtrees find_subtrees(facet_gltf_writer *w)
{
    const facet_scene *scene = w->scene;
    uint32_t count = scene->node_count, roots = 0;
    subtrees found = {facet_arena_allocate(w->arena, count, sizeof(uint32_t)),
                      facet_arena_allocate(w->arena, count, sizeof(uint32_t))};
    uint32_t *order = facet_arena_allocate(w->arena, count, sizeof *order);
    uint32_t *next = facet_arena_allocate(w->arena, count, sizeof *next);
    if (!found.places || !found.sizes || !order || !next ||
        facet_scene_order(scene, next, order, NULL) != FACET_OK) {
        w->failed = true;
        return found;
    }
    for (uint32_t i = 0; i < count; i++)
        found.sizes[i] = 1;
    for (uint32_t i = count; i-- > 0;) {
        uint32_t parent = scene->nodes[order[i]]->parent;
        if (parent != FACET_NONE)
            found.sizes[parent] += found.sizes[order[i]];
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = order[i], parent = scene->nodes[node]->parent;
        uint32_t *at = parent == FACET_NONE ? &roots : &next[parent];
        found.places[node] = *at;
        *at += found.sizes[node];
        next[node] = found.places[node] + 1;
    }
    return found;
}

static bool is_above_joints(const facet_skin *skin, const subtrees *trees)
{
    uint32_t top = skin->skeleton;
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        /* For a joint before the skeleton, the difference wraps to a large number. */
        if (trees->places[skin->joints[j]] - trees->places[top] >= trees->sizes[top])
            return false;
    }
    return true;
}

/* Write the skeleton. It is only a hint: an invalid one is dropped. */
static void put_skeleton(facet_gltf_writer *w, facet_json *object, uint32_t index,
                         const subtrees *trees)
{
    const facet_skin *skin = w->scene->skins[index];
    if (skin->skeleton == FACET_NONE)
        return;
    if (is_above_joints(skin, trees))
        facet_gltf_put(w, object, "skeleton", facet_json_integer_in(w->arena, skin->skeleton));
    else if (w->is_rootless[index] && w->skin_root != FACET_NONE)
        facet_gltf_put(w, object, "skeleton", facet_json_integer_in(w->arena, w->skin_root));
    else
        facet_report_add(
            facet_gltf_writer_report(w), "GLTF-SKIN", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
            "the skeleton of skin %" PRIu32 " is not above its joints, and is left out", index);
}

void facet_gltf_skins_from_scene(facet_gltf_writer *w)
{
    facet_json *skins = facet_json_array_in(w->arena);
    const subtrees trees = find_subtrees(w);
    for (uint32_t i = 0; i < w->scene->skin_count && !w->failed; i++) {
        const facet_skin *skin = w->scene->skins[i];
        facet_json *object = facet_json_object_in(w->arena),
                   *joints = facet_json_array_in(w->arena);
        facet_gltf_put_text(w, object, "name", skin->name);
        if ((skin->inverse_bind || w->quantize) && skin->joint_count > 0)
            facet_gltf_put(w, object, "inverseBindMatrices",
                           facet_json_integer_in(w->arena, write_inverse_bind(w, skin)));
        for (uint32_t j = 0; j < skin->joint_count; j++)
            facet_gltf_append(w, joints, facet_json_integer_in(w->arena, skin->joints[j]));
        facet_gltf_put(w, object, "joints", joints);
        put_skeleton(w, object, i, &trees);
        facet_gltf_put_extras(w, object, skin->extras);
        facet_gltf_append(w, skins, object);
    }
    facet_gltf_put_array(w, "skins", skins);
}
