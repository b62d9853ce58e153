/* convert/compare_meshes.c - pairs of meshes, their values that no surface shows, and meshes that
 * are not visible. */
#include "base/arena.h"
#include "base/error.h"
#include "base/table.h"
#include "base/text.h"
#include "convert/compare.h"
#include "scene/axes.h"

#include <facet/pose.h>

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* -- Content ------------------------------------------------------------ */

static bool is_vector(facet_semantic semantic)
{
    return semantic <= FACET_TANGENT || semantic >= FACET_MORPH_POSITION;
}

/* Hash the value of a stream at a corner: vectors in the common frame, -0 as 0. */
static uint64_t hash_value(const facet_axes *axes, const facet_stream *stream, uint32_t corner)
{
    uint32_t element = stream->indices[corner];
    uint64_t key = facet_hash_word(stream->semantic, stream->set);
    size_t size = facet_compare_element_size(stream);
    if (stream->name)
        key = facet_hash_word(key, facet_hash_bytes(stream->name, strlen(stream->name)));
    if (element == FACET_NONE)
        return facet_hash_word(key, FACET_NONE);
    float values[4] = {0};
    const char *from = (const char *)stream->data + size * element;
    if (stream->component != FACET_FLOAT32 || stream->components > 4)
        return facet_hash_word(key, facet_hash_bytes(from, size));
    memcpy(values, from, size);
    if (is_vector(stream->semantic))
        facet_axes_turn(axes, values);
    for (int k = 0; k < 4; k++)
        values[k] += 0.0F;
    return facet_hash_word(key, facet_hash_bytes(values, sizeof values));
}

static uint64_t hash_corner(const facet_scene *scene, const facet_mesh *mesh, uint32_t corner)
{
    uint64_t sum = 0; /* the order of streams does not matter */
    for (uint32_t s = 0; s < mesh->stream_count; s++)
        sum += hash_value(&scene->axes, &mesh->streams[s], corner);
    return facet_hash_word(0, sum);
}

/* Hash of the faces of a mesh with all attributes, in mesh space. It does not depend on the order
 * of faces and vertices, nor on the first corner of a face. */
static uint64_t hash_mesh(const facet_comparing *c, const facet_scene *scene, int side,
                          const facet_mesh *mesh)
{
    uint64_t sum = facet_hash_word(mesh->line_count, mesh->point_count);
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        uint32_t begin = facet_face_begin(mesh, f), end = facet_face_end(mesh, f);
        uint32_t material = mesh->face_materials ? mesh->face_materials[f] : FACET_NONE;
        if (material != FACET_NONE)
            material = c->materials[side][material];
        uint64_t last = end > begin ? hash_corner(scene, mesh, end - 1) : 0, edges = 0;
        for (uint32_t i = begin; i < end; i++) { /* a sum of directed edges */
            uint64_t next = hash_corner(scene, mesh, i);
            edges +=
                scene->axes.left_handed ? facet_hash_word(next, last) : facet_hash_word(last, next);
            last = next;
        }
        sum += facet_hash_word(material, edges);
    }
    return sum;
}

/* -- Pairs -------------------------------------------------------------- */

/* Pair the remaining meshes of nodes that are partners. */
static facet_status pair_by_nodes(const facet_comparing *c, const facet_scene *a,
                                  const facet_scene *b, const uint32_t *node_pairs, uint32_t *pairs,
                                  facet_error *error)
{
    bool *taken = facet_arena_allocate_zeroed(c->arena, b->mesh_count, sizeof *taken);
    if (!taken)
        return facet_fail_arena(c->arena, error);
    for (uint32_t i = 0; i < a->mesh_count; i++) {
        if (pairs[i] != FACET_NONE)
            taken[pairs[i]] = true;
    }
    for (uint32_t i = 0; i < a->node_count; i++) {
        uint32_t mesh = a->nodes[i]->mesh;
        uint32_t other = node_pairs[i] != FACET_NONE ? b->nodes[node_pairs[i]]->mesh : FACET_NONE;
        if (mesh == FACET_NONE || other == FACET_NONE || pairs[mesh] != FACET_NONE || taken[other])
            continue;
        pairs[mesh] = other;
        taken[other] = true;
    }
    return FACET_OK;
}

