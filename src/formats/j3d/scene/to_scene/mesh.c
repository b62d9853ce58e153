/* formats/j3d/scene/to_scene/mesh.c - a shape to a mesh and its node. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/text.h"
#include "formats/j3d/json/json.h"
#include "formats/j3d/scene/to_scene/to_scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* State of the conversion of a shape. */
typedef struct shaping {
    facet_j3d_reading *r;
    uint32_t index;
    const facet_j3d_shape *shape;
    facet_j3d_geometry geometry;
    facet_j3d_vertex_wants wants;
    facet_mesh *mesh;
    uint32_t *indices; /* shared by all streams */
    uint32_t joint;    /* joint of its node; FACET_NONE: skinned */
    facet_error *error;
} shaping;

static facet_status add_stream(shaping *s, facet_semantic semantic, uint32_t set, const char *name,
                               facet_component component, uint32_t components, void *data)
{
    facet_stream *stream;
    TRY(facet_mesh_add_stream(s->mesh, semantic, set, name, component, components,
                              s->geometry.vertex_count, &stream, s->error));
    stream->indices = s->indices;
    *(void **)data = stream->data;
    return FACET_OK;
}

static facet_status add_floats(shaping *s, facet_semantic semantic, uint32_t set,
                               uint32_t components, float **data)
{
    return add_stream(s, semantic, set, NULL, FACET_FLOAT32, components, data);
}

/* -- Triangles and lines ------------------------------------------------ */

/* True if triangles must be reversed. On the console, front faces are clockwise even if the joint
 * is mirrored; a scene reverses triangles of mirrored nodes. */
static bool is_mirrored(const shaping *s)
{
    double c[9];
    if (s->joint == FACET_NONE)
        return false;
    const double *m = s->r->skeleton.globals[s->joint];
    facet_j3d_matrix_cofactors(m, c);
    return m[0] * c[0] + m[1] * c[1] + m[2] * c[2] < 0;
}

/* Give the material of the shape to all faces or lines. */
static facet_status set_material(const shaping *s, uint32_t count, uint32_t **materials)
{
    *materials = facet_scene_allocate(s->r->scene, count, sizeof **materials);
    if (!*materials)
        return facet_fail_arena(s->r->scene->arena, s->error);
    for (uint32_t i = 0; i < count; i++)
        (*materials)[i] = s->shape->material;
    return FACET_OK;
}

static facet_status add_faces(shaping *s)
{
    const facet_j3d_geometry *g = &s->geometry;
    facet_scene *scene = s->r->scene;
    facet_mesh *mesh = s->mesh;
    size_t corners = (size_t)g->triangle_count * 3;
    s->indices = facet_scene_allocate(scene, corners, sizeof *s->indices);
    if (!s->indices)
        return facet_fail_arena(scene->arena, s->error);
    if (corners > 0)
        memcpy(s->indices, g->corners, corners * sizeof *s->indices);
    if (s->wants.reverse != is_mirrored(s)) {
        for (size_t i = 0; i < corners; i += 3) {
            s->indices[i + 1] = g->corners[i + 2];
            s->indices[i + 2] = g->corners[i + 1];
        }
    }
    mesh->face_count = g->triangle_count;
    mesh->corner_count = (uint32_t)corners;
    if (g->line_count > 0) {
        size_t ends = (size_t)g->line_count * 2;
        mesh->lines = facet_scene_allocate(scene, ends, sizeof *mesh->lines);
        if (!mesh->lines)
            return facet_fail_arena(scene->arena, s->error);
        memcpy(mesh->lines, g->lines, ends * sizeof *mesh->lines);
        mesh->line_count = g->line_count;
    }
    if (s->shape->material >= scene->material_count)
        return FACET_OK;
    TRY(set_material(s, mesh->face_count, &mesh->face_materials));
    return mesh->line_count > 0 ? set_material(s, mesh->line_count, &mesh->line_materials)
                                : FACET_OK;
}

/* -- Positions, normals, tangents --------------------------------------- */

/* Replace values that are not finite by zeros, because all later results would be invalid. */
static void make_finite(const shaping *s, float *values, uint32_t components, const char *what)
{
    size_t count = (size_t)s->geometry.vertex_count * components;
    float sum = 0;
    facet_tally replaced = {0, 0};
    for (size_t i = 0; i < count; i++) /* 0 times any finite value is 0 */
        sum += values[i] * 0.0F;
    if (sum == 0)
        return;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) {
            facet_tally_hit(&replaced, i / components);
            values[i] = 0;
        }
    }
    facet_report_add_tally(s->r->report, "J3D-FLOAT", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &replaced,
                           "%s %" PRIu64 " of shape %" PRIu32 " is not finite, and becomes 0", what,
                           replaced.first, s->index);
}

