/* bench/bench_j3d_write.c - benchmark of writing J3D: convert a skinned glTF to BMD and BDL with
 * the program, compared with glTF to glTF.
 *
 *   bench_j3d_write [FOLDER [FACET]]
 *
 * The model has 50,000 triangles (TRIANGLES in the environment): 20 tubes on a spine of 60 joints,
 * each tube with a grainy texture of 512 x 512 texels. Three joints move each vertex, with
 * different weights for each. */
#include "support/bench.h"

#include <facet/facet.h>
#include <facet/image.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TUBES 20
#define JOINTS 60
#define SIDE 512
#define ROUNDS 5
#define AROUND 50 /* quads around a tube */
#define PI 3.14159265358979323846

static void must(facet_status status, const facet_error *error)
{
    if (!status)
        return;
    fprintf(stderr, "bench_j3d_write: %s\n", error->message);
    exit(1);
}

/* -- The model ---------------------------------------------------------- */

static void add_texture(facet_scene *scene, uint32_t tube)
{
    facet_error error;
    facet_image picture = {.name = "", .width = SIDE, .height = SIDE, .channels = 3}, *image;
    facet_output *png;
    facet_material *material;
    facet_texture *texture;
    char name[32];
    uint32_t random = tube + 1;
    uint8_t *pixels = malloc((size_t)SIDE * SIDE * 3);
    for (uint32_t i = 0; pixels && i < SIDE * SIDE; i++) {
        double x = i % SIDE, y = i / SIDE;
        random = random * 1664525 + 1013904223;
        int grain = (int)(random >> 28) - 8;
        pixels[i * 3] = (uint8_t)(128 + grain + 100 * sin(x / (20 + tube) + y / 50));
        pixels[i * 3 + 1] = (uint8_t)(128 + grain + 90 * cos(y / 33 + tube));
        pixels[i * 3 + 2] = (uint8_t)(128 + grain + 80 * sin((x + y) / 17));
    }
    picture.pixels = pixels;
    must(facet_output_open_memory(NULL, &png, &error), &error);
    must(facet_image_encode(&picture, "image/png", 0, NULL, png, &error), &error);
    must(facet_output_commit(png, &error), &error);
    free(pixels);
    snprintf(name, sizeof name, "tube%u", (unsigned)tube);
    must(facet_scene_add_image(scene, name, &image, &error), &error);
    image->media_type = "image/png";
    image->size = (size_t)facet_output_size(png);
    uint8_t *bytes = facet_scene_allocate(scene, image->size, 1);
    memcpy(bytes, facet_output_data(png), image->size);
    image->data = bytes;
    facet_output_free(png);
    must(facet_scene_add_material(scene, name, &material, &error), &error);
    must(facet_scene_add_map(scene, material, FACET_MAP_DIFFUSE, &texture, &error), &error);
    texture->has_image = true;
    texture->image = tube;
    texture->minify = FACET_FILTER_LINEAR;
}

static void *add_stream(facet_mesh *mesh, facet_semantic semantic, facet_component component,
                        uint32_t components, uint32_t count, uint32_t *indices)
{
    facet_error error;
    facet_stream *stream;
    must(facet_mesh_add_stream(mesh, semantic, 0, NULL, component, components, count, &stream,
                               &error),
         &error);
    stream->indices = indices;
    return stream->data;
}

