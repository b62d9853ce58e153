/* render/pose.c - vertices of all instances: morph targets, skins, node transforms, and the change
 * from the scene's axes to +Y up. */
#include "render/render.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/threads.h"
#include "scene/matrix.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

/* -- Transforms of instances -------------------------------------------- */

typedef struct place {
    const facet_render_instance *instance;
    const float *positions, *normals, *tangents; /* after morph targets; NULL: no such stream */
    const float *joints;                         /* matrices of a skin, or NULL */
    uint32_t joint_count;
    float matrix[16];   /* from the node's axes, or from the axes of a posed skin, to +Y up */
    float cofactors[9]; /* the same for normals */
} place;

typedef struct moving {
    facet_render_view *view;
    place *places;
    uint32_t *first_task; /* first task of each instance, and the total at the end */
    uint32_t count;
} moving;

static facet_status morphed(const place *p, const facet_stream *stream, uint32_t node,
                            facet_render_view *view, const float **values)
{
    *values = stream ? stream->data : NULL;
    if (!stream || p->instance->mesh->morph_count == 0)
        return FACET_OK;
    size_t count = (size_t)stream->count * stream->components;
    float *copy = facet_arena_allocate(view->arena, count, sizeof *copy);
    if (!copy)
        return facet_fail_arena(view->arena, view->error);
    memcpy(copy, stream->data, count * sizeof *copy);
    *values = copy;
    return facet_mesh_apply_morphs(p->instance->mesh,
                                   node == FACET_NONE ? NULL : view->pose.weights[node], stream,
                                   copy, view->arena, view->error);
}

/* True if the instance is mirrored: by its transform, or by the skin at its first vertex. */
static bool mirrors(const place *p)
{
    float blended[16], matrix[16];
    if (!p->joints || p->instance->vertex_count == 0)
        return facet_matrix_determinant(p->matrix) < 0;
    facet_mesh_blend(p->instance->mesh, p->instance->positions, 0, p->joints, p->joint_count,
                     blended);
    facet_matrix_multiply(p->matrix, blended, matrix);
    return facet_matrix_determinant(matrix) < 0;
}

static facet_status set_place(facet_render_view *view, const facet_render_instance *instance,
                              place *p)
{
    const facet_scene *scene = view->renderer->scene;
    const float *turn = view->renderer->turn;
    uint32_t node = instance->node;
    p->instance = instance;
    facet_status status = morphed(p, instance->positions, node, view, &p->positions);
    if (!status)
        status = morphed(p, instance->normals, node, view, &p->normals);
    if (!status && view->tangents)
        status = morphed(p, instance->tangents, node, view, &p->tangents);
    memcpy(p->matrix, turn, sizeof p->matrix);
    if (!status && node != FACET_NONE) {
        status = facet_node_matrices(scene, &view->pose, node, view->arena, view->skins, &p->joints,
                                     &p->joint_count, view->error);
        if (!p->joints)
            facet_matrix_multiply(turn, view->pose.global + (size_t)node * 16, p->matrix);
    }
    facet_matrix_cofactors(p->matrix, p->cofactors);
    for (int k = 0; k < 3; k++)
        p->matrix[12 + k] -= view->origin[k];
    return status;
}

/* -- Transforming vertices ---------------------------------------------- */

static void turn(const float m[9], const float *v, float *out)
{
    float x = v[0], y = v[1], z = v[2];
    for (int i = 0; i < 3; i++)
        out[i] = m[i] * x + m[3 + i] * y + m[6 + i] * z;
}

static void make_unit(float v[3])
{
    float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (length > 0) {
        for (int i = 0; i < 3; i++)
            v[i] /= length;
    }
}

/* Transform one vertex by a matrix. `sign` is the sign of its determinant: the cofactors of a
 * mirrored transform reverse normals. */
static void move(facet_render_view *view, const place *p, uint32_t i, const float matrix[16],
                 const float cofactors[9], float sign)
{
    size_t to = (size_t)p->instance->first_vertex + i;
    size_t from = facet_render_source_vertex(p->instance, i);
    facet_matrix_point(matrix, p->positions + from * 3, view->positions[to]);
    if (p->normals) {
        turn(cofactors, p->normals + from * 3, view->normals[to]);
        make_unit(view->normals[to]);
        for (int c = 0; c < 3; c++)
            view->normals[to][c] *= sign;
    }
    if (p->tangents) {
        const float *t = p->tangents + from * 4;
        const float axes[9] = {matrix[0], matrix[1], matrix[2], matrix[4], matrix[5],
                               matrix[6], matrix[8], matrix[9], matrix[10]};
        turn(axes, t, view->tangents[to]);
        make_unit(view->tangents[to]);
        view->tangents[to][3] = t[3] * sign;
    }
}