static facet_status add_geometry(shaping *s)
{
    const facet_j3d_geometry *g = &s->geometry;
    float *positions, *normals = NULL, *tangents;
    TRY(add_floats(s, FACET_POSITION, 0, 3, &positions));
    facet_j3d_geometry_positions(g, positions);
    if (facet_j3d_geometry_has(g, FACET_J3D_NORMAL)) {
        TRY(add_floats(s, FACET_NORMAL, 0, 3, &normals));
        uint32_t zeros = facet_j3d_geometry_normals(g, normals);
        if (zeros > 0)
            facet_report_add(s->r->report, "J3D-NORMAL-ZERO", FACET_SEVERITY_WARNING,
                             FACET_NO_OFFSET,
                             "shape %" PRIu32 " has %" PRIu32 " normal%s without a direction",
                             s->index, zeros, facet_plural(zeros, "", "s"));
    }
    if (normals && facet_j3d_geometry_normal_lengths(g, NULL)) {
        float *lengths;
        TRY(add_stream(s, FACET_CUSTOM, 0, FACET_J3D_NORMAL_LENGTH, FACET_FLOAT32, 1, &lengths));
        facet_j3d_geometry_normal_lengths(g, lengths);
    }
    if (normals && facet_j3d_geometry_has_tangents(g) && s->joint != FACET_NONE) {
        TRY(add_floats(s, FACET_TANGENT, 0, 4, &tangents));
        facet_j3d_geometry_tangents(g, normals, tangents);
    }
    if (s->joint == FACET_NONE)
        facet_j3d_move_to_bind(s->r, g, positions, normals);
    make_finite(s, positions, 3, "position");
    if (normals)
        make_finite(s, normals, 3, "normal");
    return FACET_OK;
}

/* -- Texture coordinates ------------------------------------------------ */

static bool has_texcoord(const shaping *s, uint32_t texcoord)
{
    return facet_j3d_geometry_has(&s->geometry, FACET_J3D_TEXCOORD0 + texcoord);
}

/* Add the sets of texture coordinates. Most formats need consecutive sets, so missing ones below
 * the last are filled with zeros. */
static facet_status add_texcoords(shaping *s)
{
    const facet_j3d_vertex_wants *wants = &s->wants;
    uint32_t first_baked = facet_j3d_first_baked_set(s->r->document), end = 0;
    for (uint32_t t = 0; t < 8; t++)
        end = has_texcoord(s, t) ? t + 1 : end;
    for (uint32_t b = 0; b < wants->baked_count; b++)
        end = has_texcoord(s, wants->baked[b].texcoord) ? first_baked + b + 1 : end;
    for (uint32_t set = 0; set < end; set++) {
        float *values;
        uint32_t source = set;
        const float *matrix = NULL;
        TRY(add_floats(s, FACET_TEXCOORD, set, 2, &values));
        if (set >= first_baked) {
            source = wants->baked[set - first_baked].texcoord;
            matrix = wants->baked[set - first_baked].matrix;
        }
        if (source < 8 && has_texcoord(s, source))
            facet_j3d_geometry_texcoords(&s->geometry, source, matrix, values);
        else
            memset(values, 0, (size_t)s->geometry.vertex_count * 2 * sizeof *values);
        make_finite(s, values, 2, "texture coordinate");
    }
    return FACET_OK;
}

/* Store the number of the texture matrix that each vertex uses instead of the material's. */
static facet_status add_texture_matrices(shaping *s)
{
    static const char *const names[8] = {"J3D_TEXTURE_MATRIX_0", "J3D_TEXTURE_MATRIX_1",
                                         "J3D_TEXTURE_MATRIX_2", "J3D_TEXTURE_MATRIX_3",
                                         "J3D_TEXTURE_MATRIX_4", "J3D_TEXTURE_MATRIX_5",
                                         "J3D_TEXTURE_MATRIX_6", "J3D_TEXTURE_MATRIX_7"};
    for (uint32_t t = 0; t < 8; t++) {
        uint8_t *numbers;
        if (!facet_j3d_geometry_texture_matrices(&s->geometry, t, NULL))
            continue;
        TRY(add_stream(s, FACET_CUSTOM, 0, names[t], FACET_UINT8, 1, &numbers));
        facet_j3d_geometry_texture_matrices(&s->geometry, t, numbers);
    }
    return FACET_OK;
}

