/* Data of an FBX that assimp drops or reads wrongly. All files are read as text and as binary. */
#include "support/fbx.h"

#ifdef FACET_HAVE_ASSIMP

/* -- Depth of nodes ----------------------------------------------------- */

/* Load `count` nodes, each below the one before. The last one is also the parent of node `loop`, if
 * that is not 0. */
static facet_status load_chain(bool is_binary, int count, int loop, facet_error *error)
{
    fbx_writer w;
    facet_scene *scene;
    fbx_start(&w, is_binary);
    for (int i = 1; i <= count; i++) {
        fbx_object(&w, "Model", i, "Model", "n", "Null");
        fbx_end(&w);
    }
    fbx_links(&w);
    for (int i = 1; i <= count; i++)
        fbx_link(&w, i, i - 1, NULL);
    if (loop)
        fbx_link(&w, loop, count, NULL);
    facet_status status = fbx_load(&w, NULL, &scene, error);
    facet_scene_free(scene);
    return status;
}

/* assimp follows children by recursion: 10,000 levels ended the process. */
TEST(nested_nodes_of_an_fbx_are_limited)
{
    for (int binary = 0; binary < 2; binary++) {
        facet_error error = {0};
        assert_int_equal(load_chain(binary, 900, 0, &error), FACET_OK);
        assert_int_equal(load_chain(binary, 10000, 0, &error), FACET_ERROR_UNSUPPORTED);
        assert_non_null(strstr(error.message, "nested more than 1,000 levels deep"));
        assert_int_equal(binary, error.line == 0);
        assert_int_equal(load_chain(binary, 3, 2, &error), FACET_ERROR_UNSUPPORTED);
        assert_non_null(strstr(error.message, "loop"));
    }
}

/* Each of 40 nodes is twice a child of the one before: assimp would make 2^40 nodes. */
TEST(copies_of_nodes_of_an_fbx_are_limited)
{
    for (int binary = 0; binary < 2; binary++) {
        fbx_writer w;
        facet_error error = {0};
        facet_scene *scene;
        fbx_start(&w, binary);
        for (int i = 1; i <= 40; i++) {
            fbx_object(&w, "Model", i, "Model", "n", "Null");
            fbx_end(&w);
        }
        fbx_links(&w);
        for (int i = 1; i <= 40; i++) {
            fbx_link(&w, i, i - 1, NULL);
            fbx_link(&w, i, i - 1, NULL);
        }
        assert_int_equal(fbx_load(&w, NULL, &scene, &error), FACET_ERROR_LIMIT);
    }
}

/* -- Versions ----------------------------------------------------------- */

TEST(old_and_big_endian_versions_are_named)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *message;
    } files[] = {
        {"Kaydara FBX Binary  \0\x1a\0\xa8\x16\0\0", 27, "FBX version 5.8 is not supported"},
        {"Kaydara FBX Binary  \0\x1a\1\0\0\x1c\xe8", 27, "big-endian"},
        {"; FBX 5.8.0 project file\nFBXHeaderExtension:  {\n\tFBXVersion: 5800\n}\n", 69,
         "FBX version 5.8 is not supported (supported: 6 and 7.1 and later); export the file as "
         "FBX 2011 or later, or as GLB"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        facet_error error = {0};
        facet_scene *scene = NULL;
        facet_source source = {
            .data = (const uint8_t *)files[i].bytes, .size = files[i].size, .name = "a.fbx"};
        assert_int_equal(facet_load(&source, NULL, NULL, NULL, &scene, &error),
                         FACET_ERROR_UNSUPPORTED);
        if (!strstr(error.message, files[i].message))
            fail_msg("%s", error.message);
    }
}

/* assimp ended the process at a custom property of a node with these types. */
TEST(times_and_colors_of_nodes_are_ignored)
{
    static const double color[4] = {1, 1, 1, 1};
    for (int binary = 0; binary < 2; binary++) {
        fbx_writer w;
        fbx_start(&w, binary);
        begin_node(&w, 11, "n");
        fbx_property(&w, "time", "KTime", 1, color);
        fbx_property(&w, "color", "ColorAndAlpha", 4, color);
        end_node(&w);
        fbx_links(&w);
        fbx_link(&w, 11, 0, NULL);
        facet_scene *scene = load(&w);
        node_called(scene, "n");
        release(scene);
    }
}