static float sign_of(const float matrix[16])
{
    return facet_matrix_determinant(matrix) < 0 ? -1.0f : 1.0f;
}

static void move_skinned(facet_render_view *view, const place *p, uint32_t i)
{
    float matrix[16], blended[16], cofactors[9];
    facet_mesh_blend(p->instance->mesh, p->instance->positions,
                     facet_render_source_vertex(p->instance, i), p->joints, p->joint_count,
                     blended);
    facet_matrix_multiply(p->matrix, blended, matrix);
    facet_matrix_cofactors(matrix, cofactors);
    move(view, p, i, matrix, cofactors, sign_of(matrix));
}

static void move_some(void *argument, size_t task)
{
    const moving *m = argument;
    uint32_t low = 0, high = m->count;
    while (high - low > 1) { /* find the instance of the task */
        uint32_t middle = (low + high) / 2;
        if (m->first_task[middle] <= task)
            low = middle;
        else
            high = middle;
    }
    const place *p = &m->places[low];
    uint32_t begin = (uint32_t)(task - m->first_task[low]) * FACET_RENDER_VERTICES;
    uint32_t end = begin + FACET_RENDER_VERTICES;
    end = end < p->instance->vertex_count ? end : p->instance->vertex_count;
    float sign = sign_of(p->matrix);
    for (uint32_t i = begin; i < end; i++) {
        if (p->joints)
            move_skinned(m->view, p, i);
        else
            move(m->view, p, i, p->matrix, p->cofactors, sign);
    }
}

/* -- Billboards --------------------------------------------------------- */

/* Turn a billboard's transform in the camera's axes: the columns keep only their lengths.
 * FACET_BILLBOARD_Y keeps the y column, and makes the others perpendicular to it. */
static void turn_columns(facet_billboard how, float m[16])
{
    float lengths[3], y = m[5], z = m[6];
    for (int c = 0; c < 3; c++)
        lengths[c] =
            sqrtf(m[c * 4] * m[c * 4] + m[c * 4 + 1] * m[c * 4 + 1] + m[c * 4 + 2] * m[c * 4 + 2]);
    float upright = sqrtf(y * y + z * z);
    for (int c = 0; c < 3; c++) {
        if (how == FACET_BILLBOARD_Y && c == 1)
            continue;
        for (int k = 0; k < 3; k++)
            m[c * 4 + k] = k == c ? lengths[c] : 0;
    }
    if (how == FACET_BILLBOARD_Y && upright > 0) {
        m[9] = -z / upright * lengths[2];
        m[10] = y / upright * lengths[2];
    }
}

/* Transform of a billboard. Its axes are those of +Y up in any scene. The camera and the turn of
 * the scene are rotations: their transposes invert them. */
static void face_camera(const facet_render_view *view, facet_billboard how, float matrix[16])
{
    const float *turn = view->renderer->turn;
    float camera[16] = {0}, back[16] = {0}, unturned[16] = {0}, m[16], seen[16];
    camera[15] = back[15] = unturned[15] = 1;
    for (int r = 0; r < 3; r++) {
        camera[12 + r] = view->camera[r][3];
        for (int c = 0; c < 3; c++) {
            camera[c * 4 + r] = back[r * 4 + c] = view->camera[r][c];
            unturned[r * 4 + c] = turn[c * 4 + r];
            back[12 + c] -= view->camera[r][c] * view->camera[r][3];
        }
    }
    facet_matrix_multiply(camera, matrix, m);
    facet_matrix_multiply(m, unturned, seen);
    turn_columns(how, seen);
    facet_matrix_multiply(back, seen, m);
    facet_matrix_multiply(m, turn, matrix);
}

facet_status facet_render_turn_billboards(facet_render_view *view, bool *any)
{
    const facet_renderer *r = view->renderer;
    *any = false;
    for (uint32_t i = 0; i < r->instance_count; i++) {
        const facet_render_instance *instance = &r->instances[i];
        place p = {0};
        if (instance->mesh->billboard == FACET_BILLBOARD_NONE || instance->node == FACET_NONE ||
            instance->is_overlay)
            continue;
        TRY(set_place(view, instance, &p));
        if (p.joints)
            continue;
        face_camera(view, instance->mesh->billboard, p.matrix);
        facet_matrix_cofactors(p.matrix, p.cofactors);
        for (uint32_t v = 0; v < instance->vertex_count; v++)
            move(view, &p, v, p.matrix, p.cofactors, sign_of(p.matrix));
        view->mirrored[i] = mirrors(&p);
        *any = true;
    }
    return FACET_OK;
}

