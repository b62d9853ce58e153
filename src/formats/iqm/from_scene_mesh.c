/* formats/iqm/from_scene_mesh.c - meshes, vertex arrays and triangles of a document. Each mesh of
 * the scene is transformed to the base pose, and split into runs of one material and one part. */
#include "base/arena.h"
#include "base/color.h"
#include "base/error.h"
#include "formats/iqm/from_scene.h"
#include "scene/material.h"
#include "scene/matrix.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

/* Maximum number of sets of four joints and weights. */
enum { MAX_SETS = 4, MAX_INFLUENCES = MAX_SETS * 4 };

/* A visible mesh at a node. */
typedef struct instance {
    const facet_mesh *mesh;
    const char *name;
    const facet_skin *skin; /* NULL: it follows one joint, or none */
    const uint16_t *joints[MAX_SETS];
    const float *weights[MAX_SETS];
    uint32_t set_count;
    const float *places; /* 16 per joint of the skin; NULL: identity */
    uint32_t joint;      /* joint of vertices that follow no joint of the skin, or FACET_NONE */
    float place[16];     /* without a skin: from the mesh to the model */
    bool still;          /* `place` is the identity */
    bool mirrored;
    uint32_t first_vertex, vertex_count; /* range in the document */
} instance;

typedef struct mesh_writer {
    facet_iqm_scene_writer *w;
    instance *instances;
    uint32_t instance_count;
    facet_iqm_mesh *meshes;
    uint32_t mesh_count;
    size_t mesh_capacity;
    uint32_t *sources; /* per vertex of the document: its element in the mesh */
    uint32_t vertex_count;
    uint32_t *triangles;
    uint32_t triangle_count;
    facet_iqm_array *arrays;
    uint32_t array_count;
    facet_tally bright, unbound;
    double weight_error;
} mesh_writer;

/* -- Instances ---------------------------------------------------------- */

/* Find the sets of joints and weights up to the first one that is not complete. */
static void find_sets(instance *i)
{
    for (i->set_count = 0; i->set_count < MAX_SETS; i->set_count++) {
        const facet_stream *joints = facet_mesh_find(i->mesh, FACET_JOINTS, i->set_count);
        const facet_stream *weights = facet_mesh_find(i->mesh, FACET_WEIGHTS, i->set_count);
        if (!joints || !weights)
            break;
        i->joints[i->set_count] = joints->data;
        i->weights[i->set_count] = weights->data;
    }
}

static void add_instance(mesh_writer *m, uint32_t node, uint32_t mesh)
{
    const facet_iqm_scene_writer *w = m->w;
    const facet_iqm_skeleton *s = &w->skeleton;
    const facet_node *n = node == FACET_NONE ? NULL : w->scene->nodes[node];
    instance *i = &m->instances[m->instance_count++];
    i->mesh = w->scene->meshes[mesh];
    i->name = !*i->mesh->name && n ? n->name : i->mesh->name;
    i->joint = n && s->count > 0 ? s->nearest[node] : FACET_NONE;
    memcpy(i->place, identity, sizeof identity);
    i->still = true;
    if (!n)
        return;
    find_sets(i);
    if (n->skin != FACET_NONE && w->scene->skins[n->skin]->joint_count > 0 && i->set_count > 0) {
        i->skin = w->scene->skins[n->skin];
        i->places = s->place[n->skin];
        return;
    }
    memcpy(i->place, w->pose.global + (size_t)node * 16, sizeof i->place);
    if (i->joint != FACET_NONE) {
        float inverse[16], local[16];
        uint32_t above = s->nodes[i->joint];
        facet_matrix_invert(w->pose.global + (size_t)above * 16, inverse);
        facet_matrix_multiply(inverse, w->pose.global + (size_t)node * 16, local);
        facet_matrix_multiply(s->bind + (size_t)i->joint * 16, above == node ? identity : local,
                              i->place);
    }
    i->still = memcmp(i->place, identity, sizeof identity) == 0;
    i->mirrored = facet_matrix_determinant(i->place) < 0;
}

