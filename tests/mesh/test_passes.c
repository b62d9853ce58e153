/* Every pass reports correctly whether it changed the mesh: unchanged means equal to the last
 * bit. */
#include "mesh/passes.h"
#include "scene/scene.h"
#include "support/mesh.h"

#include <facet/mesh.h>

/* -- Snapshot of a mesh ------------------------------------------------- */

/* All data of a mesh in one block. */
typedef struct picture {
    uint8_t bytes[4096];
    size_t size;
} picture;

static void take(picture *p, const void *bytes, size_t size)
{
    assert_true(size <= sizeof p->bytes - p->size);
    if (size > 0)
        memcpy(p->bytes + p->size, bytes, size);
    p->size += size;
}

static void take_if(picture *p, const void *bytes, size_t size)
{
    const uint8_t is_there = bytes != NULL;
    take(p, &is_there, 1);
    take(p, bytes, bytes ? size : 0);
}

static picture picture_of(const facet_mesh *mesh)
{
    picture p = {0};
    take(&p, &mesh->face_count, 4);
    take(&p, &mesh->corner_count, 4);
    take_if(&p, mesh->face_offsets, ((size_t)mesh->face_count + 1) * 4);
    take_if(&p, mesh->face_materials, (size_t)mesh->face_count * 4);
    take_if(&p, mesh->face_smoothing, (size_t)mesh->face_count * 4);
    take(&p, &mesh->part_count, 4);
    take_if(&p, mesh->parts, mesh->part_count * sizeof *mesh->parts);
    take_if(&p, mesh->lines, (size_t)mesh->line_count * 8);
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        const facet_stream *stream = &mesh->streams[i];
        uint32_t sharer = 0; /* the first stream with these indices */
        while (mesh->streams[sharer].indices != stream->indices)
            sharer++;
        take(&p, &sharer, 4);
        take(&p, &stream->semantic, sizeof stream->semantic);
        take(&p, &stream->count, 4);
        take_if(&p, stream->indices, (size_t)mesh->corner_count * 4);
        take(&p, stream->data,
             (size_t)stream->count * stream->components * facet_component_size(stream->component));
    }
    return p;
}

/* -- The passes, each with the arguments of the others ------------------ */

static facet_status run_normals(facet_mesh *mesh, const facet_options *options, bool *changed,
                                facet_error *error)
{
    return facet_mesh_normals(mesh, NULL, options, changed, error);
}

typedef facet_status (*pass)(facet_mesh *mesh, const facet_options *options, bool *changed,
                             facet_error *error);

static const struct {
    const char *name;
    pass run;
} passes[] = {
    {"triangulate", facet_mesh_triangulate},
    {"normals", run_normals},
    {"facing", facet_mesh_facing},
    {"index", facet_mesh_index},
    {"tangents", facet_mesh_tangents},
    {"split", facet_mesh_split},
    {"sort", facet_mesh_sort},
    {"optimize", facet_mesh_optimize},
};
#define PASSES (sizeof passes / sizeof *passes)

/* Run one pass. True if it reports that it changed the mesh. */
static bool changes(size_t index, facet_mesh *mesh)
{
    facet_error error;
    picture before = picture_of(mesh);
    bool changed = false, again = true;
    TEST_OK(passes[index].run(mesh, NULL, &changed, &error), &error);
    picture after = picture_of(mesh);
    bool differs = after.size != before.size || memcmp(after.bytes, before.bytes, after.size) != 0;
    if (differs && !changed)
        fail_msg("%s changed the mesh and did not say so", passes[index].name);
    if (changed && !differs)
        fail_msg("%s said that it changed the mesh, and did not", passes[index].name);
    /* A second run changes nothing, and a NULL argument is allowed. */
    TEST_OK(passes[index].run(mesh, NULL, &again, &error), &error);
    TEST_OK(passes[index].run(mesh, NULL, NULL, &error), &error);
    if (again)
        fail_msg("%s changed its own result", passes[index].name);
    return changed;
}

/* Work for every pass: a quad, a triangle whose normal points to its back, and two triangles with a
 * common edge. The second of them mirrors the texture, so each end of the edge gets two tangents.
 * Materials 1, 0, 1, 1. */
