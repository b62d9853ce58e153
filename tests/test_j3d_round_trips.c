/* Scenes written as J3D models, and what is read back from them. */
#include "support/support.h"

#include "base/arena.h"
#include "j3d/display_list.h"
#include "j3d/room.h"
#include "j3d/scene_write.h"

#include <facet/convert.h>
#include <facet/j3d.h>
#include <facet/pose.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* -- Conversions -------------------------------------------------------- */

static facet_scene *load(const char *path, const char *format)
{
    facet_error error;
    facet_file *file = NULL;
    facet_scene *scene = NULL;
    facet_load_options how = {.images = true};
    TEST_OK(facet_file_open(path, &file, &error), &error);
    facet_source source = facet_file_source(file);
    TEST_OK(
        facet_load(&source, format ? facet_format_named(format) : NULL, &how, NULL, &scene, &error),
        &error);
    facet_file_close(file);
    return scene;
}

static facet_scene *load_bytes(const uint8_t *data, size_t size, const char *format)
{
    facet_error error;
    facet_scene *scene = NULL;
    facet_source source = {.data = data, .size = size};
    TEST_OK(facet_load(&source, facet_format_named(format), NULL, NULL, &scene, &error), &error);
    return scene;
}

/* Prepare and save to memory. */
static facet_output *save(facet_scene *scene, const char *format, const facet_options *options)
{
    facet_error error;
    facet_output *output = NULL;
    const facet_format *to = facet_format_named(format);
    TEST_OK(facet_prepare(scene, to, NULL, options, NULL, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, to, options, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

static facet_scene *reload(const facet_output *output, const char *format)
{
    return load_bytes(facet_output_data(output), (size_t)facet_output_size(output), format);
}

/* What is written passes its own check without a warning. */
static void assert_clean(const facet_output *output, const char *format)
{
    facet_error error;
    facet_report *report = NULL;
    facet_source source = {.data = facet_output_data(output),
                           .size = (size_t)facet_output_size(output)};
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_check(&source, facet_format_named(format), NULL, report, &error), &error);
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (finding->severity != FACET_NOTE)
            fail_msg("%s: %s %s", format, finding->rule, finding->message);
    }
    facet_report_free(report);
}

/* -- Triangles where they are seen -------------------------------------- */

typedef struct influence {
    const char *joint; /* name of its node */
    float weight;
} influence;

typedef struct corner {
    float position[3], normal[3], texcoord[2], color[4];
    influence influences[8];
    uint32_t influence_count;
} corner;

typedef struct triangle {
    corner corners[3];
    const char *material;
    bool used;
} triangle;

typedef struct soup {
    triangle *items;
    size_t count, room;
    bool has_normals, has_texcoords, has_colors;
    double size; /* of the box around it */
} soup;

static const float *value_of(const facet_stream *stream, uint32_t index)
{
    return (const float *)stream->data + (size_t)stream->indices[index] * stream->components;
}

static void add_influences(const facet_scene *scene, const facet_node *node, const facet_mesh *mesh,
                           uint32_t at, corner *c)
{
    const facet_skin *skin = &scene->skins[node->skin];
    for (uint32_t set = 0; set < 2; set++) {
        const facet_stream *joints = facet_mesh_find(mesh, FACET_JOINTS, set);
        const facet_stream *weights = facet_mesh_find(mesh, FACET_WEIGHTS, set);
        if (!joints || !weights)
            return;
        const uint16_t *numbers = (const uint16_t *)joints->data + (size_t)joints->indices[at] * 4;
        const float *w = value_of(weights, at);
        for (int i = 0; i < 4; i++) {
            if (w[i] > 1e-6F)
                c->influences[c->influence_count++] =
                    (influence){scene->nodes[skin->joints[numbers[i]]].name, w[i]};
        }
    }
}

static void add_mesh(soup *s, facet_scene *scene, const facet_pose *pose, uint32_t node)
{
    facet_error error;
    const facet_node *n = &scene->nodes[node];
    const facet_mesh *mesh = scene->meshes[n->mesh];
    const facet_stream *positions = facet_mesh_find(mesh, FACET_POSITION, 0);
    const facet_stream *normals = facet_mesh_find(mesh, FACET_NORMAL, 0);
    const facet_stream *texcoords = facet_mesh_find(mesh, FACET_TEXCOORD, 0);
    const facet_stream *colors = facet_mesh_find(mesh, FACET_COLOR, 0);
    float *placed = malloc((size_t)positions->count * 3 * sizeof *placed);
    TEST_OK(facet_pose_positions(scene, pose, node, placed, &error), &error);
    s->has_normals |= normals != NULL;
    s->has_texcoords |= texcoords != NULL;
    s->has_colors |= colors != NULL;
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        if (s->count == s->room) {
            s->room = s->room ? s->room * 2 : 256;
            s->items = realloc(s->items, s->room * sizeof *s->items);
        }
        triangle *t = &s->items[s->count++];
        memset(t, 0, sizeof *t);
        uint32_t material = mesh->face_materials ? mesh->face_materials[face] : FACET_NONE;
        t->material = material == FACET_NONE ? "" : scene->materials[material].name;
        for (uint32_t k = 0; k < 3; k++) {
            corner *c = &t->corners[k];
            uint32_t at = face * 3 + k;
            memcpy(c->position, placed + (size_t)positions->indices[at] * 3, sizeof c->position);
            if (normals)
                memcpy(c->normal, value_of(normals, at), sizeof c->normal);
            if (texcoords) {
                const float *uv = value_of(texcoords, at);
                c->texcoord[0] = uv[0];
                c->texcoord[1] = scene->frame.uv_origin_top ? uv[1] : 1 - uv[1];
            }
            for (int i = 0; i < 4; i++)
                c->color[i] = 1;
            if (colors)
                memcpy(c->color, value_of(colors, at), colors->components * sizeof *c->color);
            if (n->skin != FACET_NONE)
                add_influences(scene, n, mesh, at, c);
        }
    }
    free(placed);
}

