/* Geometries of an FBX: shared by nodes with different materials, with smoothing instead of
 * normals, and in files with damaged records. All files are read as text and as binary. */
#include "support/fbx.h"

#ifdef FACET_HAVE_ASSIMP

/* Begin a layer of a geometry. */
static void begin_layer(fbx_writer *w, const char *name, const char *mapping, const char *reference)
{
    fbx_begin(w, name);
    fbx_integer(w, 'I', 0);
    fbx_list(w);
    fbx_begin(w, "MappingInformationType");
    fbx_text(w, mapping);
    fbx_end(w);
    fbx_begin(w, "ReferenceInformationType");
    fbx_text(w, reference);
    fbx_end(w);
}

/* Add the list of layers, with one. */
static void list_layer(fbx_writer *w, const char *name)
{
    fbx_begin(w, "Layer");
    fbx_integer(w, 'I', 0);
    fbx_list(w);
    fbx_begin(w, "LayerElement");
    fbx_list(w);
    fbx_begin(w, "Type");
    fbx_text(w, name);
    fbx_end(w);
    fbx_begin(w, "TypedIndex");
    fbx_integer(w, 'I', 0);
    fbx_end(w);
    fbx_end(w);
    fbx_end(w);
}

/* -- Materials ---------------------------------------------------------- */

static uint32_t material_of(const facet_scene *scene, const char *node)
{
    uint32_t mesh = scene->nodes[node_called(scene, node)]->mesh;
    assert_true(mesh != FACET_NONE);
    assert_non_null(scene->meshes[mesh]->face_materials);
    return scene->meshes[mesh]->face_materials[0];
}

/* A triangle whose face has the first material of its node. */
static void put_triangle(fbx_writer *w)
{
    static const double positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, corners[3] = {0, 1, -3};
    static const double first[1] = {0};
    fbx_object(w, "Geometry", 10, "Geometry", "g", "Mesh");
    fbx_array(w, "Vertices", 'd', positions, 9);
    fbx_array(w, "PolygonVertexIndex", 'i', corners, 3);
    begin_layer(w, "LayerElementMaterial", "AllSame", "IndexToDirect");
    fbx_array(w, "Materials", 'i', first, 1);
    fbx_end(w);
    list_layer(w, "LayerElementMaterial");
    fbx_end(w);
}

/* Three nodes share a geometry with a skin. Two have the same material. assimp gives all of them
 * the material of the first. */
