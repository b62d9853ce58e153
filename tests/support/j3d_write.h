/* tests/support/j3d_write.h - scenes for the writer of J3D, and positions that its documents draw.
 */
#ifndef FACET_TESTS_J3D_WRITE_H
#define FACET_TESTS_J3D_WRITE_H

#include "support/mesh.h"
#include "support/support.h"

#include "base/arena.h"
#include "formats/j3d/gpu/geometry.h"
#include "formats/j3d/gpu/skeleton.h"
#include "formats/j3d/scene/from_scene/packets.h"

#include <facet/convert.h>
#include <facet/j3d.h>
#include <math.h>
#include <stdlib.h>

/* -- Documents ---------------------------------------------------------- */

static inline facet_j3d *write_document(facet_scene *scene, facet_j3d_kind kind,
                                        const facet_options *options)
{
    facet_error error;
    facet_options of_kind = options ? *options : (facet_options){0};
    facet_j3d_options how = of_kind.j3d ? *of_kind.j3d : (facet_j3d_options){0};
    facet_j3d *document = NULL;
    how.kind = kind;
    of_kind.j3d = &how;
    TEST_OK(facet_prepare(scene, facet_format_named("bmd"), NULL, NULL, NULL, &error), &error);
    TEST_OK(facet_j3d_from_scene(scene, &of_kind, &document, &error), &error);
    assert_int_equal(document->kind, kind);
    return document;
}

static inline facet_status write_error(facet_scene *scene, facet_error *error)
{
    facet_j3d *document = NULL;
    TEST_OK(facet_prepare(scene, facet_format_named("bmd"), NULL, NULL, NULL, error), error);
    facet_status status = facet_j3d_from_scene(scene, NULL, &document, error);
    if (!status)
        facet_j3d_free(document);
    return status;
}

/* Write a document to memory. */
static inline facet_output *bytes_of(const facet_j3d *document)
{
    facet_error error;
    facet_output *output = NULL;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_j3d_write(document, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

/* The corners of every triangle in model space, counter-clockwise: nine floats each. */
typedef struct placed {
    float *corners;
    size_t count;
} placed;

static inline placed place(const facet_j3d *document)
{
    facet_error error;
    facet_arena *arena = NULL;
    facet_j3d_skeleton skeleton;
    placed made = {0};
    TEST_OK(facet_arena_create(NULL, &arena, &error), &error);
    TEST_OK(facet_j3d_skeleton_create(document, arena, &skeleton, &error), &error);
    facet_j3d_decoder decoder = {.document = document, .arena = arena};
    for (uint32_t i = 0; i < document->shapes.count; i++) {
        facet_j3d_geometry geometry;
        TEST_OK(facet_j3d_decode_shape(&decoder, i, &geometry, &error), &error);
        float *positions = malloc((size_t)geometry.vertex_count * 12 + 12);
        facet_j3d_geometry_positions(&geometry, positions);
        made.corners = realloc(made.corners, (made.count + geometry.triangle_count) * 36 + 36);
        for (uint32_t k = 0; k < geometry.triangle_count * 3; k++) {
            uint32_t vertex = geometry.corners[k];
            facet_j3d_matrix_point(
                facet_j3d_skeleton_draw_matrix(document, &skeleton,
                                               facet_j3d_geometry_draw_matrix(&geometry, vertex)),
                positions + (size_t)vertex * 3, made.corners + made.count * 9 + (size_t)k * 3);
        }
        made.count += geometry.triangle_count;
        free(positions);
    }
    facet_j3d_decoder_free(&decoder);
    facet_arena_free(arena);
    return made;
}

/* True if a triangle has these corners in this winding order. */
static inline bool has_triangle(const placed *p, const float corners[9], float most)
{
    for (size_t i = 0; i < p->count; i++) {
        for (int turn = 0; turn < 3; turn++) {
            bool same = true;
            for (int k = 0; k < 9; k++)
                same &=
                    fabsf(p->corners[i * 9 + (size_t)((k + turn * 3) % 9)] - corners[k]) <= most;
            if (same)
                return true;
        }
    }
    return false;
}

static inline uint16_t joint_named(const facet_j3d *document, const char *name)
{
    for (uint16_t i = 0; i < document->joints.count; i++) {
        if (strcmp(document->joints.names.items[i].bytes, name) == 0)
            return i;
    }
    fail_msg("no joint '%s'", name);
    return 0;
}

/* -- Scenes ------------------------------------------------------------- */

static const float corner_points[9] = {0, 0, 0, 1, 0, 0, 0, 2, 0};

/* One triangle: (0 0 0), (1 0 0), (0 2 0). */
static inline uint32_t add_triangle(facet_scene *scene)
{
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    assert_non_null(mesh);
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 3, corner_points, NULL));
    return scene->mesh_count - 1;
}

