/* formats/j3d/scene/from_scene/shapes.c - faces to shapes: one for each material, joint and set of
 * attributes; for skinned meshes one for each material. */
#include "formats/j3d/scene/from_scene/builder.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "formats/j3d/scene/from_scene/original.h"

#include <inttypes.h>
#include <string.h>

#define MAX_SHAPES 65534

/* -- Shape of a face ---------------------------------------------------- */

static uint32_t arrays_of(const facet_mesh *mesh)
{
    uint32_t arrays = 1u << FACET_J3D_ARRAY_POSITION;
    if (facet_mesh_find(mesh, FACET_NORMAL, 0))
        arrays |= 1u << FACET_J3D_ARRAY_NORMAL;
    for (uint32_t set = 0; set < 2; set++) {
        if (facet_j3d_color_stream(mesh, set))
            arrays |= 1u << (FACET_J3D_ARRAY_COLOR0 + set);
    }
    for (uint32_t set = 0; set < 8; set++) {
        if (facet_mesh_find(mesh, FACET_TEXCOORD, set))
            arrays |= 1u << (FACET_J3D_ARRAY_TEXCOORD0 + set);
    }
    return arrays;
}

/* The arrays that a material uses. Former J3D materials do not need the texture coordinates that
 * were computed for other programs. */
static uint32_t drawn_with(const facet_j3d_builder *b, uint32_t arrays, uint32_t material)
{
    if (material >= b->scene->material_count || !b->extras_data[material].state)
        return arrays;
    return arrays & ((1u << (FACET_J3D_ARRAY_TEXCOORD0 + b->own_texcoords)) - 1);
}

static uint32_t material_of(const facet_j3d_builder *b, const facet_mesh *mesh, uint32_t face)
{
    uint32_t material = mesh->face_materials ? mesh->face_materials[face] : FACET_NONE;
    return material < b->scene->material_count ? b->original_of[material]
                                               : b->scene->material_count;
}

/* Finds a shape by the properties that its faces share. */
typedef struct shape_finder {
    facet_j3d_builder *builder;
    facet_table table;
    uint32_t capacity; /* of builder->shapes */
} shape_finder;