/* -- Models far from 0 -------------------------------------------------- */

/* From this many diagonals on, the steps between floats are visible. */
#define FAR 256

/* Find the center of a model that is far from 0. False if it is not. Texture matrices of the
 * console need the model's own coordinates. */
static bool find_origin(const facet_render_view *view, float origin[3])
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double square = 0, largest = 0;
    for (uint32_t i = 0; i < view->renderer->vertex_count; i++) {
        for (int k = 0; k < 3; k++) {
            float value = view->positions[i][k];
            low[k] = value < low[k] ? value : low[k];
            high[k] = value > high[k] ? value : high[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        double size = (double)high[k] - (double)low[k];
        square += size * size;
        largest = fmax(largest, fmax(fabs((double)low[k]), fabs((double)high[k])));
        origin[k] = low[k] / 2 + high[k] / 2;
    }
    double diagonal = sqrt(square);
    return !view->renderer->has_console && isfinite(square) && largest < 1e30 &&
           largest > FAR * (diagonal > 0 ? diagonal : 1);
}

/* Transform the vertices again, relative to the center of the model. */
static void move_from_origin(facet_render_view *view, moving *m, uint32_t tasks)
{
    float origin[3];
    if (!find_origin(view, origin))
        return;
    memcpy(view->origin, origin, sizeof view->origin);
    for (uint32_t i = 0; i < m->count; i++) {
        for (int k = 0; k < 3; k++)
            m->places[i].matrix[12 + k] -= origin[k];
    }
    facet_run(view->options, move_some, m, tasks);
}

/* -- All instances ------------------------------------------------------ */

/* Compute tangents only if the mode uses them: many meshes have tangents. */
static bool shows_tangents(const facet_render_view *view)
{
    const facet_renderer *r = view->renderer;
    bool any = view->fill != FACET_RENDER_SHADED || r->has_console;
    for (uint32_t m = 0; m < r->material_count && !any; m++) /* also for some extensions */
        any = view->materials[m].normal.image != NULL || view->materials[m].coating != NULL;
    return any;
}

facet_status facet_render_pose(facet_render_view *view)
{
    const facet_renderer *r = view->renderer;
    uint32_t vertices = r->vertex_count, count = r->instance_count;
    moving m = {.view = view, .count = count};
    view->positions = facet_arena_allocate(view->arena, vertices, sizeof *view->positions);
    view->normals = facet_arena_allocate_zeroed(view->arena, vertices, sizeof *view->normals);
    view->mirrored = facet_arena_allocate(view->arena, count, sizeof *view->mirrored);
    bool tangents = shows_tangents(view);
    if (tangents)
        view->tangents = facet_arena_allocate_zeroed(view->arena, vertices, sizeof *view->tangents);
    view->skins =
        facet_arena_allocate_zeroed(view->arena, r->scene->skin_count, sizeof *view->skins);
    m.places = facet_arena_allocate_zeroed(view->arena, count, sizeof *m.places);
    m.first_task = facet_arena_allocate(view->arena, (size_t)count + 1, sizeof *m.first_task);
    if (!view->positions || !view->normals || (tangents && !view->tangents) || !m.places ||
        !m.first_task || !view->mirrored || !view->skins)
        return facet_fail_arena(view->arena, view->error);
    facet_status status = FACET_OK;
    if (r->scene->node_count > 0)
        status = facet_scene_pose(r->scene, view->how.has_time ? view->how.animation : FACET_NONE,
                                  view->how.time, view->options, &view->pose, view->error);
    uint32_t tasks = 0;
    for (uint32_t i = 0; i < count && !status; i++) {
        status = set_place(view, &r->instances[i], &m.places[i]);
        view->mirrored[i] = !status && mirrors(&m.places[i]);
        m.first_task[i] = tasks;
        tasks += (r->instances[i].vertex_count + FACET_RENDER_VERTICES - 1) / FACET_RENDER_VERTICES;
    }
    if (status)
        return status;
    facet_run(view->options, move_some, &m, tasks);
    move_from_origin(view, &m, tasks);
    facet_render_report_lamps(view);
    return FACET_OK;
}