/* -- Colors ------------------------------------------------------------ */

/* Convert a color to linear. False if information is lost. */
static bool convert_colors(const shaping *s, const uint8_t *bytes, bool color, bool alpha,
                           float *out)
{
    const float *linear = s->r->linear;
    uint8_t missed = 255;
    for (uint32_t i = 0; i < s->geometry.vertex_count; i++, bytes += 4, out += 4) {
        out[0] = color ? linear[bytes[0]] : 1;
        out[1] = color ? linear[bytes[1]] : 1;
        out[2] = color ? linear[bytes[2]] : 1;
        out[3] = alpha ? (float)bytes[3] / 255 : 1;
        if (!color)
            missed &= bytes[0] & bytes[1] & bytes[2];
        if (!alpha)
            missed &= bytes[3];
    }
    return missed == 255;
}

/* The same if the material uses a linear function of the colors. */
static void map_colors(const shaping *s, const uint8_t *bytes, float *out)
{
    uint8_t seen[3][256];
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 256; i++) {
            float v = s->wants.color_offset[c] * 255 + s->wants.color_scale[c] * (float)i;
            seen[c][i] = v >= 255 ? 255 : v > 0 ? (uint8_t)(v + 0.5f) : 0;
        }
    }
    for (uint32_t i = 0; i < s->geometry.vertex_count; i++, bytes += 4, out += 4) {
        for (int c = 0; c < 3; c++)
            out[c] = s->r->linear[seen[c][bytes[c]]];
    }
}

/* Other programs would show colors that the material does not use. So store them unchanged in
 * custom streams. */
static facet_status keep_colors(shaping *s, uint32_t which, const uint8_t *bytes)
{
    static const char *const names[2] = {"J3D_COLOR_0", "J3D_COLOR_1"};
    uint8_t *kept;
    facet_status status = add_stream(s, FACET_CUSTOM, 0, names[which], FACET_UINT8, 4, &kept);
    if (!status)
        memcpy(kept, bytes, (size_t)s->geometry.vertex_count * 4);
    return status;
}

static facet_status add_colors(shaping *s)
{
    facet_arena *arena = s->r->document->arena;
    size_t count = s->geometry.vertex_count;
    uint8_t *bytes = NULL;
    facet_status status = FACET_OK;
    bool seen = (s->wants.color || s->wants.alpha) &&
                facet_j3d_geometry_has(&s->geometry, FACET_J3D_COLOR0);
    for (uint32_t which = 0; which < 2 && !status; which++) {
        if (!facet_j3d_geometry_has(&s->geometry, FACET_J3D_COLOR0 + which))
            continue;
        if (!bytes)
            bytes = facet_arena_allocate(arena, count, 4);
        if (!bytes)
            return facet_fail_arena(arena, s->error);
        facet_j3d_geometry_colors(&s->geometry, which, bytes);
        bool whole = false;
        if (seen) { /* color 1 becomes a set; sets are numbered from 0 */
            float *values;
            status = add_floats(s, FACET_COLOR, which, 4, &values);
            if (!status)
                whole = convert_colors(s, bytes, which || s->wants.color, which || s->wants.alpha,
                                       values);
            if (!status && which == 0 && s->wants.maps_color) {
                map_colors(s, bytes, values);
                whole = false;
            }
        }
        if (!status && !whole)
            status = keep_colors(s, which, bytes);
    }
    facet_arena_release(arena, bytes, count, 4);
    return status;
}

/* -- Influences --------------------------------------------------------- */

static facet_status add_influences(shaping *s)
{
    const facet_j3d_geometry *g = &s->geometry;
    uint32_t most = 1;
    for (uint32_t i = 0; i < g->vertex_count; i++) {
        uint32_t count = s->r->influences[facet_j3d_geometry_draw_matrix(g, i)].count;
        most = count > most ? count : most;
    }
    for (uint32_t set = 0; set * 4 < most; set++) {
        uint16_t *joints;
        float *weights;
        facet_status status = add_stream(s, FACET_JOINTS, set, NULL, FACET_UINT16, 4, &joints);
        if (!status)
            status = add_floats(s, FACET_WEIGHTS, set, 4, &weights);
        if (status)
            return status;
        for (uint32_t i = 0; i < g->vertex_count; i++, joints += 4, weights += 4) {
            const facet_j3d_influences *all =
                &s->r->influences[facet_j3d_geometry_draw_matrix(g, i)];
            for (uint32_t k = 0; k < 4; k++) {
                bool some = set * 4 + k < all->count;
                joints[k] = some ? all->joints[set * 4 + k] : 0;
                weights[k] = some ? all->weights[set * 4 + k] : 0;
            }
        }
    }
    s->r->skinned = true;
    return FACET_OK;
}