/* Pair meshes by name and content, name, content, the nodes that show them, and order. */
static facet_status pair_meshes(const facet_comparing *c, const facet_scene *a,
                                const facet_scene *b, const uint32_t *node_pairs,
                                facet_mesh_pairs *m, facet_error *error)
{
    size_t count = (size_t)a->mesh_count + b->mesh_count;
    const char **names = facet_arena_allocate(c->arena, count, sizeof *names);
    uint64_t *named = facet_arena_allocate(c->arena, count, sizeof *named);
    uint32_t *by_name = facet_arena_allocate(c->arena, a->mesh_count, sizeof *by_name);
    bool *taken = facet_arena_allocate_zeroed(c->arena, b->mesh_count, sizeof *taken);
    if (!names || !named || !by_name || !taken)
        return facet_fail_arena(c->arena, error);
    for (size_t i = 0; i < count; i++) {
        names[i] = i < a->mesh_count ? a->meshes[i]->name : b->meshes[i - a->mesh_count]->name;
        names[i] = names[i] ? names[i] : "";
        uint64_t content =
            i < a->mesh_count ? m->contents[0][i] : m->contents[1][i - a->mesh_count];
        named[i] = facet_hash_word(content, facet_hash_bytes(names[i], strlen(names[i])));
    }
    for (uint32_t i = 0; i < a->mesh_count; i++)
        m->pairs[i] = FACET_NONE;
    TRY(facet_compare_pair_contents(c, named, a->mesh_count, named + a->mesh_count, b->mesh_count,
                                    m->pairs, error));
    facet_comparing quiet = *c;
    if (a->mesh_count != b->mesh_count) /* parts of one mesh may be meshes: facet_compare_parts */
        quiet.report = NULL;
    TRY(facet_compare_names(&quiet, "meshes", names, a->mesh_count, names + a->mesh_count,
                            b->mesh_count, by_name, error));
    for (uint32_t i = 0; i < a->mesh_count; i++) {
        if (m->pairs[i] != FACET_NONE)
            taken[m->pairs[i]] = true;
    }
    for (uint32_t i = 0; i < a->mesh_count; i++) {
        if (m->pairs[i] == FACET_NONE && by_name[i] != FACET_NONE && !taken[by_name[i]]) {
            m->pairs[i] = by_name[i];
            taken[by_name[i]] = true;
        }
    }
    TRY(facet_compare_pair_contents(c, m->contents[0], a->mesh_count, m->contents[1], b->mesh_count,
                                    m->pairs, error));
    TRY(pair_by_nodes(c, a, b, node_pairs, m->pairs, error));
    return facet_compare_pair_rest(c, NULL, a->mesh_count, NULL, b->mesh_count, m->pairs, error);
}

/* -- Values ------------------------------------------------------------- */

/* Mark the meshes that are visible at rest. */
static facet_status mark_visible(const facet_comparing *c, const facet_scene *scene, bool **visible,
                                 facet_error *error)
{
    *visible = facet_arena_allocate_zeroed(c->arena, scene->mesh_count, sizeof **visible);
    if (!*visible)
        return facet_fail_arena(c->arena, error);
    for (uint32_t i = 0; i < scene->mesh_count && scene->node_count == 0; i++)
        (*visible)[i] = true;
    facet_pose pose = {0};
    TRY(facet_scene_pose(scene, FACET_NONE, 0, c->options, &pose, error));
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (pose.seen[i] && scene->nodes[i]->mesh != FACET_NONE)
            (*visible)[scene->nodes[i]->mesh] = true;
    }
    facet_pose_free(&pose);
    return FACET_OK;
}

/* The first difference of two meshes that no surface shows, or NULL. */
static const char *mesh_difference(const facet_mesh *x, const facet_mesh *y)
{
    if (x->billboard != y->billboard)
        return "turns to the camera in another way in the second file";
    for (uint32_t i = 0; i < x->morph_count && i < y->morph_count; i++) {
        if (!(fabsf(x->morphs[i].weight - y->morphs[i].weight) <= FACET_COMPARE_WEIGHT))
            return "has other default weights of morph targets in the second file";
        if (facet_compare_texts_differ(x->morphs[i].name, y->morphs[i].name))
            return "has other morph targets in the second file";
    }
    if (x->morph_count != y->morph_count)
        return "has another number of morph targets in the second file";
    return NULL;
}