TEST(nodes_with_one_geometry_have_their_own_materials)
{
    static const double one[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    static const double all[3] = {0, 1, 2}, weights[3] = {1, 1, 1};
    for (int binary = 0; binary < 2; binary++) {
        fbx_writer w;
        fbx_start(&w, binary);
        put_triangle(&w);
        for (int id = 11; id < 14; id++) {
            begin_node(&w, id, id == 11 ? "a" : id == 12 ? "b" : "c");
            end_node(&w);
        }
        fbx_object(&w, "Model", 14, "Model", "bone", "LimbNode");
        fbx_end(&w);
        for (int id = 15; id < 17; id++) {
            fbx_object(&w, "Material", id, "Material", id == 15 ? "red" : "blue", "");
            fbx_end(&w);
        }
        fbx_object(&w, "Deformer", 17, "Deformer", "", "Skin");
        fbx_end(&w);
        fbx_object(&w, "Deformer", 18, "SubDeformer", "", "Cluster");
        fbx_array(&w, "Indexes", 'i', all, 3);
        fbx_array(&w, "Weights", 'd', weights, 3);
        fbx_array(&w, "Transform", 'd', one, 16);
        fbx_array(&w, "TransformLink", 'd', one, 16);
        fbx_end(&w);
        fbx_links(&w);
        for (int id = 11; id < 14; id++) {
            fbx_link(&w, id, 0, NULL);
            fbx_link(&w, 10, id, NULL);
            fbx_link(&w, id == 12 ? 16 : 15, id, NULL);
        }
        fbx_link(&w, 14, 0, NULL);
        fbx_link(&w, 17, 10, NULL);
        fbx_link(&w, 18, 17, NULL);
        fbx_link(&w, 14, 18, NULL);
        facet_scene *scene = load(&w);
        assert_null(test_finding(report, "LOSS-MATERIALS"));
        assert_string_equal(scene->materials[material_of(scene, "a")]->name, "red");
        assert_string_equal(scene->materials[material_of(scene, "b")]->name, "blue");
        assert_string_equal(scene->materials[material_of(scene, "c")]->name, "red");
        assert_int_equal(scene->nodes[node_called(scene, "a")]->mesh,
                         scene->nodes[node_called(scene, "c")]->mesh);
        assert_true(scene->nodes[node_called(scene, "b")]->skin != FACET_NONE);
        release(scene);
    }
}

/* A geometry without a LayerElementMaterial: its faces have the first material of the node, as in
 * Blender and ufbx. A node without a material shows none. */
TEST(faces_without_a_layer_have_the_material_of_the_node)
{
    for (int i = 0; i < 4; i++) {
        bool is_binary = i % 2, has_layer = i / 2;
        fbx_writer w;
        fbx_start(&w, is_binary);
        if (has_layer) { /* of another kind */
            static const double positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, corners[3] = {0, 1, -3};
            static const double normals[9] = {0, 0, 1, 0, 0, 1, 0, 0, 1};
            fbx_object(&w, "Geometry", 10, "Geometry", "g", "Mesh");
            fbx_array(&w, "Vertices", 'd', positions, 9);
            fbx_array(&w, "PolygonVertexIndex", 'i', corners, 3);
            begin_layer(&w, "LayerElementNormal", "ByPolygonVertex", "Direct");
            fbx_array(&w, "Normals", 'd', normals, 9);
            fbx_end(&w);
            list_layer(&w, "LayerElementNormal");
            fbx_end(&w);
        } else {
            fbx_triangle(&w, 10);
        }
        for (int id = 11; id < 14; id++) {
            begin_node(&w, id, id == 11 ? "a" : id == 12 ? "b" : "c");
            end_node(&w);
        }
        for (int id = 15; id < 17; id++) {
            fbx_object(&w, "Material", id, "Material", id == 15 ? "red" : "blue", "");
            fbx_end(&w);
        }
        fbx_links(&w);
        for (int id = 11; id < 14; id++) {
            fbx_link(&w, id, 0, NULL);
            fbx_link(&w, 10, id, NULL);
        }
        fbx_link(&w, 15, 11, NULL);
        fbx_link(&w, 16, 12, NULL);
        fbx_link(&w, 15, 12, NULL);
        facet_scene *scene = load(&w);
        assert_string_equal(scene->materials[material_of(scene, "a")]->name, "red");
        assert_string_equal(scene->materials[material_of(scene, "b")]->name, "blue");
        const facet_mesh *mesh = scene->meshes[scene->nodes[node_called(scene, "c")]->mesh];
        assert_true(!mesh->face_materials || mesh->face_materials[0] == FACET_NONE);
        assert_int_equal(facet_mesh_find(mesh, FACET_NORMAL, 0) != NULL, has_layer);
        release(scene);
    }
}

/* Copies are limited by the size of the file: 300 nodes share a geometry of 90 KB, each with
 * another material. */
TEST(copies_of_a_geometry_are_limited)
{
    enum { COUNT = 300, POINTS = 3000 };
    double *positions = calloc(POINTS * 3, sizeof *positions);
    static const double corners[3] = {0, 1, -3};
    assert_non_null(positions);
    for (int i = 0; i < POINTS * 3; i++)
        positions[i] = i + 0.123456789012345;
    for (int binary = 0; binary < 2; binary++) {
        fbx_writer w;
        fbx_start(&w, binary);
        fbx_object(&w, "Geometry", 10, "Geometry", "g", "Mesh");
        fbx_array(&w, "Vertices", 'd', positions, POINTS * 3);
        fbx_array(&w, "PolygonVertexIndex", 'i', corners, 3);
        fbx_end(&w);
        for (int i = 0; i < COUNT; i++) {
            begin_node(&w, 1000 + i, "n");
            end_node(&w);
            fbx_object(&w, "Material", 2000 + i, "Material", "m", "");
            fbx_end(&w);
        }
        fbx_links(&w);
        for (int i = 0; i < COUNT; i++) {
            fbx_link(&w, 1000 + i, 0, NULL);
            fbx_link(&w, 10, 1000 + i, NULL);
            fbx_link(&w, 2000 + i, 1000 + i, NULL);
        }
        fbx_end(&w);
        static const uint8_t empty[FBX_HEAD];
        fbx_put(&w, w.is_binary ? (const void *)empty : "\n", w.is_binary ? sizeof empty : 1);
        facet_error error = {0};
        facet_report *found;
        facet_scene *scene = NULL;
        TEST_OK(facet_report_create(NULL, &found, &error), &error);
        facet_source source = {.data = (uint8_t *)w.data, .size = w.used, .name = "a.fbx"};
        facet_options options = {.report = found, .growth_limit = 4};
        TEST_OK(facet_load(&source, NULL, NULL, &options, &scene, &error), &error);
        assert_non_null(test_finding(found, "LOSS-MATERIALS"));
        assert_true(scene->mesh_count > 1);
        assert_true(scene->mesh_count < COUNT);
        facet_scene_free(scene);
        facet_report_free(found);
        free(w.data);
    }
    free(positions);
}

/* -- Smoothing ---------------------------------------------------------- */

/* Two squares that meet at a right angle in the edge from vertex 1 to vertex 2: one has the normal
 * +z, the other +x. The middle of both is (1, 0, 1) / sqrt(2), and each has half of the angle. */
static facet_scene *load_smoothing(bool is_binary, const char *mapping, const double *values,
                                   size_t count)
{
    static const double positions[18] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, -1, 1, 1, -1};
    static const double corners[8] = {0, 1, 2, -4, 1, 4, 5, -3};
    static const double edges[7] = {0, 1, 2, 3, 4, 5, 6};
    fbx_writer w;
    fbx_start(&w, is_binary);
    fbx_object(&w, "Geometry", 10, "Geometry", "g", "Mesh");
    fbx_array(&w, "Vertices", 'd', positions, 18);
    fbx_array(&w, "PolygonVertexIndex", 'i', corners, 8);
    fbx_array(&w, "Edges", 'i', edges, 7);
    begin_layer(&w, "LayerElementSmoothing", mapping, "Direct");
    fbx_array(&w, "Smoothing", 'i', values, count);
    fbx_end(&w);
    list_layer(&w, "LayerElementSmoothing");
    fbx_end(&w);
    begin_node(&w, 11, "n");
    end_node(&w);
    fbx_links(&w);
    fbx_link(&w, 11, 0, NULL);
    fbx_link(&w, 10, 11, NULL);
    return load(&w);
}

