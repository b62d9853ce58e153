/* facet_load_model: buffers, draws, materials and pixels in one call. */
#include "support/support.h"

#include <facet/model.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- A model in memory: a square with a texture, a triangle without a material ------- */

static const char obj[] = "mtllib a.mtl\nv 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nv 0 0 -3\n"
                          "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
                          "f 1 2 5\nusemtl red\nf 1/1 2/2 3/3 4/4\nl 1 2\n";
static const char mtl[] = "newmtl red\nKd 1 0 0\nmap_Kd two.tga\nmap_Ke lost.png\n";
/* Two pixels, one above the other: B, G, R from the upper left corner. */
static const uint8_t tga[] = {0, 0, 2, 0, 0,  0,  0, 0, 0,   0, 0, 0,
                              1, 0, 2, 0, 24, 32, 0, 0, 255, 9, 8, 7};

static const facet_memory_file files[] = {
    {"a.obj", obj, sizeof obj - 1}, {"a.mtl", mtl, sizeof mtl - 1}, {"two.tga", tga, sizeof tga}};
static const facet_memory_folder folder = {files, 3};

static facet_source source(void)
{
    return facet_source_from_folder(&folder, 0);
}

static const float *vertex(const facet_packed *mesh, uint32_t i)
{
    return (const float *)((const char *)mesh->buffers[0].data +
                           (size_t)i * mesh->buffers[0].stride);
}

/* Vertex number at index i of the mesh. */
static uint32_t index_at(const facet_packed *mesh, uint32_t i)
{
    assert_int_equal(mesh->index_size, 2);
    return ((const uint16_t *)mesh->indices)[i];
}

TEST(model_has_buffers_materials_and_pixels)
{
    facet_source from = source();
    facet_report *report = NULL;
    facet_model *model = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_options options = {.report = report};
    TEST_OK(facet_load_model(&from, NULL, &options, &model, &error), &error);
    TEST_WHOLE(model->scene);
    assert_int_equal(model->mesh_count, 1);
    assert_int_equal(model->scene->mesh_count, 1);
    const facet_packed *mesh = model->meshes[0];
    assert_int_equal(mesh->buffer_count, 1);
    assert_int_equal(mesh->buffers[0].stride, 48);
    assert_int_equal(mesh->index_count, 9);
    assert_int_equal(mesh->draw_count, 2);
    for (int i = 0; i < 3; i++) {
        assert_true(model->minimum[i] == (i == 2 ? -3 : 0));
        assert_true(model->maximum[i] == (i == 0 ? 2 : i == 1 ? 1 : 0));
    }
    /* The square's normals are +z, its v is 1 - v of the OBJ, and its colors are 1. */
    const facet_packed_draw *square = &mesh->draws[mesh->draws[0].index_count == 6 ? 0 : 1];
    const facet_packed_draw *plain = &mesh->draws[square == &mesh->draws[0]];
    for (uint32_t i = 0; i < 6; i++) {
        const float *v = vertex(mesh, index_at(mesh, square->first_index + i));
        assert_true(v[3] == 0 && v[4] == 0 && v[5] == 1);
        assert_true(v[6] == v[0] / 2 && v[7] == 1 - v[1]);
        assert_true(v[8] == 1 && v[9] == 1 && v[10] == 1 && v[11] == 1);
    }
    /* Every draw has a material: white if the file has none. */
    const facet_material *white = model->scene->materials[plain->material];
    const facet_material *red = model->scene->materials[square->material];
    assert_string_equal(red->name, "red");
    assert_string_equal(white->name, "");
    assert_true(white->base_color[0] == 1 && white->base_color[1] == 1);
    assert_true(red->base_color[0] == 1 && red->base_color[1] == 0);
    /* Four channels, the upper row first. */
    const facet_image *image = facet_model_image(model, square->material, FACET_MAP_DIFFUSE);
    static const uint8_t expected[] = {255, 0, 0, 255, 7, 8, 9, 255};
    assert_non_null(image);
    assert_int_equal(image->width, 1);
    assert_int_equal(image->height, 2);
    assert_int_equal(image->channels, 4);
    assert_memory_equal(image->pixels, expected, sizeof expected);
    /* A missing image is NULL, and a warning is reported. */
    assert_null(facet_model_image(model, square->material, FACET_MAP_EMISSIVE));
    assert_null(facet_model_image(model, square->material, FACET_MAP_NORMAL));
    assert_null(facet_model_image(model, plain->material, FACET_MAP_DIFFUSE));
    assert_null(facet_model_image(model, FACET_NONE, FACET_MAP_DIFFUSE));
    assert_non_null(test_finding_saying(report, "LOSS-IMAGES", "lost.png"));
    assert_non_null(test_finding(report, "LOSS-LINES"));
    facet_model_free(model);
    facet_report_free(report);
}