static inline uint32_t add_node(facet_scene *scene, const char *name, uint32_t parent,
                                uint32_t mesh)
{
    facet_node *node = NULL;
    assert_int_equal(facet_scene_add_node(scene, name, &node, NULL), FACET_OK);
    node->parent = parent;
    node->mesh = mesh;
    return scene->node_count - 1;
}

/* A quarter turn about z. */
static inline void turn_about_z(facet_node *node)
{
    node->transform.rotation[2] = node->transform.rotation[3] = 0.70710678F;
}

/* A rig as Blender exports it: Armature > (body, hip > leg). It has four vertices: one follows
 * the hip, one the leg, and two follow both with the same weights. */
static inline facet_scene *make_rig(void)
{
    static const float points[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    static const uint16_t joints[16] = {0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0};
    static const float weights[16] = {1,     0,     0, 0, 1,     0,     0, 0,
                                      0.25F, 0.75F, 0, 0, 0.75F, 0.25F, 0, 0};
    static const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 2, NULL);
    facet_stream *stream = NULL;
    facet_skin *skin = NULL;
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 4, points, indices));
    uint32_t *shared = mesh->streams[0].indices;
    assert_int_equal(
        facet_mesh_add_stream(mesh, FACET_JOINTS, 0, NULL, FACET_UINT16, 4, 4, &stream, NULL),
        FACET_OK);
    memcpy(stream->data, joints, sizeof joints);
    stream->indices = shared;
    assert_int_equal(
        facet_mesh_add_stream(mesh, FACET_WEIGHTS, 0, NULL, FACET_FLOAT32, 4, 4, &stream, NULL),
        FACET_OK);
    memcpy(stream->data, weights, sizeof weights);
    stream->indices = shared;
    uint32_t armature = add_node(scene, "Armature", FACET_NONE, FACET_NONE);
    uint32_t body = add_node(scene, "body", armature, 0);
    uint32_t hip = add_node(scene, "hip", armature, FACET_NONE);
    uint32_t leg = add_node(scene, "leg", hip, FACET_NONE);
    scene->nodes[hip]->transform.translation[1] = 1;
    scene->nodes[leg]->transform.translation[1] = -0.5F;
    assert_int_equal(facet_scene_add_skin(scene, "rig", 2, &skin, NULL), FACET_OK);
    skin->joints[0] = hip;
    skin->joints[1] = leg;
    skin->inverse_bind[13] = -1;         /* the hip is at y = 1 */
    skin->inverse_bind[16 + 13] = -0.5F; /* the leg at y = 0.5 */
    scene->nodes[body]->skin = 0;
    return scene;
}

/* The triangle with texture coordinates and a material with a gray image of
 * `side` texels. */
static inline facet_scene *make_textured(uint32_t side, facet_wrap wrap, facet_filter minify)
{
    static const float texcoords[6] = {0, 0, 1, 0, 0, 1};
    facet_scene *scene = test_scene();
    facet_image *image = NULL;
    facet_material *material = NULL;
    add_triangle(scene);
    assert_true(test_stream(scene, scene->meshes[0], FACET_TEXCOORD, 2, 3, texcoords, NULL));
    assert_int_equal(facet_scene_add_image(scene, "wall", &image, NULL), FACET_OK);
    image->width = image->height = side;
    image->channels = 3;
    image->pixels = facet_scene_allocate(scene, (size_t)side * side, 3);
    memset(image->pixels, 0x77, (size_t)side * side * 3);
    assert_int_equal(facet_scene_add_material(scene, "brick", &material, NULL), FACET_OK);
    facet_texture *texture = test_map(scene, material, FACET_MAP_DIFFUSE);
    texture->has_image = true;
    texture->wrap_u = texture->wrap_v = wrap;
    texture->minify = minify;
    scene->meshes[0]->face_materials = facet_scene_allocate(scene, 1, sizeof(uint32_t));
    scene->meshes[0]->face_materials[0] = 0;
    return scene;
}

#endif