TEST(smoothing_gives_normals)
{
    static const double smooth_edges[7] = {1, 1, 1, 1, 1, 1, 1},
                        hard_edge[7] = {1, 0, 1, 1, 1, 1, 1};
    static const double flat[2] = {0, 0}, same[2] = {1, 1}, common[2] = {3, 6}, others[2] = {1, 2};
    const struct {
        const char *mapping;
        const double *values;
        size_t count;
        bool is_smooth;
    } cases[] = {
        {"ByEdge", smooth_edges, 7, true}, {"ByEdge", hard_edge, 7, false},
        {"ByPolygon", flat, 2, false},     {"ByPolygon", same, 2, true},
        {"ByPolygon", common, 2, true},    {"ByPolygon", others, 2, false},
    };
    for (size_t i = 0; i < 2 * (sizeof cases / sizeof *cases); i++) {
        size_t k = i / 2;
        facet_scene *scene =
            load_smoothing(i % 2, cases[k].mapping, cases[k].values, cases[k].count);
        facet_mesh *mesh = scene->meshes[0];
        const facet_stream *normals = facet_mesh_find(mesh, FACET_NORMAL, 0);
        assert_non_null(normals);
        const float *n = (const float *)normals->data + (size_t)normals->indices[1] * 3;
        const float *far = (const float *)normals->data + (size_t)normals->indices[0] * 3;
        const float half = 0.70710678F;
        assert_float_equal(n[0], cases[k].is_smooth ? half : 0, 1e-5F);
        assert_float_equal(n[2], cases[k].is_smooth ? half : 1, 1e-5F);
        assert_float_equal(far[2], 1, 1e-5F);
        release(scene);
    }
}