/* assimp does not know the type 'Z', a byte. */
TEST(values_of_type_z_are_read)
{
    fbx_writer w;
    fbx_start(&w, true);
    fbx_triangle(&w, 10);
    begin_node(&w, 11, "n");
    fbx_begin(&w, "P");
    fbx_text(&w, "Extra");
    fbx_text(&w, "Byte");
    fbx_text(&w, "");
    fbx_text(&w, "");
    fbx_integer(&w, 'Z', 1);
    fbx_end(&w);
    end_node(&w);
    fbx_links(&w);
    fbx_link(&w, 11, 0, NULL);
    fbx_link(&w, 10, 11, NULL);
    facet_scene *scene = load(&w);
    assert_int_equal(scene->mesh_count, 1);
    release(scene);
}

/* -- Layers ------------------------------------------------------------- */

/* Two triangles of four vertices, and a layer of normals. */
static facet_scene *load_normals(bool is_binary, const char *mapping, const char *reference,
                                 const double *normals, size_t count, const double *indices,
                                 size_t index_count)
{
    static const double positions[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    static const double corners[6] = {0, 1, -3, 0, 2, -4};
    fbx_writer w;
    fbx_start(&w, is_binary);
    fbx_object(&w, "Geometry", 10, "Geometry", "g", "Mesh");
    fbx_array(&w, "Vertices", 'd', positions, 12);
    fbx_array(&w, "PolygonVertexIndex", 'i', corners, 6);
    fbx_begin(&w, "LayerElementNormal");
    fbx_integer(&w, 'I', 0);
    fbx_list(&w);
    fbx_begin(&w, "MappingInformationType");
    fbx_text(&w, mapping);
    fbx_end(&w);
    fbx_begin(&w, "ReferenceInformationType");
    fbx_text(&w, reference);
    fbx_end(&w);
    fbx_array(&w, "Normals", 'd', normals, count);
    if (indices)
        fbx_array(&w, "NormalsIndex", 'i', indices, index_count);
    fbx_end(&w);
    fbx_begin(&w, "Layer");
    fbx_integer(&w, 'I', 0);
    fbx_list(&w);
    fbx_begin(&w, "LayerElement");
    fbx_list(&w);
    fbx_begin(&w, "Type");
    fbx_text(&w, "LayerElementNormal");
    fbx_end(&w);
    fbx_begin(&w, "TypedIndex");
    fbx_integer(&w, 'I', 0);
    fbx_end(&w);
    fbx_end(&w);
    fbx_end(&w);
    fbx_end(&w);
    begin_node(&w, 11, "n");
    end_node(&w);
    fbx_links(&w);
    fbx_link(&w, 11, 0, NULL);
    fbx_link(&w, 10, 11, NULL);
    return load(&w);
}

/* Mappings that assimp drops. The normals of the six corners are numbers of axes, 0 to 2. */
TEST(layers_of_all_mappings_are_read)
{
    static const double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const struct {
        const char *mapping, *reference;
        size_t count;
        double indices[4];
        size_t index_count;
        int expected[6];
    } cases[] = {
        {"ByPolygon", "Direct", 6, {0}, 0, {0, 0, 0, 1, 1, 1}},
        {"ByPolygon", "IndexToDirect", 9, {2, 1}, 2, {2, 2, 2, 1, 1, 1}},
        {"ByVertice", "IndexToDirect", 9, {0, 1, 2, 1}, 4, {0, 1, 2, 0, 2, 1}},
        {"AllSame", "IndexToDirect", 9, {1}, 1, {1, 1, 1, 1, 1, 1}},
        {"AllSame", "Direct", 3, {0}, 0, {0, 0, 0, 0, 0, 0}},
    };
    for (size_t i = 0; i < 2 * (sizeof cases / sizeof *cases); i++) {
        size_t k = i / 2;
        facet_scene *scene =
            load_normals(i % 2, cases[k].mapping, cases[k].reference, axes, cases[k].count,
                         cases[k].index_count ? cases[k].indices : NULL, cases[k].index_count);
        const facet_mesh *mesh = scene->meshes[0];
        const facet_stream *normals = facet_mesh_find(mesh, FACET_NORMAL, 0);
        if (!normals)
            fail_msg("%s %s", cases[k].mapping, cases[k].reference);
        for (uint32_t corner = 0; corner < 6; corner++) {
            const float *normal = corner_of(mesh, normals, corner);
            assert_float_equal((double)normal[cases[k].expected[corner]], 1, 0);
        }
        assert_null(test_finding(report, "LOSS-NORMALS"));
        release(scene);
    }
}

/* Two normals for four vertices; an index 3 of three normals. */
TEST(layers_that_do_not_match_are_reported)
{
    static const double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, high[2] = {0, 3};
    for (int binary = 0; binary < 2; binary++) {
        release(load_normals(binary, "ByPolygon", "IndexToDirect", axes, 9, high, 2));
        facet_scene *scene = load_normals(binary, "ByVertice", "Direct", axes, 6, NULL, 0);
        assert_non_null(test_finding(report, "LOSS-NORMALS"));
        release(scene);
    }
}

/* The quote in the list of normals ends with the file. Their record is longer than its list, and
 * was replaced beyond the end. */
TEST(replaced_records_end_with_the_file)
{
    static const char text[] =
        "; FBX 7.4.0 project file\nFBXHeaderExtension: {\nFBXVersion: 7400\n}\nObjects: {\n"
        "Geometry: 10, \"Geometry::g\", \"Mesh\" {\nVertices: *9 {\na: 0,0,0,1,0,0,0,1,0\n}\n"
        "PolygonVertexIndex: *3 {\na: 0,1,-3\n}\nLayerElementNormal: 0 {\n"
        "MappingInformationType: \"ByPolygon\"\nReferenceInformationType: \"Direct\"\n"
        "Normals: *3 {\na: 0,0,1,\"\n}\n}\n}\n}\nConnections: {\n}\n";
    size_t size = sizeof text - 1;
    char *copy = malloc(size); /* of exactly this size, for AddressSanitizer */
    assert_non_null(copy);
    memcpy(copy, text, size);
    facet_scene *scene = NULL;
    facet_source source = {.data = (uint8_t *)copy, .size = size, .name = "a.fbx"};
    assert_int_not_equal(facet_load(&source, NULL, NULL, NULL, &scene, NULL), FACET_OK);
    free(copy);
}

/* -- Losses ------------------------------------------------------------- */

TEST(objects_that_are_not_read_are_reported)
{
    static const struct {
        const char *kind, *type, *rule, *words;
        int to; /* the object that it is connected to: 10 is the geometry, 11 the node */
    } cases[] = {
        {"Geometry", "NurbsCurve", "LOSS-MESHES", "NURBS", 11},
        {"Deformer", "VertexCacheDeformer", "LOSS-ANIMATIONS", "vertex cache", 10},
        {"Audio", "Clip", "LOSS-ANIMATIONS", "sound", 0},
        {"NodeAttribute", "LodGroup", "LOSS-LODS", "levels of detail", 11},
        {"Constraint", "Aim", "LOSS-ANIMATIONS", "constraint", 0},
    };
    for (size_t i = 0; i < 2 * (sizeof cases / sizeof *cases); i++) {
        size_t k = i / 2;
        fbx_writer w;
        fbx_start(&w, i % 2);
        fbx_triangle(&w, 10);
        begin_node(&w, 11, "n");
        end_node(&w);
        fbx_object(&w, cases[k].kind, 50, "Class", "o", cases[k].type);
        fbx_end(&w);
        fbx_links(&w);
        fbx_link(&w, 11, 0, NULL);
        fbx_link(&w, 10, 11, NULL);
        fbx_link(&w, 50, cases[k].to, NULL);
        facet_scene *scene = load(&w);
        if (!test_finding_saying(report, cases[k].rule, cases[k].words))
            fail_msg("%s %s", cases[k].kind, cases[k].type);
        release(scene);
    }
}

/* assimp reads the materials of faces. One is of no node, one of a node whose only face has
 * another. The default material of assimp's files is not one of the author. */
TEST(materials_that_no_face_has_are_reported)
{
    for (int i = 0; i < 6; i++) {
        bool is_binary = i % 2, is_default = i / 2 == 2;
        fbx_writer w;
        fbx_start(&w, is_binary);
        fbx_triangle(&w, 10);
        begin_node(&w, 11, "n");
        end_node(&w);
        fbx_object(&w, "Material", 12, "Material", "red", "");
        fbx_end(&w);
        fbx_object(&w, "Material", 13, "Material", is_default ? "DefaultMaterial" : "blue", "");
        fbx_end(&w);
        fbx_links(&w);
        fbx_link(&w, 11, 0, NULL);
        fbx_link(&w, 10, 11, NULL);
        fbx_link(&w, 12, 11, NULL);
        if (i / 2 == 1)
            fbx_link(&w, 13, 11, NULL);
        facet_scene *scene = load(&w);
        assert_int_equal(scene->material_count, 1);
        assert_string_equal(scene->materials[0]->name, "red");
        const facet_finding *finding = test_finding(report, "LOSS-MATERIALS");
        assert_true((finding == NULL) == is_default);
        assert_true(!finding || (finding->severity == FACET_SEVERITY_NOTE && finding->count == 1));
        release(scene);
    }
}

/* Skins with dual quaternions, weights without a bone, and a geometry that assimp refuses because
 * its face has a vertex that does not exist. */
TEST(damaged_and_approximated_meshes_are_reported)
{
    static const double positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, corners[3] = {0, 1, -9};
    static const double all[3] = {0, 1, 2};
    static const double one[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    for (int binary = 0; binary < 2; binary++) {
        fbx_writer w;
        fbx_start(&w, binary);
        fbx_triangle(&w, 10);
        begin_node(&w, 11, "n");
        end_node(&w);
        begin_node(&w, 12, "bad");
        end_node(&w);
        fbx_object(&w, "Geometry", 15, "Geometry", "g", "Mesh");
        fbx_array(&w, "Vertices", 'd', positions, 9);
        fbx_array(&w, "PolygonVertexIndex", 'i', corners, 3);
        fbx_end(&w);
        fbx_object(&w, "Deformer", 13, "Deformer", "skin", "Skin");
        fbx_begin(&w, "SkinningType");
        fbx_text(&w, "DualQuaternion");
        fbx_end(&w);
        fbx_end(&w);
        fbx_object(&w, "Deformer", 14, "SubDeformer", "cluster", "Cluster");
        fbx_array(&w, "Indexes", 'i', all, 3);
        fbx_array(&w, "Weights", 'd', all, 3);
        fbx_array(&w, "Transform", 'd', one, 16);
        fbx_array(&w, "TransformLink", 'd', one, 16);
        fbx_end(&w);
        fbx_links(&w);
        fbx_link(&w, 11, 0, NULL);
        fbx_link(&w, 12, 0, NULL);
        fbx_link(&w, 10, 11, NULL);
        fbx_link(&w, 15, 12, NULL);
        fbx_link(&w, 13, 10, NULL);
        fbx_link(&w, 14, 13, NULL);
        facet_scene *scene = load(&w);
        assert_non_null(test_finding_saying(report, "LOSS-SKIN", "dual quaternions"));
        assert_non_null(test_finding_saying(report, "LOSS-SKIN", "no bone"));
        assert_non_null(test_finding_saying(report, "LOSS-MESHES", "damaged"));
        release(scene);
    }
}

/* -- Axes without a curve ----------------------------------------------- */

/* Maya leaves out the curve of an axis without keys. Its value is that of the node of curves: y is
 * 2 and z is 3 while x moves from 0 to 1. An axis of the scale that is not 1 stays as well. */
TEST(axes_without_a_curve_have_the_value_of_their_node)
{
    static const double times[2] = {0, SECOND}, ends[2] = {0, 1}, flags[1] = {4}, runs[1] = {2},
                        attributes[4] = {0};
    for (int binary = 0; binary < 2; binary++) {
        fbx_writer w;
        facet_scene *scene;
        facet_error error;
        fbx_start(&w, binary);
        fbx_object(&w, "Model", 11, "Model", "n", "Null");
        fbx_end(&w);
        add_stack(&w);
        for (int node = 0; node < 2; node++) {
            fbx_object(&w, "AnimationCurveNode", 22 + node, "AnimCurveNode", node ? "S" : "T", "");
            fbx_begin(&w, "Properties70");
            fbx_list(&w);
            fbx_number(&w, "d|X", "Number", 7);
            fbx_number(&w, "d|Y", "Number", 2);
            fbx_number(&w, "d|Z", "Number", 3);
            fbx_end(&w);
            fbx_end(&w);
            fbx_object(&w, "AnimationCurve", 30 + node, "AnimCurve", "", "");
            fbx_array(&w, "KeyTime", 'l', times, 2);
            fbx_array(&w, "KeyValueFloat", 'f', ends, 2);
            fbx_array(&w, "KeyAttrFlags", 'i', flags, 1);
            fbx_array(&w, "KeyAttrDataFloat", 'f', attributes, 4);
            fbx_array(&w, "KeyAttrRefCount", 'i', runs, 1);
            fbx_end(&w);
        }
        fbx_links(&w);
        fbx_link(&w, 11, 0, NULL);
        fbx_link(&w, 21, 20, NULL);
        fbx_link(&w, 22, 21, NULL);
        fbx_link(&w, 23, 21, NULL);
        fbx_link(&w, 22, 11, "Lcl Translation");
        fbx_link(&w, 23, 11, "Lcl Scaling");
        fbx_link(&w, 30, 22, "d|X");
        fbx_link(&w, 31, 23, "d|X");
        TEST_OK(fbx_load(&w, NULL, &scene, &error), &error);
        for (int node = 0; node < 2; node++) {
            float value[4];
            facet_channel_sample(
                channel_of(scene, node ? FACET_TARGET_SCALE : FACET_TARGET_TRANSLATION), 0.5,
                value);
            assert_float_equal(value[0], 0.5F, 1e-4F);
            assert_float_equal(value[1], 2, 1e-4F);
            assert_float_equal(value[2], 3, 1e-4F);
        }
        facet_scene_free(scene);
    }
}

#endif
