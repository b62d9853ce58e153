/* Options of facet_load, and the file name in its errors. */
#include "support/support.h"

#include <facet/convert.h>
#include <facet/scene.h>
#include <string.h>

/* One triangle, a node that an animation moves, an image of one pixel in a data URI. */
static const char text[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
    "\"nodes\":[{\"mesh\":0,\"name\":\"n\"}],"
    "\"meshes\":[{\"name\":\"m\",\"primitives\":[{\"attributes\":{\"POSITION\":0},"
    "\"material\":0}]}],"
    "\"materials\":[{\"name\":\"red\",\"pbrMetallicRoughness\":"
    "{\"baseColorTexture\":{\"index\":0}}}],"
    "\"textures\":[{\"source\":0}],"
    "\"images\":[{\"name\":\"i\",\"mimeType\":\"image/png\",\"bufferView\":2}],"
    "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":"
    "\"translation\"}}],\"samplers\":[{\"input\":1,\"output\":0}]}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
    "\"min\":[0,0,0],\"max\":[0,0,0]},"
    "{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\",\"min\":[0],"
    "\"max\":[0]}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteLength\":12},"
    "{\"buffer\":0,\"byteLength\":8}],"
    "\"buffers\":[{\"byteLength\":36,\"uri\":\"data:application/octet-stream;base64,"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"}]}";

static facet_scene *load(const char *name, const void *data, size_t size, uint32_t skip)
{
    facet_source source = facet_source_from_memory(data, size, NULL);
    facet_load_options how = {.struct_size = sizeof how, .skip = skip};
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(facet_load(&source, facet_format_named(name), &how, NULL, &scene, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    return scene;
}

/* Every combination: the named kinds are skipped, the others are read. */
TEST(gltf_skips_the_named_kinds)
{
    for (uint32_t skip = 0; skip < 8; skip++) {
        facet_scene *scene = load("gltf", text, sizeof text - 1, skip);
        bool geometry = !(skip & FACET_SKIP_GEOMETRY), images = !(skip & FACET_SKIP_IMAGES);
        assert_int_equal(scene->mesh_count, 1);
        assert_string_equal(scene->meshes[0]->name, "m");
        assert_int_equal(scene->meshes[0]->face_count, geometry);
        assert_int_equal(scene->meshes[0]->stream_count, geometry);
        assert_int_equal(scene->animation_count, !(skip & FACET_SKIP_ANIMATIONS));
        assert_int_equal(scene->image_count, 1);
        assert_string_equal(scene->images[0]->name, "i");
        assert_int_equal(scene->images[0]->data != NULL, images);
        assert_int_equal(scene->images[0]->size, images ? 8 : 0);
        assert_int_equal(scene->node_count, 1);
        assert_int_equal(scene->nodes[0]->mesh, 0);
        assert_string_equal(scene->materials[0]->name, "red");
        facet_scene_free(scene);
    }
}

/* A format whose reader parses everything before it skips. */
TEST(obj_skips_geometry)
{
    static const char obj[] = "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\nl 1 2\n"
                              "o collision_mesh\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                              "f 4 5 6\nf 4 5 7\nf 4 6 7\nf 5 6 7\n";
    facet_scene *scene = load("obj", obj, sizeof obj - 1, 0);
    assert_int_equal(scene->meshes[0]->face_count, 1);
    assert_int_equal(scene->hull_count, 1);
    facet_scene_free(scene);
    scene = load("obj", obj, sizeof obj - 1, FACET_SKIP_GEOMETRY);
    assert_int_equal(scene->mesh_count, 1);
    assert_int_equal(scene->meshes[0]->face_count, 0);
    assert_int_equal(scene->meshes[0]->line_count, 0);
    assert_int_equal(scene->meshes[0]->stream_count, 0);
    assert_int_equal(scene->hull_count, 0);
    assert_string_equal(scene->materials[0]->name, "red");
    facet_scene_free(scene);
}

/* An error names its source, in whichever step it occurs. */
TEST(errors_name_the_source)
{
    static const struct {
        const char *bytes;
        uint64_t line;
    } cases[] = {{"no format begins like this", 1},
                 {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
                  "property float z\nend_header\n1 2 q\n",
                  8}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_source source =
            facet_source_from_memory(cases[i].bytes, strlen(cases[i].bytes), "a/b.ply");
        facet_scene *scene = NULL;
        facet_error error;
        assert_int_not_equal(facet_load(&source, NULL, NULL, NULL, &scene, &error), FACET_OK);
        assert_string_equal(error.file, "a/b.ply");
        assert_int_equal(error.line, cases[i].line);
    }
}