TEST(smoothing_that_does_not_match_is_reported)
{
    static const double values[7] = {1, 1, 1, 1, 1, 1, 1};
    for (int i = 0; i < 4; i++) {
        facet_scene *scene = load_smoothing(i % 2, i / 2 ? "ByEdge" : "ByPolygon", values, 3);
        assert_non_null(test_finding_saying(report, "LOSS-NORMALS", "smoothing"));
        release(scene);
    }
}

/* -- Shapes ------------------------------------------------------------- */

/* Blender writes the weights of the vertices of a shape as FullWeights: here 50 and 100 percent of
 * an offset by 2. */
TEST(weights_of_vertices_scale_their_offsets)
{
    static const double indices[2] = {0, 1}, offsets[6] = {0, 0, 2, 0, 0, 2}, full[2] = {50, 100};
    for (int binary = 0; binary < 2; binary++) {
        fbx_writer w;
        fbx_start(&w, binary);
        fbx_triangle(&w, 10);
        begin_node(&w, 11, "n");
        end_node(&w);
        fbx_object(&w, "Geometry", 30, "Geometry", "s", "Shape");
        fbx_array(&w, "Indexes", 'i', indices, 2);
        fbx_array(&w, "Vertices", 'd', offsets, 6);
        fbx_end(&w);
        fbx_object(&w, "Deformer", 31, "Deformer", "b", "BlendShape");
        fbx_end(&w);
        fbx_object(&w, "Deformer", 32, "SubDeformer", "c", "BlendShapeChannel");
        fbx_array(&w, "FullWeights", 'd', full, 2);
        fbx_end(&w);
        fbx_links(&w);
        fbx_link(&w, 11, 0, NULL);
        fbx_link(&w, 10, 11, NULL);
        fbx_link(&w, 31, 10, NULL);
        fbx_link(&w, 32, 31, NULL);
        fbx_link(&w, 30, 32, NULL);
        facet_scene *scene = load(&w);
        const facet_mesh *mesh = scene->meshes[0];
        const facet_stream *stream = facet_mesh_find(mesh, FACET_MORPH_POSITION, 0);
        assert_non_null(stream);
        const float(*found)[3] = (const float(*)[3])stream->data;
        assert_float_equal(found[stream->indices[0]][2], 1, 1e-6F);
        assert_float_equal(found[stream->indices[1]][2], 2, 1e-6F);
        assert_null(test_finding(report, "LOSS-MORPHS"));
        release(scene);
    }
}

/* -- Records ------------------------------------------------------------ */

/* Maya writes records with an end of 0. They have no list. */
TEST(records_without_an_end_are_read)
{
    fbx_writer w;
    fbx_start(&w, true);
    fbx_triangle(&w, 10);
    begin_node(&w, 11, "n");
    end_node(&w);
    fbx_links(&w);
    fbx_link(&w, 11, 0, NULL);
    fbx_link(&w, 10, 11, NULL);
    size_t found = 0;
    for (size_t i = 0; i + 10 < w.used; i++) {
        bool is_name = memcmp(w.data + i, "\012FBXVersion", 11) == 0 ||
                       memcmp(w.data + i, "\7Version", 8) == 0 ||
                       memcmp(w.data + i, "\1CS", 3) == 0;
        if (is_name) {
            memset(w.data + i + 1 - FBX_HEAD, 0, 4);
            found++;
        }
    }
    assert_int_equal(found, 5);
    facet_scene *scene = load(&w);
    assert_int_equal(scene->mesh_count, 1);
    release(scene);
}
#endif
