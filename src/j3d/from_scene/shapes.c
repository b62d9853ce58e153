/* j3d/from_scene/shapes.c - faces into shapes: one for each material, joint
 * and set of attributes; of skinned meshes one for each material. */
#include "j3d/from_scene/from_scene.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"

#include <inttypes.h>
#include <string.h>

#define MOST_SHAPES 65534

/* -- Which shape a face goes to ----------------------------------------- */

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

/* Texture coordinates that were computed from J3D's own are not drawn with by
 * materials that still say what they were. */
static uint32_t drawn_with(const j3d_build *w, uint32_t arrays, uint32_t material)
{
    if (material >= w->scene->material_count || !w->is_own[material])
        return arrays;
    return arrays & ((1u << (FACET_J3D_ARRAY_TEXCOORD0 + w->own_texcoords)) - 1);
}

static uint32_t material_of(const j3d_build *w, const facet_mesh *mesh, uint32_t face)
{
    uint32_t material = mesh->face_materials ? mesh->face_materials[face] : FACET_NONE;
    return material < w->scene->material_count ? w->original_of[material]
                                               : w->scene->material_count;
}

static facet_status find_shape(j3d_build *w, uint32_t *space, const j3d_instance *instance,
                               uint32_t arrays, uint32_t material, uint32_t *found)
{
    bool skinned = instance->skin != FACET_NONE;
    for (uint32_t i = 0; i < w->shape_count; i++) {
        const j3d_shape_plan *shape = &w->shapes[i];
        if (shape->material == material && shape->arrays == arrays && shape->skinned == skinned &&
            shape->type == instance->billboard && (skinned || shape->joint == instance->joint)) {
            *found = i;
            return FACET_OK;
        }
    }
    if (w->shape_count == *space) {
        uint32_t more = *space ? *space * 2 : 64;
        j3d_shape_plan *grown =
            facet_arena_resize(w->scratch, w->shapes, *space, more, sizeof *w->shapes);
        if (!grown)
            return facet_fail_memory(w->error, more * sizeof *w->shapes);
        w->shapes = grown;
        *space = more;
    }
    j3d_shape_plan *shape = &w->shapes[w->shape_count];
    memset(shape, 0, sizeof *shape);
    shape->material = material;
    shape->arrays = arrays;
    shape->skinned = skinned;
    shape->joint = instance->joint;
    shape->type = instance->billboard;
    *found = w->shape_count++;
    return facet_j3d_writer_limit(w, "J3D-LIMIT-SHAPES", w->shape_count, MOST_SHAPES,
                                  "shapes (one per material and joint)",
                                  "join meshes, or let them share materials");
}