static facet_status find_instances(mesh_writer *m)
{
    const facet_scene *scene = m->w->scene;
    size_t most = scene->node_count > 0 ? scene->node_count : scene->mesh_count;
    m->instances = facet_arena_allocate_zeroed(m->w->scratch, most, sizeof *m->instances);
    if (!m->instances)
        return facet_fail_arena(m->w->scratch, m->w->error);
    if (scene->node_count == 0) {
        for (uint32_t i = 0; i < scene->mesh_count; i++)
            add_instance(m, FACET_NONE, i);
    }
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (m->w->pose.seen[i] && scene->nodes[i]->mesh != FACET_NONE)
            add_instance(m, i, scene->nodes[i]->mesh);
    }
    return FACET_OK;
}

/* -- Runs of faces ------------------------------------------------------ */

/* Name a mesh by its part, and its material by the texture if it has no name. */
static facet_status name_mesh(const mesh_writer *m, const instance *i, const facet_part *part,
                              uint32_t material, facet_iqm_mesh *mesh)
{
    const char *name = part && *part->name ? part->name : i->name, *material_name = "";
    if (material != FACET_NONE) {
        const facet_material *found = m->w->scene->materials[material];
        material_name = found->name;
        if (!*material_name && found->maps[FACET_MAP_DIFFUSE])
            material_name = found->maps[FACET_MAP_DIFFUSE]->path;
    }
    TRY(facet_iqm_intern(m->w, name, &mesh->name));
    return facet_iqm_intern(m->w, material_name, &mesh->material);
}

/* Number the vertices of faces in the document: in the mesh's order if the faces are the whole
 * mesh, else by first use. `map` is FACET_NONE for every element, before and after. */
static void add_vertices(mesh_writer *m, const instance *i, uint32_t first, uint32_t end,
                         uint32_t *map)
{
    const uint32_t *indices = i->mesh->streams[0].indices;
    bool whole = first == 0 && end == i->mesh->face_count;
    uint32_t begin = m->vertex_count;
    for (size_t c = (size_t)first * 3; c < (size_t)end * 3; c++) {
        if (map[indices[c]] != FACET_NONE)
            continue;
        map[indices[c]] = m->vertex_count;
        m->sources[m->vertex_count++] = indices[c];
    }
    if (whole) {
        uint32_t next = begin;
        for (uint32_t e = 0; e < i->mesh->streams[0].count; e++) {
            if (map[e] == FACET_NONE)
                continue;
            map[e] = next;
            m->sources[next++] = e;
        }
    }
    /* Write clockwise, unless the mesh is mirrored. */
    for (size_t c = (size_t)first * 3; c < (size_t)end * 3; c += 3, m->triangle_count++) {
        uint32_t *to = m->triangles + (size_t)m->triangle_count * 3;
        to[0] = map[indices[c]];
        to[1] = map[indices[c + (i->mirrored ? 1 : 2)]];
        to[2] = map[indices[c + (i->mirrored ? 2 : 1)]];
    }
    for (uint32_t v = begin; v < m->vertex_count; v++)
        map[m->sources[v]] = FACET_NONE;
}

static facet_status add_run(mesh_writer *m, const instance *i, const facet_part *part,
                            uint32_t first, uint32_t end, uint32_t *map)
{
    facet_iqm_scene_writer *w = m->w;
    if (m->mesh_count == m->mesh_capacity) {
        size_t capacity = m->mesh_capacity * 2 + 16;
        facet_iqm_mesh *meshes =
            facet_arena_resize(w->arena, m->meshes, m->mesh_capacity, capacity, sizeof *meshes);
        if (!meshes)
            return facet_fail_arena(w->arena, w->error);
        m->meshes = meshes;
        m->mesh_capacity = capacity;
    }
    facet_iqm_mesh *mesh = &m->meshes[m->mesh_count++];
    uint32_t material = i->mesh->face_materials ? i->mesh->face_materials[first] : FACET_NONE;
    mesh->first_vertex = m->vertex_count;
    mesh->first_triangle = m->triangle_count;
    add_vertices(m, i, first, end, map);
    mesh->vertex_count = m->vertex_count - mesh->first_vertex;
    mesh->triangle_count = m->triangle_count - mesh->first_triangle;
    return name_mesh(m, i, part, material, mesh);
}