/* All triangles of a scene at rest. Normals are those of the mesh. */
static soup gather(facet_scene *scene)
{
    facet_error error;
    facet_pose pose = {0};
    soup s = {0};
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    TEST_OK(facet_scene_pose(scene, FACET_NONE, 0, &pose, &error), &error);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (pose.seen[i] && scene->nodes[i].mesh != FACET_NONE)
            add_mesh(&s, scene, &pose, i);
    }
    for (size_t i = 0; i < s.count * 3; i++) {
        for (int k = 0; k < 3; k++) {
            low[k] = fminf(low[k], s.items[i / 3].corners[i % 3].position[k]);
            high[k] = fmaxf(high[k], s.items[i / 3].corners[i % 3].position[k]);
        }
    }
    for (int k = 0; k < 3; k++)
        s.size = fmax(s.size, (double)high[k] - (double)low[k]);
    return s;
}

/* -- Comparing ---------------------------------------------------------- */

typedef struct tolerance {
    double position, texcoord, color, weight;
} tolerance;

static bool are_near(const float *a, const float *b, int count, double most)
{
    for (int i = 0; i < count; i++) {
        if (!(fabs((double)a[i] - (double)b[i]) <= most))
            return false;
    }
    return true;
}

static bool same_influences(const corner *a, const corner *b, double most)
{
    if (a->influence_count != b->influence_count)
        return false;
    for (uint32_t i = 0; i < a->influence_count; i++) {
        uint32_t k = 0;
        while (k < b->influence_count &&
               strcmp(a->influences[i].joint, b->influences[k].joint) != 0)
            k++;
        if (k == b->influence_count ||
            fabs((double)a->influences[i].weight - (double)b->influences[k].weight) > most)
            return false;
    }
    return true;
}

static bool same_corner(const corner *a, const corner *b, const soup *of, const tolerance *most,
                        bool skinned)
{
    return are_near(a->position, b->position, 3, most->position) &&
           (!of->has_texcoords || are_near(a->texcoord, b->texcoord, 2, most->texcoord)) &&
           (!of->has_colors || are_near(a->color, b->color, 4, most->color)) &&
           (!skinned || same_influences(a, b, most->weight));
}

/* Every triangle of `before` is in `after`, in the same hand, and nothing else
 * is. Triangles whose corners are nearer than twice the tolerance may be gone. */
static void assert_same(const char *name, soup *before, soup *after, const tolerance *most,
                        bool skinned)
{
    size_t missing = 0, small = 0;
    for (size_t i = 0; i < before->count; i++) {
        const triangle *b = &before->items[i];
        bool found = false, thin = false;
        for (int k = 0; k < 3; k++)
            thin |= are_near(b->corners[k].position, b->corners[(k + 1) % 3].position, 3,
                             most->position * 2);
        for (size_t j = 0; j < after->count && !found; j++) {
            triangle *a = &after->items[j];
            for (int turn = 0; turn < 3 && !found && !a->used; turn++) {
                found = strcmp(a->material, b->material) == 0;
                for (int k = 0; k < 3 && found; k++)
                    found = same_corner(&b->corners[k], &a->corners[(k + turn) % 3], before, most,
                                        skinned);
            }
            a->used |= found;
        }
        missing += !found && !thin;
        small += !found && thin;
    }
    if (missing > 0 || after->count + small != before->count)
        fail_msg("%s: %zu triangles, %zu of them not there; %zu came out, %zu too thin to tell",
                 name, before->count, missing, after->count, small);
    free(before->items);
    free(after->items);
}