/* Runs of faces of one material: count them, and then take their corners. */
static facet_status walk_faces(j3d_build *w, uint32_t *space, bool take)
{
    for (uint32_t i = 0; i < w->instance_count; i++) {
        const j3d_instance *instance = &w->instances[i];
        const facet_mesh *mesh = instance->mesh;
        const uint32_t *corners = mesh->streams[0].indices;
        uint32_t arrays = arrays_of(mesh), last = FACET_NONE, shape = 0;
        for (uint32_t face = 0; face < mesh->face_count; face++) {
            uint32_t material = material_of(w, mesh, face);
            if (material != last) {
                facet_status status = find_shape(w, space, instance,
                                                 drawn_with(w, arrays, material), material, &shape);
                if (status)
                    return status;
            }
            last = material;
            j3d_shape_plan *plan = &w->shapes[shape];
            uint32_t triangle = plan->triangle_count++;
            bool flip =
                instance->flip != (material < w->scene->material_count && w->is_reversed[material]);
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

/* Vertices that are equal in all that a shape draws become one. */
typedef struct joining {
    const j3d_build *w;
    const uint16_t *parts[FACET_J3D_ARRAY_COUNT];
    uint32_t part_count;
    uint32_t *table, mask;
    uint32_t *number, *stamp; /* of each vertex of the scene, in the shape that `stamp` says */
} joining;

static bool are_equal(const joining *j, uint32_t a, uint32_t b)
{
    bool same = j->w->matrix[a] == j->w->matrix[b];
    for (uint32_t i = 0; i < j->part_count && same; i++)
        same = j->parts[i][a] == j->parts[i][b];
    return same;
}

static uint32_t join_vertex(const joining *j, j3d_shape_plan *shape, uint32_t v)
{
    uint64_t hash = j->w->matrix[v];
    for (uint32_t i = 0; i < j->part_count; i++)
        hash = (hash ^ hash >> 31) * 0x9E3779B97F4A7C15u + j->parts[i][v];
    hash *= 0x9E3779B97F4A7C15u;
    uint32_t at = (uint32_t)(hash >> 32) & j->mask;
    for (; j->table[at]; at = (at + 1) & j->mask) {
        if (are_equal(j, shape->vertices[j->table[at] - 1], v))
            return j->table[at] - 1;
    }
    shape->vertices[shape->vertex_count] = v;
    j->table[at] = ++shape->vertex_count;
    return shape->vertex_count - 1;
}

/* Triangles count the distinct vertices, and those without area are dropped. */
static facet_status join_vertices(j3d_build *w, joining *j, uint32_t index, facet_tally *dropped)
{
    j3d_shape_plan *shape = &w->shapes[index];
    uint32_t size = 64, kept = 0;
    size_t corners = (size_t)shape->triangle_count * 3;
    size_t most = corners < w->vertex_count ? corners : w->vertex_count;
    while (size < most * 2)
        size *= 2;
    j->mask = size - 1;
    j->table = facet_j3d_writer_scratch(w, size, sizeof *j->table);
    shape->vertices = facet_j3d_writer_scratch(w, most, sizeof *shape->vertices);
    if (!j->table || !shape->vertices)
        return FACET_ERROR_MEMORY;
    j->part_count = 0;
    for (int array = 0; array < FACET_J3D_ARRAY_COUNT; array++) {
        if (shape->arrays & 1u << array)
            j->parts[j->part_count++] = w->indices[array];
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
    facet_arena_release(w->scratch, j->table, size, sizeof *j->table);
    return FACET_OK;
}

static facet_status join_all(j3d_build *w)
{
    joining j = {.w = w};
    facet_tally dropped = {0, 0};
    facet_status status = FACET_OK;
    uint32_t kept = 0;
    j.number = facet_j3d_writer_scratch(w, w->vertex_count, sizeof *j.number);
    j.stamp = facet_j3d_writer_scratch(w, w->vertex_count, sizeof *j.stamp);
    if (!j.number || !j.stamp)
        return FACET_ERROR_MEMORY;
    for (uint32_t i = 0; i < w->shape_count && !status; i++)
        status = join_vertices(w, &j, i, &dropped);
    for (uint32_t i = 0; i < w->shape_count && !status; i++) {
        if (w->shapes[i].triangle_count > 0)
            w->shapes[kept++] = w->shapes[i];
    }
    w->shape_count = kept;
    facet_report_add_tally(
        facet_j3d_writer_report(w), "LOSS-DEGENERATE", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
        &dropped, "a triangle is left out: two of its corners are the same as they are stored");
    return status;
}

/* -- Kinds of shapes ---------------------------------------------------- */

/* One matrix, of a joint: the shape is that joint's. Else many matrices. */
static void choose_types(j3d_build *w)
{
    for (uint32_t i = 0; i < w->shape_count; i++) {
        j3d_shape_plan *shape = &w->shapes[i];
        uint32_t first = w->matrix[shape->vertices[0]];
        const facet_j3d_draw_matrix *matrix = &w->document->draw_matrices.items[first];
        bool single = !matrix->is_envelope;
        for (uint32_t v = 1; v < shape->vertex_count && single; v++)
            single = w->matrix[shape->vertices[v]] == first;
        if (single)
            shape->joint = matrix->index;
        else
            shape->type = FACET_J3D_SHAPE_MULTI;
    }
}

/* A slot holds one shape: materials in the order of the scene, then a slot more
 * for every further shape of a material. A material that was J3D's keeps its
 * slot when nothing is drawn with it. */
static facet_status choose_slots(j3d_build *w)
{
    uint32_t materials = w->scene->material_count + 1;
    uint32_t *first = facet_j3d_writer_scratch(w, materials, sizeof *first);
    w->slots = facet_j3d_writer_scratch(w, materials + (size_t)w->shape_count, sizeof *w->slots);
    if (!first || !w->slots)
        return FACET_ERROR_MEMORY;
    for (uint32_t i = 0; i < w->shape_count; i++)
        first[w->shapes[i].material] = 1;
    for (uint32_t m = 0; m < materials; m++) {
        bool keep =
            first[m] || (m < w->scene->material_count && w->is_own[m] && w->original_of[m] == m);
        first[m] = w->slot_count;
        if (keep)
            w->slots[w->slot_count++] = m;
    }
    bool *taken = facet_j3d_writer_scratch(w, materials, sizeof *taken);
    if (!taken)
        return FACET_ERROR_MEMORY;
    for (uint32_t i = 0; i < w->shape_count; i++) {
        uint32_t m = w->shapes[i].material;
        w->shapes[i].slot = taken[m] ? w->slot_count : first[m];
        if (taken[m])
            w->slots[w->slot_count++] = m;
        taken[m] = true;
    }
    return FACET_OK;
}

facet_status facet_j3d_build_shapes(j3d_build *w)
{
    uint32_t space = 0;
    facet_status status = walk_faces(w, &space, false);
    for (uint32_t i = 0; i < w->shape_count && !status; i++) {
        j3d_shape_plan *shape = &w->shapes[i];
        shape->triangles =
            facet_arena_allocate(w->scratch, shape->triangle_count, 3 * sizeof *shape->triangles);
        if (!shape->triangles)
            return facet_fail_memory(w->error, (size_t)shape->triangle_count * 12);
        shape->triangle_count = 0;
    }
    if (!status)
        status = walk_faces(w, &space, true);
    if (!status)
        status = join_all(w);
    if (!status)
        status = facet_j3d_drop_unused_elements(w);
    if (status)
        return status;
    choose_types(w);
    return choose_slots(w);
}