static facet_status compare_values(const facet_comparing *c, const facet_scene *a,
                                   const facet_scene *b, const facet_mesh_pairs *m,
                                   facet_error *error)
{
    bool *visible[2];
    uint32_t differing = 0;
    TRY(mark_visible(c, a, &visible[0], error));
    TRY(mark_visible(c, b, &visible[1], error));
    for (uint32_t i = 0; i < a->mesh_count; i++) {
        uint32_t other = m->pairs[i];
        if (other == FACET_NONE)
            continue;
        const char *text = mesh_difference(a->meshes[i], b->meshes[other]);
        if (!text && (!visible[0][i] || !visible[1][other]) &&
            m->contents[0][i] != m->contents[1][other])
            text = "is not visible, not equal to the bit, and not compared further";
        facet_quoted quoted;
        if (text && differing++ < FACET_COMPARE_DETAILS)
            facet_compare_add(c, FACET_COMPARE_NODES, "COMPARE-NODE", FACET_NO_OFFSET,
                              "mesh %" PRIu32 ", '%s', %s", i,
                              facet_quote(&quoted, a->meshes[i]->name, strlen(a->meshes[i]->name)),
                              text);
    }
    if (differing > FACET_COMPARE_DETAILS)
        facet_compare_add(c, FACET_COMPARE_NODES, "COMPARE-NODE", FACET_NO_OFFSET,
                          "%" PRIu32 " more mesh%s", differing - FACET_COMPARE_DETAILS,
                          facet_plural(differing - FACET_COMPARE_DETAILS, " differs", "es differ"));
    return FACET_OK;
}

facet_status facet_compare_meshes(const facet_comparing *c, const facet_scene *a,
                                  const facet_scene *b, const uint32_t *node_pairs,
                                  facet_mesh_pairs *m, facet_error *error)
{
    const facet_scene *scenes[2] = {a, b};
    m->pairs = facet_arena_allocate(c->arena, a->mesh_count, sizeof *m->pairs);
    if (!m->pairs)
        return facet_fail_arena(c->arena, error);
    for (int s = 0; s < 2; s++) {
        m->contents[s] =
            facet_arena_allocate(c->arena, scenes[s]->mesh_count, sizeof *m->contents[s]);
        if (!m->contents[s])
            return facet_fail_arena(c->arena, error);
        for (uint32_t i = 0; i < scenes[s]->mesh_count; i++)
            m->contents[s][i] = hash_mesh(c, scenes[s], s, scenes[s]->meshes[i]);
    }
    TRY(pair_meshes(c, a, b, node_pairs, m, error));
    return compare_values(c, a, b, m, error);
}

/* -- Meshes of nodes ---------------------------------------------------- */

/* Weight of a morph target of a node at rest. */
static float weight_of(const facet_scene *scene, const facet_node *node, uint32_t target)
{
    return node->weights ? node->weights[target] : scene->meshes[node->mesh]->morphs[target].weight;
}

const char *facet_compare_shown_mesh(const facet_compared_nodes *p, const facet_mesh_pairs *m,
                                     const facet_node *x, const facet_node *y)
{
    bool here = x->mesh != FACET_NONE, there = y->mesh != FACET_NONE;
    if (here != there)
        return here ? "a mesh in the first file only" : "a mesh in the second file only";
    if (!here)
        return NULL;
    const facet_mesh *mesh = p->a->meshes[x->mesh], *other = p->b->meshes[y->mesh];
    bool differ = m->contents[0][x->mesh] != m->contents[1][y->mesh];
    if (m->pairs[x->mesh] != y->mesh && (differ || (*mesh->name && *other->name)))
        return "another mesh in the second file";
    for (uint32_t i = 0; i < mesh->morph_count && i < other->morph_count; i++) {
        if (!(fabsf(weight_of(p->a, x, i) - weight_of(p->b, y, i)) <= FACET_COMPARE_WEIGHT))
            return "other weights of morph targets in the second file";
    }
    return NULL;
}