static void add_tube(facet_scene *scene, uint32_t tube, uint32_t along)
{
    facet_error error;
    facet_mesh *mesh;
    uint32_t count = (AROUND + 1) * (along + 1);
    must(facet_scene_add_mesh(scene, &mesh, &error), &error);
    mesh->face_count = AROUND * along * 2;
    mesh->corner_count = mesh->face_count * 3;
    uint32_t *indices = facet_scene_allocate(scene, mesh->corner_count, sizeof *indices);
    float *p = add_stream(mesh, FACET_POSITION, FACET_FLOAT32, 3, count, indices);
    float *n = add_stream(mesh, FACET_NORMAL, FACET_FLOAT32, 3, count, indices);
    float *t = add_stream(mesh, FACET_TEXCOORD, FACET_FLOAT32, 2, count, indices);
    uint16_t *j = add_stream(mesh, FACET_JOINTS, FACET_UINT16, 4, count, indices);
    float *w = add_stream(mesh, FACET_WEIGHTS, FACET_FLOAT32, 4, count, indices);
    for (uint32_t i = 0; i < count; i++) {
        double u = (double)(i % (AROUND + 1)) / AROUND, v = (double)(i / (AROUND + 1)) / along;
        double y = (tube + v) / TUBES, at = y * (JOINTS - 2.001), third = 0.15 + 0.1 * cos(u * 5);
        uint32_t first = (uint32_t)at;
        *p++ = (float)(0.2 * cos(u * 2 * PI)), *p++ = (float)(2 * y);
        *p++ = (float)(0.2 * sin(u * 2 * PI));
        *n++ = (float)cos(u * 2 * PI), *n++ = 0, *n++ = (float)sin(u * 2 * PI);
        *t++ = (float)u, *t++ = (float)v;
        for (uint32_t k = 0; k < 3; k++)
            *j++ = (uint16_t)(first + k);
        *j++ = 0;
        *w++ = (float)((1 - (at - first)) * (1 - third)),
        *w++ = (float)((at - first) * (1 - third));
        *w++ = (float)third, *w++ = 0;
    }
    for (uint32_t i = 0; i < AROUND * along; i++) {
        uint32_t a = i / AROUND * (AROUND + 1) + i % AROUND, b = a + AROUND + 1;
        const uint32_t corners[6] = {a, b, a + 1, a + 1, b, b + 1};
        memcpy(indices + (size_t)i * 6, corners, sizeof corners);
    }
    mesh->face_materials = facet_scene_allocate(scene, mesh->face_count, sizeof(uint32_t));
    for (uint32_t i = 0; i < mesh->face_count; i++)
        mesh->face_materials[i] = tube;
}

static void add_nodes(facet_scene *scene)
{
    facet_error error;
    facet_node *node;
    facet_skin *skin;
    char name[32];
    must(facet_scene_add_skin(scene, "spine", JOINTS, &skin, &error), &error);
    for (uint32_t i = 0; i < JOINTS; i++) {
        snprintf(name, sizeof name, "joint%u", (unsigned)i);
        must(facet_scene_add_node(scene, name, &node, &error), &error);
        node->parent = i ? i - 1 : FACET_NONE;
        node->transform.translation[1] = i ? 2.0F / JOINTS : 0;
        skin->joints[i] = i;
        skin->inverse_bind[i * 16 + 13] = -2.0F / JOINTS * (float)i;
    }
    for (uint32_t i = 0; i < TUBES; i++) {
        must(facet_scene_add_node(scene, "tube", &node, &error), &error);
        node->mesh = i;
        node->skin = 0;
    }
}

static void write_model(const char *path)
{
    facet_error error;
    facet_scene *scene;
    facet_output *output;
    const char *asked = getenv("TRIANGLES");
    uint32_t triangles = asked ? (uint32_t)atoi(asked) : 50000;
    uint32_t along = triangles / TUBES / AROUND / 2;
    must(facet_scene_create(NULL, &scene, &error), &error);
    for (uint32_t i = 0; i < TUBES; i++) {
        add_texture(scene, i);
        add_tube(scene, i, along ? along : 1);
    }
    add_nodes(scene);
    must(facet_output_open(path, &output, &error), &error);
    must(facet_save(scene, facet_format_named("glb"), NULL, output, &error), &error);
    must(facet_output_commit(output, &error), &error);
    facet_output_free(output);
    facet_scene_free(scene);
}

int main(int count, char **words)
{
    const char *folder = count > 1 ? words[1] : "/tmp";
    const char *program = count > 2 ? words[2] : "facet";
    char in[512], bmd[512], bdl[512], glb[512];
    snprintf(in, sizeof in, "%s/skinned.glb", folder);
    snprintf(bmd, sizeof bmd, "%s/skinned.bmd", folder);
    snprintf(bdl, sizeof bdl, "%s/skinned.bdl", folder);
    snprintf(glb, sizeof glb, "%s/again.glb", folder);
    if (getenv("TRIANGLES") && atoi(getenv("TRIANGLES")) > 500000)
        setenv("TRIANGLES", "50000", 1); /* such counts are for meshes without a skin */
    write_model(in);
    const char *const to_bmd[] = {program, "convert", "-q", in, bmd, NULL};
    const char *const to_bmd_alone[] = {program, "convert", "-q", "-j1", in, bmd, NULL};
    const char *const to_bdl[] = {program, "convert", "-q", in, bdl, NULL};
    const char *const to_glb[] = {program, "convert", "-q", in, glb, NULL};
    bench_job jobs[] = {
        {.name = "to BMD", .command = to_bmd},
        {.name = "to BMD, one thread", .command = to_bmd_alone},
        {.name = "to BDL", .command = to_bdl},
        {.name = "to GLB, images as they are", .command = to_glb},
    };
    bench_compare("skinned glTF, 50,000 triangles, 20 textures of 512 x 512", jobs,
                  sizeof jobs / sizeof *jobs, ROUNDS, 0);
    return 0;
}