/* With +Z up and centimeters, y = 1 becomes z = 100. */
TEST(model_has_the_requested_axes)
{
    static const facet_axes axes = {.up = FACET_AXIS_Z, .unit = .01};
    static const facet_pack_attribute attributes[] = {
        {FACET_POSITION, 0, NULL, FACET_PACK_FLOAT32, 3, 0, false, false},
        {FACET_TEXCOORD, 0, NULL, FACET_PACK_FLOAT32, 2, 1, false, true}};
    const facet_pack_layout layout = {sizeof layout, attributes, 2, 4, 0, false};
    facet_model_options how = {.struct_size = sizeof how, .axes = &axes, .layout = &layout};
    facet_source from = source();
    facet_model *model = NULL;
    facet_error error;
    TEST_OK(facet_load_model(&from, &how, NULL, &model, &error), &error);
    assert_true(fabs(model->maximum[2] - 100) < 1e-4 && fabs(model->maximum[1] - 300) < 1e-4);
    const facet_packed *mesh = model->meshes[0];
    assert_int_equal(mesh->buffer_count, 2);
    assert_int_equal(mesh->buffers[0].stride, 12);
    assert_int_equal(mesh->index_size, 4);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) { /* v increases upward here */
        const float *uv = (const float *)mesh->buffers[1].data + (size_t)i * 2;
        assert_true(uv[1] == 0 || fabsf(vertex(mesh, i)[2] - 100 * uv[1]) < 1e-3f);
    }
    facet_model_free(model);
}

/* A node that moves a triangle by (5, 0, 0), and an animation of it. */
static const char gltf[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
    "\"nodes\":[{\"mesh\":0,\"translation\":[5,0,0]}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
    "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}"
    "}],"
    "\"samplers\":[{\"input\":1,\"output\":0}]}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
    "\"min\":[0,0,0],\"max\":[1,1,0]},"
    "{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\",\"min\":[0],\"max\":["
    "2]}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,"
    "\"byteLength\":12}],"
    "\"buffers\":[{\"byteLength\":48,\"uri\":\"data:application/octet-stream;base64,"
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAgD8AAABA\"}]}";

TEST(model_keeps_nodes_on_request)
{
    facet_model_options how = {.struct_size = sizeof how};
    for (int keep = 0; keep < 2; keep++) {
        facet_source from = facet_source_from_memory(gltf, sizeof gltf - 1, "a.gltf");
        facet_model *model = NULL;
        facet_error error;
        how.keep_nodes = keep;
        TEST_OK(facet_load_model(&from, &how, NULL, &model, &error), &error);
        assert_int_equal(model->scene->node_count, keep);
        assert_int_equal(model->scene->animation_count, keep);
        float lowest = 1e9f;
        for (uint32_t i = 0; i < model->meshes[0]->vertex_count; i++)
            lowest = fminf(lowest, vertex(model->meshes[0], i)[0]);
        assert_true(lowest == (keep ? 0 : 5));
        assert_true(model->minimum[0] == 5); /* visible bounds, in either case */
        facet_model_free(model);
    }
}

TEST(model_refuses_what_it_cannot_load)
{
    static const facet_pack_attribute joints = {FACET_JOINTS, 0,    NULL, FACET_PACK_UINT8, 4, 0,
                                                false,        false};
    const facet_pack_layout layout = {sizeof layout, &joints, 1, 0, 0, false};
    facet_model_options how = {.struct_size = sizeof how, .layout = &layout};
    facet_source from = source();
    facet_model *model = NULL;
    facet_error error;
    TEST_REFUSED(facet_load_model(&from, &how, NULL, &model, &error), FACET_ERROR_ARGUMENT,
                 "PACK-STREAM", &error);
    how = (facet_model_options){.struct_size = sizeof how + 8};
    assert_int_equal(facet_load_model(&from, &how, NULL, &model, &error), FACET_ERROR_ARGUMENT);
    facet_load_options load = {.struct_size = 3};
    how = (facet_model_options){.load = &load};
    assert_int_equal(facet_load_model(&from, &how, NULL, &model, &error), FACET_ERROR_ARGUMENT);
    assert_int_equal(facet_load_model_path(test_temporary("none.obj"), NULL, NULL, &model, &error),
                     FACET_ERROR_IO);
    assert_null(model);
    facet_model_free(NULL);
}

static facet_status attempt(const facet_allocator *allocator, void *user)
{
    (void)user;
    facet_options options = {.allocator = allocator};
    facet_source from = source();
    facet_model *model = NULL;
    facet_error error;
    facet_status status = facet_load_model(&from, NULL, &options, &model, &error);
    facet_model_free(model);
    return status;
}

TEST(model_survives_every_failed_allocation)
{
    test_every_allocation(attempt, NULL);
}

static bool stop(void *user, const char *step, double fraction)
{
    (void)step, (void)fraction;
    return ++*(unsigned *)user < 3;
}

TEST(model_can_be_canceled)
{
    unsigned calls = 0;
    facet_options options = {.progress = stop, .progress_user = &calls};
    facet_source from = source();
    facet_model *model = NULL;
    facet_error error;
    assert_int_equal(facet_load_model(&from, NULL, &options, &model, &error), FACET_ERROR_CANCELED);
    assert_null(model);
}