static int compare_numbers(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare_shapes(const void *user, uint32_t a, uint32_t b)
{
    const shape_finder *f = user;
    const facet_j3d_shape_plan *one = &f->builder->shapes[a], *other = &f->builder->shapes[b];
    int order = compare_numbers(one->like, other->like);
    if (order == 0)
        order = compare_numbers(one->material, other->material);
    if (order == 0)
        order = compare_numbers(one->arrays, other->arrays);
    if (order == 0)
        order = compare_numbers(one->type, other->type);
    if (order == 0)
        order = compare_numbers(one->skinned, other->skinned);
    if (order == 0 && !one->skinned)
        order = compare_numbers(one->joint, other->joint);
    return order;
}

static facet_status find_shape(shape_finder *f, const facet_j3d_instance *instance, uint32_t arrays,
                               uint32_t material, uint32_t *found)
{
    facet_j3d_builder *b = f->builder;
    if (!FACET_GROW(b->scratch, b->shapes, b->shape_count, f->capacity))
        return facet_fail_arena(b->scratch, b->error);
    facet_j3d_shape_plan *shape = &b->shapes[b->shape_count];
    memset(shape, 0, sizeof *shape);
    shape->like = FACET_NONE;
    if (b->like)
        shape->like = b->like->steps->shape(b, instance, material, &arrays);
    shape->material = material;
    shape->arrays = arrays;
    shape->skinned = instance->skin != FACET_NONE;
    shape->joint = instance->joint;
    shape->type = instance->billboard;
    uint64_t hash = facet_hash_word(material, (uint64_t)arrays << 32 | shape->type);
    hash = facet_hash_word(hash, shape->skinned ? UINT64_MAX : shape->joint);
    hash = facet_hash_word(hash, shape->like);
    *found = facet_table_put(&f->table, facet_hash_end(hash), b->shape_count, compare_shapes, f);
    if (*found == UINT32_MAX)
        return facet_fail_arena(b->scratch, b->error);
    b->shape_count += *found == b->shape_count;
    return facet_j3d_builder_limit(b, "J3D-LIMIT-SHAPES", b->shape_count, MAX_SHAPES,
                                   "shapes (one per material and joint)",
                                   "join meshes, or let them share materials");
}

/* Count the triangles of each shape, or, with `take`, store their corners. A run of faces with one
 * material needs one search. */
static facet_status walk_faces(shape_finder *f, bool take)
{
    const facet_j3d_builder *b = f->builder;
    for (uint32_t i = 0; i < b->instance_count; i++) {
        const facet_j3d_instance *instance = &b->instances[i];
        const facet_mesh *mesh = instance->mesh;
        const uint32_t *corners = mesh->streams[0].indices;
        uint32_t arrays = arrays_of(mesh), last = FACET_NONE, shape = 0;
        for (uint32_t face = 0; face < mesh->face_count; face++) {
            uint32_t material = material_of(b, mesh, face);
            if (material != last) {
                facet_status status =
                    find_shape(f, instance, drawn_with(b, arrays, material), material, &shape);
                if (status)
                    return status;
            }
            last = material;
            facet_j3d_shape_plan *plan = &b->shapes[shape];
            uint32_t triangle = plan->triangle_count++;
            bool flip =
                instance->flip != (material < b->scene->material_count && b->is_reversed[material]);
            for (uint32_t k = 0; k < 3 && take; k++) {
                uint32_t corner = flip && k ? 3 - k : k;
                plan->triangles[(size_t)triangle * 3 + k] =
                    instance->first_vertex + corners[(size_t)face * 3 + corner];
            }
        }
    }
    return FACET_OK;
}

/* -- Distinct vertices -------------------------------------------------- */

/* Merges vertices with equal values in all arrays of a shape. */
typedef struct joining {
    const facet_j3d_builder *builder;
    const uint16_t *parts[FACET_J3D_ARRAY_COUNT];
    uint32_t part_count;
    facet_table table;
    uint32_t *number, *stamp; /* per vertex of the scene: its number in the shape of `stamp` */
} joining;

typedef struct compared {
    const joining *j;
    const uint32_t *vertices;
} compared;

static int compare_vertices(const void *user, uint32_t a, uint32_t b)
{
    const compared *c = user;
    uint32_t one = c->vertices[a], other = c->vertices[b];
    const uint32_t *matrix = c->j->builder->matrix;
    int order = matrix[one] < matrix[other] ? -1 : matrix[one] > matrix[other];
    for (uint32_t i = 0; i < c->j->part_count && order == 0; i++)
        order = c->j->parts[i][one] - c->j->parts[i][other];
    return order;
}

/* The number of vertex `v` in the shape; FACET_NONE if out of memory. */
static uint32_t join_vertex(joining *j, facet_j3d_shape_plan *shape, uint32_t v)
{
    const compared c = {j, shape->vertices};
    uint64_t hash = facet_hash_word(0, j->builder->matrix[v]);
    for (uint32_t i = 0; i < j->part_count; i++)
        hash = facet_hash_word(hash, j->parts[i][v]);
    shape->vertices[shape->vertex_count] = v;
    uint32_t number =
        facet_table_put(&j->table, facet_hash_end(hash), shape->vertex_count, compare_vertices, &c);
    shape->vertex_count += number == shape->vertex_count;
    return number;
}

/* Renumber triangles to distinct vertices, and drop those without area. */
static facet_status join_vertices(facet_j3d_builder *b, joining *j, uint32_t index,
                                  facet_tally *dropped)
{
    facet_j3d_shape_plan *shape = &b->shapes[index];
    uint32_t kept = 0;
    size_t corners = (size_t)shape->triangle_count * 3;
    size_t most = corners < b->vertex_count ? corners : b->vertex_count;
    j->table = facet_table_make(b->scratch);
    shape->vertices = facet_j3d_builder_scratch(b, most, sizeof *shape->vertices);
    if (!shape->vertices)
        return facet_j3d_builder_no_memory(b);
    j->part_count = 0;
    for (int array = 0; array < FACET_J3D_ARRAY_COUNT; array++) {
        if (shape->arrays & 1u << array)
            j->parts[j->part_count++] = b->indices[array];
    }
    for (uint32_t t = 0; t < shape->triangle_count; t++) {
        uint32_t *from = shape->triangles + (size_t)t * 3,
                 *to = shape->triangles + (size_t)kept * 3;
        uint32_t made[3];
        for (int k = 0; k < 3; k++) {
            uint32_t v = from[k];
            if (j->stamp[v] != index + 1) {
                j->stamp[v] = index + 1;
                j->number[v] = join_vertex(j, shape, v);
            }
            if (j->number[v] == FACET_NONE)
                return facet_fail_arena(b->scratch, b->error);
            made[k] = j->number[v];
        }
        if (made[0] == made[1] || made[1] == made[2] || made[2] == made[0]) {
            facet_tally_hit(dropped, t);
            continue;
        }
        memcpy(to, made, sizeof made);
        kept++;
    }
    shape->triangle_count = kept;
    facet_table_free(&j->table);
    return FACET_OK;
}

static facet_status join_all(facet_j3d_builder *b)
{
    joining j = {.builder = b};
    facet_tally dropped = {0, 0};
    facet_status status = FACET_OK;
    uint32_t kept = 0;
    j.number = facet_j3d_builder_scratch(b, b->vertex_count, sizeof *j.number);
    j.stamp = facet_j3d_builder_scratch(b, b->vertex_count, sizeof *j.stamp);
    if (!j.number || !j.stamp)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < b->shape_count && !status; i++)
        status = join_vertices(b, &j, i, &dropped);
    for (uint32_t i = 0; i < b->shape_count && !status; i++) {
        if (b->shapes[i].triangle_count > 0)
            b->shapes[kept++] = b->shapes[i];
    }
    b->shape_count = kept;
    if (b->like) /* the original also hides them */
        return status;
    facet_report_add_tally(
        facet_j3d_builder_report(b), "LOSS-FACES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
        &dropped, "a triangle is left out: two of its corners are the same as they are stored");
    return status;
}