static facet_mesh *make_mesh(facet_scene *scene)
{
    static const float points[33] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0, 0, 3, 0,
                                     0, 2, 1, 0, 4, 0, 0, 5, 0, 0, 4, 1, 0, 5, 1, 0};
    static const float back[3] = {0, 0, -2}, uv[8] = {0, 0, 1, 0, 1, 1, 0, 1};
    static const uint32_t sizes[4] = {4, 3, 3, 3}, materials[4] = {1, 0, 1, 1};
    static const uint32_t corners[13] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 8, 10};
    static const uint32_t places[13] = {0, 1, 2, 3, 0, 1, 2, 0, 1, 3, 3, 1, 0};
    uint32_t kinds[13];
    facet_material *material;
    facet_error error;
    for (int i = 0; i < 2; i++)
        TEST_OK(facet_scene_add_material(scene, "m", &material, &error), &error);
    for (int i = 0; i < 13; i++)
        kinds[i] = i >= 4 && i < 7 ? 0 : FACET_NONE;
    facet_mesh *mesh = test_mesh(scene, 4, sizes);
    assert_true(mesh && test_stream(scene, mesh, FACET_POSITION, 3, 11, points, corners) &&
                test_stream(scene, mesh, FACET_NORMAL, 3, 1, back, kinds) &&
                test_stream(scene, mesh, FACET_TEXCOORD, 2, 4, uv, places));
    mesh->face_materials = test_copy(scene, materials, 4);
    return mesh;
}

TEST(passes_report_changes)
{
    facet_scene *scene = test_scene();
    facet_mesh *mesh = make_mesh(scene);
    for (size_t i = 0; i < PASSES; i++) {
        if (!changes(i, mesh))
            fail_msg("%s found nothing to do", passes[i].name);
    }
    facet_error error;
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    facet_scene_free(scene);
}

/* A second round of passes changes nothing. Nor does a pass over an empty mesh. */
TEST(passes_report_no_change)
{
    facet_scene *scene = test_scene();
    facet_mesh *mesh = make_mesh(scene), *empty;
    facet_error error;
    for (size_t i = 0; i < PASSES; i++)
        TEST_OK(passes[i].run(mesh, NULL, NULL, &error), &error);
    for (size_t i = 0; i < PASSES; i++) {
        if (changes(i, mesh))
            fail_msg("%s found something to do", passes[i].name);
    }
    TEST_OK(facet_scene_add_mesh(scene, &empty, &error), &error);
    for (size_t i = 0; i < PASSES; i++) {
        bool changed = true;
        if (passes[i].run == facet_mesh_facing || passes[i].run == facet_mesh_tangents)
            continue; /* these refuse a mesh without normals */
        TEST_OK(passes[i].run(empty, NULL, &changed, &error), &error);
        assert_false(changed);
    }
    facet_scene_free(scene);
}

/* Normals are scaled in place: the same arrays with other numbers. */
TEST(changed_values_are_a_change)
{
    static const float points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0},
                       normals[9] = {0, 0, 3, 0, 0, 1, 0, 0, 1};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    assert_true(mesh && test_stream(scene, mesh, FACET_POSITION, 3, 3, points, NULL) &&
                test_stream(scene, mesh, FACET_NORMAL, 3, 3, normals, NULL));
    const void *data = mesh->streams[1].data, *indices = mesh->streams[1].indices;
    assert_true(changes(1, mesh));
    assert_ptr_equal(mesh->streams[1].data, data);
    assert_ptr_equal(mesh->streams[1].indices, indices);
    /* Two arrays of equal indices become one. This is also a change. */
    assert_true(changes(3, mesh));
    facet_scene_free(scene);
}

/* A pass that fails does not set `changed`. */
TEST(failed_passes_do_not_set_changed)
{
    facet_scene *scene = test_scene();
    facet_mesh *mesh = make_mesh(scene);
    bool changed = true;
    facet_error error;
    assert_int_equal(facet_mesh_optimize(mesh, NULL, &changed, &error), FACET_ERROR_ARGUMENT);
    assert_true(changed);
    changed = false;
    assert_int_equal(facet_mesh_facing(mesh, NULL, &changed, &error), FACET_ERROR_ARGUMENT);
    assert_false(changed);
    facet_scene_free(scene);
}

/* The tangents of make_mesh have a separate index, and so do its normals here. */
TEST(split_refuses_streams_of_several_indices)
{
    facet_scene *scene = test_scene();
    facet_mesh *mesh = make_mesh(scene);
    facet_error error;
    bool changed = false;
    TEST_OK(facet_mesh_triangulate(mesh, NULL, NULL, &error), &error);
    TEST_OK(facet_mesh_normals(mesh, NULL, NULL, NULL, &error), &error);
    TEST_OK(facet_mesh_index(mesh, NULL, NULL, &error), &error);
    TEST_OK(facet_mesh_tangents(mesh, NULL, NULL, &error), &error);
    facet_stream *normals = facet_mesh_find(mesh, FACET_NORMAL, 0);
    normals->indices = test_copy(scene, normals->indices, mesh->corner_count);
    normals->indices[0] = normals->indices[1];
    assert_int_equal(facet_mesh_split(mesh, NULL, &changed, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "MESH-SPLIT");
    assert_false(changed);
    facet_scene_free(scene);
}