/* -- Shapes ------------------------------------------------------------- */

/* The joint that moves all vertices of a shape. */
static uint32_t joint_of(const shaping *s)
{
    const facet_j3d_draw_matrices *draws = &s->r->document->draw_matrices;
    uint32_t draw = s->geometry.draw_matrix;
    if (draw >= draws->count || draws->items[draw].is_envelope)
        return FACET_NONE;
    return draws->items[draw].index;
}

static void report_losses(const shaping *s)
{
    const facet_j3d_geometry *g = &s->geometry;
    if (g->points > 0)
        facet_report_add(s->r->report, "LOSS-POINTS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "%" PRIu64 " points of shape %" PRIu32 " are dropped", g->points,
                         s->index);
    if (g->left_over > 0)
        facet_report_add(s->r->report, "J3D-DL-COUNT", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "shape %" PRIu32 " has %" PRIu64
                         " vertices too few for the primitive that they are in",
                         s->index, g->left_over);
    if (s->shape->joint == FACET_J3D_NONE)
        facet_report_add(s->r->report, "J3D-INF1-UNUSED", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "shape %" PRIu32 " is not in the hierarchy, so that it is never drawn",
                         s->index);
}

/* The name, for example "shape3_skin", by number and material. */
static void name_of(const shaping *s, char *name, size_t space)
{
    const facet_scene *scene = s->r->scene;
    bool known = s->shape->material < scene->material_count;
    const char *material = known ? scene->materials[s->shape->material]->name : "";
    snprintf(name, space, "shape%" PRIu32 "%s%s", s->index, *material ? "_" : "", material);
}

static facet_status add_node(shaping *s, const char *name)
{
    facet_scene *scene = s->r->scene;
    facet_node *node;
    TRY(facet_scene_add_node(scene, name, &node, s->error));
    node->mesh = scene->mesh_count - 1;
    node->parent = s->joint;
    if (s->joint == FACET_NONE)
        node->skin = 0;
    return FACET_OK;
}

static facet_status fill_mesh(shaping *s)
{
    TRY(add_faces(s));
    TRY(add_geometry(s));
    TRY(add_texcoords(s));
    TRY(add_texture_matrices(s));
    TRY(add_colors(s));
    if (s->joint == FACET_NONE)
        TRY(add_influences(s));
    return FACET_OK;
}

facet_status facet_j3d_add_shape(facet_j3d_reading *r, uint32_t index, facet_error *error)
{
    shaping s = {0};
    char name[300];
    s.r = r;
    s.index = index;
    s.shape = &r->document->shapes.items[index];
    s.error = error;
    if (s.shape->material < r->document->materials.slot_count)
        s.wants = r->wants[s.shape->material];
    TRY(facet_j3d_decode_shape(&r->decoder, index, &s.geometry, error));
    report_losses(&s);
    if (s.geometry.triangle_count == 0 && s.geometry.line_count == 0)
        return FACET_OK;
    s.joint = joint_of(&s);
    name_of(&s, name, sizeof name);
    TRY(facet_scene_add_mesh(r->scene, &s.mesh, error));
    s.mesh->name = facet_scene_string(r->scene, name);
    s.mesh->gx_file = facet_j3d_file_shape(s.shape, r->scene->arena);
    s.mesh->billboard = s.shape->type == FACET_J3D_SHAPE_BILLBOARD     ? FACET_BILLBOARD_ALL
                        : s.shape->type == FACET_J3D_SHAPE_Y_BILLBOARD ? FACET_BILLBOARD_Y
                                                                       : FACET_BILLBOARD_NONE;
    if (!s.mesh->name || !s.mesh->gx_file)
        return facet_fail_arena(r->scene->arena, error);
    TRY(fill_mesh(&s));
    if (s.shape->joint != FACET_J3D_NONE)
        TRY(add_node(&s, name));
    return FACET_OK;
}