/* The part that contains a face, or the next part. */
static uint32_t part_at(const facet_mesh *mesh, uint32_t part, uint32_t face)
{
    while (part < mesh->part_count &&
           mesh->parts[part].first_face + mesh->parts[part].face_count <= face)
        part++;
    return part;
}

static facet_status add_runs(mesh_writer *m, instance *i, uint32_t *map)
{
    const facet_mesh *mesh = i->mesh;
    uint32_t part = 0;
    i->first_vertex = m->vertex_count;
    for (uint32_t face = 0; face < mesh->face_count;) {
        uint32_t end = facet_mesh_end_of_material(mesh, face);
        const facet_part *in = NULL;
        part = part_at(mesh, part, face);
        if (part < mesh->part_count) {
            const facet_part *p = &mesh->parts[part];
            uint32_t stop = p->first_face > face ? p->first_face : p->first_face + p->face_count;
            in = p->first_face > face ? NULL : p;
            end = stop < end ? stop : end;
        }
        TRY(add_run(m, i, in, face, end, map));
        face = end;
    }
    i->vertex_count = m->vertex_count - i->first_vertex;
    return FACET_OK;
}

static facet_status make_runs(mesh_writer *m)
{
    facet_iqm_scene_writer *w = m->w;
    uint64_t corners = 0;
    facet_tally empty = {0, 0};
    for (uint32_t i = 0; i < m->instance_count; i++) {
        corners += m->instances[i].mesh->corner_count;
        if (m->instances[i].mesh->face_count == 0)
            facet_tally_hit(&empty, i);
    }
    facet_report_add_tally(w->report, "LOSS-MESHES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &empty, "a mesh without triangles is left out");
    if (corners > UINT32_MAX - 1)
        return facet_fail(w->error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                          "%" PRIu64 " corners are more than an IQM can count", corners);
    m->sources = facet_arena_allocate(w->scratch, (size_t)corners, sizeof *m->sources);
    m->triangles = facet_arena_allocate(w->arena, (size_t)corners, sizeof *m->triangles);
    if (!m->sources || !m->triangles)
        return facet_fail_arenas(w->scratch, w->arena, w->error);
    for (uint32_t i = 0; i < m->instance_count; i++) {
        const facet_mesh *mesh = m->instances[i].mesh;
        uint32_t elements = mesh->stream_count > 0 ? mesh->streams[0].count : 0;
        uint32_t *map = facet_arena_allocate(w->scratch, elements, sizeof *map);
        if (!map)
            return facet_fail_arena(w->scratch, w->error);
        memset(map, 0xFF, elements * sizeof *map);
        TRY(add_runs(m, &m->instances[i], map));
        facet_arena_release(w->scratch, map, elements, sizeof *map);
    }
    return FACET_OK;
}

/* -- Arrays ------------------------------------------------------------- */

static void *add_array(mesh_writer *m, uint32_t type, uint32_t format, uint32_t size)
{
    uint32_t bytes = facet_iqm_component_size(format) * size;
    void *data = facet_arena_allocate_zeroed(m->w->arena, m->vertex_count, bytes);
    m->arrays[m->array_count++] =
        (facet_iqm_array){.type = type, .format = format, .size = size, .data = data};
    return data;
}

static bool any_has(const mesh_writer *m, facet_semantic semantic)
{
    for (uint32_t i = 0; i < m->instance_count; i++) {
        if (m->instances[i].vertex_count > 0 && facet_mesh_find(m->instances[i].mesh, semantic, 0))
            return true;
    }
    return false;
}

/* The joints of a skinned vertex. */
typedef struct influences {
    uint32_t count;
    uint32_t joints[MAX_INFLUENCES]; /* indices in the skin */
    float weights[MAX_INFLUENCES];
} influences;

static void find_influences(const instance *i, uint32_t element, influences *found)
{
    found->count = 0;
    for (uint32_t set = 0; set < i->set_count; set++) {
        for (size_t k = (size_t)element * 4; k < (size_t)element * 4 + 4; k++) {
            float weight = i->weights[set][k];
            uint16_t joint = i->joints[set][k];
            if (!(weight > 0) || joint >= i->skin->joint_count)
                continue;
            found->joints[found->count] = joint;
            found->weights[found->count++] = weight;
        }
    }
}

/* The matrix of a vertex to the base pose; NULL for the identity. */
static const float *place_of(const instance *i, uint32_t element, float *blended)
{
    influences found;
    if (!i->skin)
        return i->still ? NULL : i->place;
    if (!i->places)
        return NULL;
    find_influences(i, element, &found);
    if (found.count == 0)
        return NULL;
    const float *first = i->places + (size_t)found.joints[0] * 16;
    bool same = true;
    for (uint32_t k = 1; k < found.count; k++)
        same = same &&
               memcmp(i->places + (size_t)found.joints[k] * 16, first, 16 * sizeof *first) == 0;
    if (same)
        return first;
    float sum = 0;
    memset(blended, 0, 16 * sizeof *blended);
    for (uint32_t k = 0; k < found.count; k++) {
        sum += found.weights[k];
        for (int c = 0; c < 16; c++)
            blended[c] += found.weights[k] * i->places[(size_t)found.joints[k] * 16 + c];
    }
    for (int c = 0; c < 16; c++)
        blended[c] /= sum;
    return blended;
}

static void fill_positions(const mesh_writer *m, const instance *i, float *out)
{
    const facet_stream *stream = facet_mesh_find(i->mesh, FACET_POSITION, 0);
    for (uint32_t v = i->first_vertex; v < i->first_vertex + i->vertex_count; v++) {
        float blended[16];
        const float *from = (const float *)stream->data + (size_t)m->sources[v] * 3;
        const float *place = place_of(i, m->sources[v], blended);
        if (place)
            facet_matrix_point(place, from, out + (size_t)v * 3);
        else
            memcpy(out + (size_t)v * 3, from, 3 * sizeof *out);
    }
}

/* Multiply `vector` by the upper left 3x3 of a matrix, and normalize. Columns of the matrix are
 * `stride` apart. */
static void turn(const float *matrix, int stride, const float *vector, float *out)
{
    double turned[3], length = 0;
    for (int r = 0; r < 3; r++) {
        turned[r] = 0;
        for (int c = 0; c < 3; c++)
            turned[r] += (double)matrix[c * stride + r] * (double)vector[c];
        length += turned[r] * turned[r];
    }
    length = sqrt(length);
    for (int r = 0; r < 3; r++)
        out[r] = length > 0 && isfinite(length) ? (float)(turned[r] / length) : vector[r];
}

static void fill_normals(const mesh_writer *m, const instance *i, float *out)
{
    const facet_stream *stream = facet_mesh_find(i->mesh, FACET_NORMAL, 0);
    for (uint32_t v = i->first_vertex; v < i->first_vertex + i->vertex_count; v++) {
        static const float up[3] = {0, 0, 1};
        float blended[16], cofactors[9];
        const float *from = stream ? (const float *)stream->data + (size_t)m->sources[v] * 3 : up;
        const float *place = place_of(i, m->sources[v], blended);
        if (place) {
            facet_matrix_cofactors(place, cofactors);
            /* Cofactors of a mirrored matrix point inward. */
            for (int k = 0; k < 9 && facet_matrix_determinant(place) < 0; k++)
                cofactors[k] = -cofactors[k];
            turn(cofactors, 3, from, out + (size_t)v * 3);
        } else {
            memcpy(out + (size_t)v * 3, from, 3 * sizeof *out);
        }
    }
}

/* In the scene, w * cross(normal, tangent) points along +v; in the file, along -v. A mirror inverts
 * it. */
static void fill_tangents(const mesh_writer *m, const instance *i, float *out)
{
    const facet_stream *stream = facet_mesh_find(i->mesh, FACET_TANGENT, 0);
    for (uint32_t v = i->first_vertex; v < i->first_vertex + i->vertex_count; v++) {
        static const float along_x[4] = {1, 0, 0, -1};
        float blended[16], *to = out + (size_t)v * 4;
        const float *from =
            stream ? (const float *)stream->data + (size_t)m->sources[v] * 4 : along_x;
        const float *place = place_of(i, m->sources[v], blended);
        memcpy(to, from, 4 * sizeof *to);
        if (place)
            turn(place, 4, from, to);
        to[3] = (from[3] < 0) != i->mirrored ? 1.0F : -1.0F;
    }
}

static void fill_texcoords(const mesh_writer *m, const instance *i, float *out)
{
    const facet_stream *stream = facet_mesh_find(i->mesh, FACET_TEXCOORD, 0);
    for (uint32_t v = i->first_vertex; stream && v < i->first_vertex + i->vertex_count; v++)
        memcpy(out + (size_t)v * 2,
               (const float *)stream->data + (size_t)m->sources[v] * stream->components,
               2 * sizeof *out);
}

static void fill_colors(mesh_writer *m, const instance *i, uint8_t *out)
{
    const facet_stream *stream = facet_mesh_find(i->mesh, FACET_COLOR, 0);
    for (uint32_t v = i->first_vertex; v < i->first_vertex + i->vertex_count; v++) {
        for (uint32_t k = 0; k < 4; k++) {
            float value = 1;
            if (stream && k < stream->components)
                value =
                    ((const float *)stream->data)[(size_t)m->sources[v] * stream->components + k];
            if (value > 1.0001F || value < 0)
                facet_tally_hit(&m->bright, v);
            value = fminf(fmaxf(value, 0), 1);
            out[(size_t)v * 4 + k] =
                k < 3 ? facet_srgb_byte((double)value) : (uint8_t)lrintf(value * 255);
        }
    }
}

/* -- Weights ------------------------------------------------------------ */

/* Sort so that the four heaviest are first. */
static void sort_influences(influences *found)
{
    for (uint32_t i = 1; i < found->count; i++) {
        uint32_t joint = found->joints[i], k = i;
        float weight = found->weights[i];
        for (; k > 0 && found->weights[k - 1] < weight; k--) {
            found->weights[k] = found->weights[k - 1];
            found->joints[k] = found->joints[k - 1];
        }
        found->weights[k] = weight;
        found->joints[k] = joint;
    }
}

/* Round weights to bytes with the sum 255: round down, then add the rest to those with the largest
 * error. Returns the largest error. */
static double round_weights(const influences *found, uint32_t count, uint8_t bytes[4])
{
    double sum = 0, lost[4] = {0}, error = 0;
    int left = 255;
    for (uint32_t k = 0; k < count; k++)
        sum += (double)found->weights[k];
    for (uint32_t k = 0; k < count; k++) {
        double exact = (double)found->weights[k] / sum * 255;
        /* Numbers that were whole 255ths stay unchanged. */
        double whole = floor(exact + 1e-4);
        bytes[k] = (uint8_t)fmin(whole, left);
        lost[k] = exact - bytes[k];
        left -= bytes[k];
    }
    for (; left > 0; left--) {
        uint32_t most = 0;
        for (uint32_t k = 1; k < count; k++)
            most = lost[k] > lost[most] ? k : most;
        bytes[most]++;
        lost[most] -= 1;
    }
    for (uint32_t k = 0; k < count; k++)
        error = fmax(error, fabs(lost[k]) / 255);
    return error;
}

static void put_index(void *indexes, bool wide, size_t at, uint32_t joint)
{
    if (wide)
        ((uint16_t *)indexes)[at] = (uint16_t)joint;
    else
        ((uint8_t *)indexes)[at] = (uint8_t)joint;
}

static void fill_weights(mesh_writer *m, const instance *i, void *indexes, bool wide,
                         uint8_t *weights)
{
    const facet_iqm_skeleton *s = &m->w->skeleton;
    for (uint32_t v = i->first_vertex; v < i->first_vertex + i->vertex_count; v++) {
        influences found = {.count = 0};
        uint8_t *bytes = weights + (size_t)v * 4;
        if (i->skin)
            find_influences(i, m->sources[v], &found);
        if (found.count == 0) {
            if (i->skin && i->joint == FACET_NONE)
                facet_tally_hit(&m->unbound, v);
            put_index(indexes, wide, (size_t)v * 4, i->joint == FACET_NONE ? 0 : i->joint);
            bytes[0] = 255;
            continue;
        }
        if (found.count > 4)
            sort_influences(&found);
        uint32_t count = found.count < 4 ? found.count : 4;
        m->weight_error = fmax(m->weight_error, round_weights(&found, count, bytes));
        for (uint32_t k = 0; k < count; k++)
            put_index(indexes, wide, (size_t)v * 4 + k,
                      s->joint_of[i->skin->joints[found.joints[k]]]);
    }
}

static void report_weights(const mesh_writer *m)
{
    facet_tally more = {0, 0};
    for (uint32_t i = 0; i < m->instance_count; i++) {
        if (m->instances[i].skin && facet_mesh_find(m->instances[i].mesh, FACET_JOINTS, 1))
            facet_tally_hit(&more, i);
    }
    facet_report *report = m->w->report;
    facet_report_add_tally(report, "LOSS-SKIN", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &more,
                           "a mesh has more than four joints per vertex: the four heaviest are "
                           "written");
    facet_report_add_tally(report, "IQM-UNBOUND", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &m->unbound, "vertex %" PRIu64 " follows no joint: it gets the first",
                           m->unbound.first);
    if (m->weight_error > 1e-6)
        facet_report_add(report, "IQM-WEIGHTS-ROUNDED", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                         "weights are stored in 255ths: the largest error is %.4f",
                         m->weight_error);
    if (m->w->skeleton.count > 256)
        facet_report_add(report, "IQM-JOINTS-WIDE", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "%" PRIu32 " joints need blend indexes of 16 bits, which many programs "
                         "do not read",
                         m->w->skeleton.count);
}

/* -- Custom arrays ------------------------------------------------------ */

static bool is_like(const facet_stream *a, const facet_stream *b)
{
    return a->semantic == FACET_CUSTOM && b->semantic == FACET_CUSTOM &&
           a->component == b->component && a->components == b->components &&
           strcmp(a->name, b->name) == 0;
}

/* Maximum number of custom arrays. */
#define MAX_CUSTOM 64

/* Collect the distinct custom streams of all meshes. */
static facet_status find_custom(const mesh_writer *m, const facet_stream ***found, uint32_t *count)
{
    facet_tally lost = {0, 0};
    *found = facet_arena_allocate(m->w->scratch, MAX_CUSTOM, sizeof **found);
    *count = 0;
    if (!*found)
        return facet_fail_arena(m->w->scratch, m->w->error);
    for (uint32_t i = 0; i < m->instance_count; i++) {
        const facet_mesh *mesh = m->instances[i].mesh;
        for (uint32_t k = 0; k < mesh->stream_count; k++) {
            uint32_t at = 0;
            while (at < *count && !is_like((*found)[at], &mesh->streams[k]))
                at++;
            if (at < *count || mesh->streams[k].semantic != FACET_CUSTOM ||
                m->instances[i].vertex_count == 0)
                continue;
            if (*count < MAX_CUSTOM)
                (*found)[(*count)++] = &mesh->streams[k];
            else
                facet_tally_hit(&lost, i);
        }
    }
    facet_report_add_tally(m->w->report, "LOSS-CUSTOM", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &lost, "a custom stream is left out: an IQM gets at most %d",
                           MAX_CUSTOM);
    return FACET_OK;
}

static uint32_t format_of(facet_component component)
{
    switch (component) {
    case FACET_INT8:
        return FACET_IQM_INT8;
    case FACET_UINT8:
        return FACET_IQM_UINT8;
    case FACET_INT16:
        return FACET_IQM_INT16;
    case FACET_UINT16:
        return FACET_IQM_UINT16;
    case FACET_INT32:
        return FACET_IQM_INT32;
    case FACET_UINT32:
        return FACET_IQM_UINT32;
    case FACET_FLOAT64:
        return FACET_IQM_FLOAT64;
    default:
        return FACET_IQM_FLOAT32;
    }
}

static facet_status add_custom(mesh_writer *m, const facet_stream *like)
{
    uint32_t name;
    size_t size = facet_stream_element_size(like);
    TRY(facet_iqm_intern(m->w, like->name, &name));
    uint8_t *data =
        add_array(m, FACET_IQM_CUSTOM + name, format_of(like->component), like->components);
    if (!data)
        return facet_fail_arena(m->w->arena, m->w->error);
    for (uint32_t i = 0; i < m->instance_count; i++) {
        const instance *in = &m->instances[i];
        const facet_stream *stream = NULL;
        for (uint32_t k = 0; k < in->mesh->stream_count && !stream; k++)
            stream = is_like(&in->mesh->streams[k], like) ? &in->mesh->streams[k] : NULL;
        for (uint32_t v = in->first_vertex; stream && v < in->first_vertex + in->vertex_count; v++)
            memcpy(data + v * size, (const uint8_t *)stream->data + m->sources[v] * size, size);
    }
    return FACET_OK;
}

/* -- All meshes -------------------------------------------------------- */

static facet_status fill_arrays(mesh_writer *m)
{
    bool wide = m->w->skeleton.count > 256;
    float *positions = add_array(m, FACET_IQM_POSITION, FACET_IQM_FLOAT32, 3);
    float *texcoords =
        any_has(m, FACET_TEXCOORD) ? add_array(m, FACET_IQM_TEXCOORD, FACET_IQM_FLOAT32, 2) : NULL;
    float *normals =
        any_has(m, FACET_NORMAL) ? add_array(m, FACET_IQM_NORMAL, FACET_IQM_FLOAT32, 3) : NULL;
    float *tangents =
        any_has(m, FACET_TANGENT) ? add_array(m, FACET_IQM_TANGENT, FACET_IQM_FLOAT32, 4) : NULL;
    void *indexes = NULL;
    uint8_t *weights = NULL, *colors = NULL;
    if (m->w->skeleton.count > 0) {
        indexes =
            add_array(m, FACET_IQM_BLEND_INDEXES, wide ? FACET_IQM_UINT16 : FACET_IQM_UINT8, 4);
        weights = add_array(m, FACET_IQM_BLEND_WEIGHTS, FACET_IQM_UINT8, 4);
    }
    if (any_has(m, FACET_COLOR))
        colors = add_array(m, FACET_IQM_COLOR, FACET_IQM_UINT8, 4);
    TRY(facet_arena_status(m->w->arena, m->w->error));
    for (uint32_t i = 0; i < m->instance_count; i++) {
        const instance *in = &m->instances[i];
        if (in->vertex_count == 0)
            continue;
        fill_positions(m, in, positions);
        if (texcoords)
            fill_texcoords(m, in, texcoords);
        if (normals)
            fill_normals(m, in, normals);
        if (tangents)
            fill_tangents(m, in, tangents);
        if (weights)
            fill_weights(m, in, indexes, wide, weights);
        if (colors)
            fill_colors(m, in, colors);
    }
    if (weights)
        report_weights(m);
    facet_report_add_tally(m->w->report, "LOSS-COLORS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &m->bright, "a color of vertex %" PRIu64 " is not between 0 and 1",
                           m->bright.first);
    return FACET_OK;
}

static facet_status make_arrays(mesh_writer *m)
{
    const facet_stream **custom;
    uint32_t count;
    enum { FIXED_ARRAYS = 7 };
    TRY(find_custom(m, &custom, &count));
    m->arrays = facet_arena_allocate(m->w->arena, FIXED_ARRAYS + (size_t)count, sizeof *m->arrays);
    if (!m->arrays)
        return facet_fail_arena(m->w->arena, m->w->error);
    TRY(fill_arrays(m));
    for (uint32_t i = 0; i < count; i++)
        TRY(add_custom(m, custom[i]));
    return FACET_OK;
}

facet_status facet_iqm_make_meshes(facet_iqm_scene_writer *w)
{
    mesh_writer m = {.w = w};
    TRY(find_instances(&m));
    TRY(make_runs(&m));
    if (m.vertex_count > 0)
        TRY(make_arrays(&m));
    TRY(facet_scene_report_material_names(w->scene, false, w->scratch, w->report, w->error));
    w->document->meshes = m.meshes;
    w->document->mesh_count = m.mesh_count;
    w->document->vertex_count = m.vertex_count;
    w->document->arrays = m.arrays;
    w->document->array_count = m.array_count;
    w->document->triangles = m.triangles;
    w->document->triangle_count = m.triangle_count;
    return FACET_OK;
}
