#include "support/character.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void stop_at(facet_status status, const facet_error *error)
{
    if (status == FACET_OK)
        return;
    fprintf(stderr, "bench: %s\n", error->message);
    exit(1);
}

static void *take(facet_scene *scene, size_t count, size_t size)
{
    void *memory = facet_scene_allocate(scene, count, size);
    if (!memory)
        exit(1);
    return memory;
}

/* -- The tube ----------------------------------------------------------- */

typedef struct tube {
    facet_mesh *mesh;
    uint32_t around, rings, *indices;
} tube;

static void *add_stream(tube *t, facet_semantic semantic, facet_component type, uint32_t width)
{
    facet_stream *stream;
    facet_error error;
    stop_at(facet_mesh_add_stream(t->mesh, semantic, 0, NULL, type, width, t->around * t->rings,
                                  &stream, &error),
            &error);
    stream->indices = t->indices;
    return stream->data;
}

static void fill_vertices(tube *t)
{
    const double turn = 6.283185307179586;
    float *position = add_stream(t, FACET_POSITION, FACET_FLOAT32, 3);
    float *normal = add_stream(t, FACET_NORMAL, FACET_FLOAT32, 3);
    float *texcoord = add_stream(t, FACET_TEXCOORD, FACET_FLOAT32, 2);
    uint16_t *joints = add_stream(t, FACET_JOINTS, FACET_UINT16, 4);
    float *weights = add_stream(t, FACET_WEIGHTS, FACET_FLOAT32, 4);
    for (uint32_t i = 0; i < t->around * t->rings; i++) {
        double u = i % t->around / (t->around - 1.0), v = i / t->around / (t->rings - 1.0);
        double height = v * (BENCH_JOINTS - 1), share = height - floor(height);
        /* Uneven, so that rings of vertices have different radii. */
        double radius = 2 + sin(9 * turn * v) * cos(3 * turn * (u + v));
        *position++ = (float)(radius * cos(turn * u)), *position++ = (float)height;
        *position++ = (float)(radius * -sin(turn * u));
        *normal++ = (float)cos(turn * u), *normal++ = 0, *normal++ = (float)-sin(turn * u);
        *texcoord++ = (float)u, *texcoord++ = (float)v;
        uint16_t below = (uint16_t)height;
        *joints++ = below, *joints++ = below + 1 < BENCH_JOINTS ? below + 1 : below;
        *joints++ = 0, *joints++ = 0;
        *weights++ = (float)(1 - share), *weights++ = (float)share, *weights++ = 0, *weights++ = 0;
    }
}

static void fill_triangles(tube *t)
{
    uint32_t *index = t->indices;
    for (uint32_t ring = 0; ring + 1 < t->rings; ring++) {
        for (uint32_t side = 0; side + 1 < t->around; side++) {
            uint32_t a = ring * t->around + side, b = a + 1, c = a + t->around, d = c + 1;
            *index++ = a, *index++ = b, *index++ = c;
            *index++ = b, *index++ = d, *index++ = c;
        }
    }
}

static void add_tube(facet_scene *scene, uint32_t triangles)
{
    tube t = {.around = (uint32_t)sqrt(triangles / 2.0) + 1};
    facet_error error;
    t.rings = t.around;
    stop_at(facet_scene_add_mesh(scene, &t.mesh, &error), &error);
    t.mesh->face_count = (t.rings - 1) * (t.around - 1) * 2;
    t.mesh->corner_count = t.mesh->face_count * 3;
    t.indices = take(scene, t.mesh->corner_count, sizeof *t.indices);
    fill_vertices(&t);
    fill_triangles(&t);
}

/* -- The skeleton ------------------------------------------------------- */

static void add_skeleton(facet_scene *scene)
{
    facet_node *node;
    facet_skin *skin;
    facet_error error;
    char name[16];
    stop_at(facet_scene_add_skin(scene, "skin", BENCH_JOINTS, &skin, &error), &error);
    for (uint32_t i = 0; i < BENCH_JOINTS; i++) {
        snprintf(name, sizeof name, "joint%02u", i);
        stop_at(facet_scene_add_node(scene, name, &node, &error), &error);
        node->parent = i > 0 ? i - 1 : FACET_NONE;
        node->transform.translation[1] = i > 0;
        skin->joints[i] = i;
        skin->inverse_bind[(size_t)i * 16 + 13] = -(float)i;
    }
    stop_at(facet_scene_add_node(scene, "tube", &node, &error), &error);
    node->mesh = 0;
    node->skin = 0;
}

static void add_clip(facet_scene *scene, uint32_t number)
{
    facet_animation *clip;
    facet_error error;
    char name[16];
    snprintf(name, sizeof name, "clip%02u", number);
    stop_at(facet_scene_add_animation(scene, name, BENCH_JOINTS, &clip, &error), &error);
    float *times = take(scene, BENCH_FRAMES, sizeof *times);
    for (uint32_t frame = 0; frame < BENCH_FRAMES; frame++)
        times[frame] = (float)frame / 30.0F;
    for (uint32_t joint = 0; joint < BENCH_JOINTS; joint++) {
        facet_channel *channel = &clip->channels[joint];
        channel->node = joint;
        channel->target = FACET_TARGET_ROTATION;
        channel->interpolation = FACET_INTERPOLATION_LINEAR;
        channel->width = 4;
        channel->key_count = BENCH_FRAMES;
        channel->times = times;
        float *value = channel->values = take(scene, (size_t)BENCH_FRAMES * 4, sizeof *value);
        for (uint32_t frame = 0; frame < BENCH_FRAMES; frame++) {
            double angle = 0.1 * sin(0.1 * frame * (number + 1) + 0.2 * joint);
            bool sideways = joint % 3 == 0;
            *value++ = sideways ? 0 : (float)sin(angle), *value++ = 0;
            *value++ = sideways ? (float)sin(angle) : 0, *value++ = (float)cos(angle);
        }
    }
}

facet_scene *bench_make_character(uint32_t triangles)
{
    facet_scene *scene;
    facet_error error;
    stop_at(facet_scene_create(NULL, &scene, &error), &error);
    add_tube(scene, triangles);
    add_skeleton(scene);
    for (uint32_t i = 0; i < BENCH_CLIPS; i++)
        add_clip(scene, i);
    return scene;
}

facet_output *bench_save(const facet_scene *scene, const char *format)
{
    facet_output *output;
    facet_error error;
    stop_at(facet_output_open_memory(NULL, &output, &error), &error);
    stop_at(facet_save(scene, facet_format_named(format), NULL, output, &error), &error);
    stop_at(facet_output_commit(output, &error), &error);
    return output;
}