/* -- Kinds of shapes ---------------------------------------------------- */

/* Set the type of each shape. If all vertices use one joint's matrix, the shape belongs to that
 * joint. Others have many matrices. */
static void choose_types(facet_j3d_builder *b)
{
    facet_tally lost = {0};
    for (uint32_t i = 0; i < b->shape_count; i++) {
        facet_j3d_shape_plan *shape = &b->shapes[i];
        uint32_t first = b->matrix[shape->vertices[0]];
        const facet_j3d_draw_matrix *matrix = &b->document->draw_matrices.items[first];
        bool single = !matrix->is_envelope;
        for (uint32_t v = 1; v < shape->vertex_count && single; v++)
            single = b->matrix[shape->vertices[v]] == first;
        if (single) {
            shape->joint = matrix->index;
            continue;
        }
        if (shape->type != FACET_J3D_SHAPE_SINGLE)
            facet_tally_hit(&lost, i);
        shape->type = FACET_J3D_SHAPE_MULTI;
    }
    facet_report_add_tally(
        facet_j3d_builder_report(b), "J3D-BILLBOARD", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
        &lost, "shape %" PRIu64 " cannot turn to the camera: several joints move it", lost.first);
}

/* Assign a slot to each shape: first the materials in the order of the scene, then a slot for every
 * further shape of a material. Games crash if a slot has no shape. */
static facet_status choose_slots(facet_j3d_builder *b)
{
    uint32_t materials = b->scene->material_count + 1;
    facet_tally unused = {0};
    uint32_t *first = facet_j3d_builder_scratch(b, materials, sizeof *first);
    b->slots = facet_j3d_builder_scratch(b, materials + (size_t)b->shape_count, sizeof *b->slots);
    if (!first || !b->slots)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < b->shape_count; i++)
        first[b->shapes[i].material] = 1;
    for (uint32_t m = 0; m < materials; m++) {
        bool is_drawn = first[m];
        if (!is_drawn && m < b->scene->material_count && b->extras_data[m].state &&
            b->original_of[m] == m)
            facet_tally_hit(&unused, m);
        first[m] = b->slot_count;
        if (is_drawn)
            b->slots[b->slot_count++] = m;
    }
    if (unused.count > 0) {
        const char *name = b->scene->materials[unused.first]->name;
        facet_quoted quoted;
        facet_report_add_tally(facet_j3d_builder_report(b), "J3D-MATERIAL-UNUSED",
                               FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &unused,
                               "nothing is drawn with material '%s': it is left out",
                               facet_quote(&quoted, name, strlen(name)));
    }
    bool *taken = facet_j3d_builder_scratch(b, materials, sizeof *taken);
    if (!taken)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < b->shape_count; i++) {
        uint32_t m = b->shapes[i].material;
        b->shapes[i].slot = taken[m] ? b->slot_count : first[m];
        if (taken[m])
            b->slots[b->slot_count++] = m;
        taken[m] = true;
    }
    return FACET_OK;
}

facet_status facet_j3d_build_shapes(facet_j3d_builder *b)
{
    shape_finder f = {.builder = b, .table = facet_table_make(b->scratch)};
    facet_status status = walk_faces(&f, false);
    for (uint32_t i = 0; i < b->shape_count && !status; i++) {
        facet_j3d_shape_plan *shape = &b->shapes[i];
        shape->triangles =
            facet_arena_allocate(b->scratch, shape->triangle_count, 3 * sizeof *shape->triangles);
        if (!shape->triangles)
            return facet_fail_arena(b->scratch, b->error);
        shape->triangle_count = 0;
    }
    if (!status)
        status = walk_faces(&f, true);
    facet_table_free(&f.table);
    if (!status)
        status = join_all(b);
    if (status)
        return status;
    choose_types(b);
    return choose_slots(b);
}
