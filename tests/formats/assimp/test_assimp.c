/* Reading through assimp: counts from the files' headers, known values of built files, and one
 * model in two formats. */
#include "support/models.h"

#include <math.h>

#ifdef FACET_HAVE_ASSIMP

/* -- Probe -------------------------------------------------------------- */

TEST(probe_finds_format_by_name_or_bytes)
{
    static const char ply[] = "ply\nformat ascii 1.0\n", solid[] = "solid a\nendsolid a\n",
                      xml[] = "<?xml?><COLLADA/>";
    static const struct {
        const char *name, *bytes, *format;
    } cases[] = {{"a.ply", ply, "ply"},
                 {NULL, ply, "ply"},
                 {"a.STL", solid, "stl"},
                 {NULL, xml, "dae"},
                 {NULL, "Kaydara FBX Binary  ", "fbx"},
                 {"a.3ds", "MM", "3ds"},
                 {"a.blend", "BLENDER", "assimp"},
                 {"a.ply", "# OBJ\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "obj"},
                 {"a.unknown", "?", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_source source = {.data = (const uint8_t *)cases[i].bytes,
                               .size = strlen(cases[i].bytes),
                               .name = cases[i].name};
        const facet_format *format = facet_format_probe(&source);
        if (cases[i].format)
            assert_string_equal(facet_format_name(format), cases[i].format);
        else
            assert_null(format);
    }
}

/* -- COLLADA ------------------------------------------------------------ */

/* Two triangles of two materials over four vertices, on a translated node; centimeters, +Z up. */
static const char small_dae[] =
    "<?xml version=\"1.0\"?>\n"
    "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">\n"
    "<asset><unit name=\"centimeter\" meter=\"0.01\"/><up_axis>Z_UP</up_axis></asset>\n"
    "<library_images><image id=\"i\"><init_from>wood.png</init_from></image></library_images>\n"
    "<library_effects>\n"
    "<effect id=\"e1\"><profile_COMMON><newparam sid=\"s\"><surface type=\"2D\"><init_from>i"
    "</init_from></surface></newparam><newparam sid=\"t\"><sampler2D><source>s</source>"
    "</sampler2D></newparam><technique sid=\"c\"><phong>"
    "<diffuse><texture texture=\"t\" texcoord=\"UV\"/></diffuse>"
    "<shininess><float>25</float></shininess></phong></technique></profile_COMMON></effect>\n"
    "<effect id=\"e2\"><profile_COMMON><technique sid=\"c\"><lambert>"
    "<diffuse><color>0.25 0.5 0.75 1</color></diffuse></lambert></technique></profile_COMMON>"
    "</effect></library_effects>\n"
    "<library_materials><material id=\"m1\" name=\"wood\"><instance_effect url=\"#e1\"/>"
    "</material><material id=\"m2\" name=\"blue\"><instance_effect url=\"#e2\"/></material>"
    "</library_materials>\n"
    "<library_geometries><geometry id=\"g\" name=\"plate\"><mesh>\n"
    "<source id=\"p\"><float_array id=\"pa\" count=\"12\">0 0 0 100 0 0 100 100 0 0 100 0"
    "</float_array><technique_common><accessor source=\"#pa\" count=\"4\" stride=\"3\">"
    "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/>"
    "<param name=\"Z\" type=\"float\"/></accessor></technique_common></source>\n"
    "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>\n"
    "<triangles count=\"1\" material=\"a\"><input semantic=\"VERTEX\" source=\"#v\" "
    "offset=\"0\"/><p>0 1 2</p></triangles>\n"
    "<triangles count=\"1\" material=\"b\"><input semantic=\"VERTEX\" source=\"#v\" "
    "offset=\"0\"/><p>0 2 3</p></triangles>\n"
    "</mesh></geometry></library_geometries>\n"
    "<library_visual_scenes><visual_scene id=\"s\">"
    "<node id=\"n\" name=\"table\"><translate>0 0 50</translate>"
    "<instance_geometry url=\"#g\"><bind_material><technique_common>"
    "<instance_material symbol=\"a\" target=\"#m1\"/>"
    "<instance_material symbol=\"b\" target=\"#m2\"/>"
    "</technique_common></bind_material></instance_geometry></node>"
    "<node id=\"n2\" name=\"copy\"><translate>300 0 0</translate>"
    "<instance_geometry url=\"#g\"><bind_material><technique_common>"
    "<instance_material symbol=\"a\" target=\"#m1\"/>"
    "<instance_material symbol=\"b\" target=\"#m2\"/>"
    "</technique_common></bind_material></instance_geometry></node>"
    "</visual_scene></library_visual_scenes>\n"
    "<scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>\n";

/* A camera with a horizontal angle of 60 degrees and an aspect ratio of 1.5: its vertical angle
 * is 2 atan(tan(30 degrees) / 1.5). COLLADA's cameras and lights look along -z, as those of a
 * scene do. */
TEST(dae_camera_and_light)
{
    static const char dae[] =
        "<?xml version=\"1.0\"?>\n"
        "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">\n"
        "<asset><unit meter=\"1\"/><up_axis>Y_UP</up_axis></asset>\n"
        "<library_cameras><camera id=\"c\" name=\"eye\"><optics><technique_common><perspective>"
        "<xfov>60</xfov><aspect_ratio>1.5</aspect_ratio><znear>0.5</znear><zfar>20</zfar>"
        "</perspective></technique_common></optics></camera></library_cameras>\n"
        "<library_lights><light id=\"l\" name=\"sun\"><technique_common><directional>"
        "<color>1 0.5 0.25</color></directional></technique_common></light></library_lights>\n"
        "<library_geometries><geometry id=\"g\"><mesh>"
        "<source id=\"p\"><float_array id=\"pa\" count=\"9\">0 0 0 1 0 0 0 1 0</float_array>"
        "<technique_common><accessor source=\"#pa\" count=\"3\" stride=\"3\">"
        "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/>"
        "<param name=\"Z\" type=\"float\"/></accessor></technique_common></source>"
        "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>"
        "<triangles count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"
        "<p>0 1 2</p></triangles></mesh></geometry></library_geometries>\n"
        "<library_visual_scenes><visual_scene id=\"s\">"
        "<node id=\"n1\" name=\"view\"><translate>1 2 3</translate>"
        "<instance_camera url=\"#c\"/></node>"
        "<node id=\"n2\" name=\"lamp\"><instance_light url=\"#l\"/></node>"
        "<node id=\"n3\" name=\"body\"><instance_geometry url=\"#g\"/></node>"
        "</visual_scene></library_visual_scenes>\n"
        "<scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>\n";
    facet_source source = {.data = (const uint8_t *)dae, .size = sizeof dae - 1, .name = "c.dae"};
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(facet_load(&source, NULL, NULL, NULL, &scene, &error), &error);
    assert_int_equal(scene->camera_count, 1);
    assert_int_equal(scene->light_count, 1);
    const facet_camera *camera = scene->cameras[0];
    assert_false(camera->is_orthographic);
    assert_float_equal(camera->field_of_view, 2 * atanf(tanf(0.5235988F) / 1.5F), 1e-5F);
    assert_float_equal(camera->aspect_ratio, 1.5F, 1e-6F);
    assert_float_equal(camera->near_distance, 0.5F, 0);
    assert_float_equal(camera->far_distance, 20, 0);
    assert_int_equal(scene->lights[0]->kind, FACET_LIGHT_DIRECTIONAL);
    assert_float_equal(scene->lights[0]->color[2], 0.25F, 1e-6F);
    int placed = 0;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        placed += scene->nodes[i]->camera == 0 && scene->nodes[i]->transform.translation[2] == 3 &&
                  scene->nodes[i]->transform.rotation[3] == 1;
        placed += scene->nodes[i]->light == 0 && scene->nodes[i]->transform.rotation[3] == 1;
    }
    assert_int_equal(placed, 2);
    facet_scene_free(scene);
}

TEST(dae_scene_has_meshes_materials_nodes)
{
    facet_scene *scene = load_bytes(small_dae, sizeof small_dae - 1, "a.dae", NULL);
    /* assimp splits by material; the parts are joined to one mesh again, shown twice. */
    assert_int_equal(scene->mesh_count, 1);
    const facet_mesh *mesh = scene->meshes[0];
    assert_int_equal(mesh->face_count, 2);
    assert_int_equal(mesh->part_count, 2);
    assert_string_equal(scene->materials[mesh->face_materials[0]]->name, "wood");
    assert_string_equal(scene->materials[mesh->face_materials[1]]->name, "blue");
    uint32_t shown = 0;
    for (uint32_t i = 0; i < scene->node_count; i++)
        shown += scene->nodes[i]->mesh == 0;
    assert_int_equal(shown, 2);

    const facet_material *wood = scene->materials[mesh->face_materials[0]];
    const facet_material *blue = scene->materials[mesh->face_materials[1]];
    assert_string_equal(wood->maps[FACET_MAP_DIFFUSE]->path, "wood.png");
    assert_true(wood->classic->stated & FACET_CLASSIC_SHININESS && wood->classic->shininess == 25);
    assert_true(blue->classic->stated & FACET_CLASSIC_DIFFUSE);
    static const float color[4] = {0.25F, 0.5F, 0.75F, 1};
    assert_memory_equal(blue->classic->diffuse, color, 3 * sizeof *color);
    assert_memory_equal(blue->base_color, color, sizeof color);
    /* A <lambert> has no specular light, and this one has no ambient light either: rough. */
    assert_int_equal(blue->classic->stated &
                         (FACET_CLASSIC_SPECULAR | FACET_CLASSIC_SHININESS | FACET_CLASSIC_AMBIENT),
                     0);
    assert_float_equal(blue->roughness, 1, 0);

    /* In meters, +Y up: x from 0 to 4, 0.5 or 0 high, y of the file becomes -z. */
    double minimum[3], maximum[3];
    static const double low[3] = {0, 0, -1}, high[3] = {4, 0.5, 0};
    facet_error error;
    bool any;
    TEST_OK(facet_scene_bounds(scene, NULL, minimum, maximum, &any, &error), &error);
    assert_int_equal(scene->axes.up, FACET_AXIS_Y);
    assert_true(scene->axes.unit == 1);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(minimum[i] - low[i]) < 1e-6);
        assert_true(fabs(maximum[i] - high[i]) < 1e-6);
    }
    facet_scene_free(scene);
}

/* -- DirectX ------------------------------------------------------------ */

/* A sheared frame that is animated by keys of unknown tick length. Each of three vertices follows
 * it with a weight of one half, and no other node. */
TEST(x_with_shear_ticks_and_halves)
{
    static const char x[] = "xof 0303txt 0032\n"
                            "Frame Root {\n"
                            " FrameTransformMatrix { "
                            "1.0,0.0,0.0,0.0,0.5,1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0;; }\n"
                            " Mesh m {\n"
                            "  3; 0.0;0.0;0.0;, 1.0;0.0;0.0;, 0.0;1.0;0.0;;\n"
                            "  1; 3;0,1,2;;\n"
                            "  XSkinMeshHeader { 1; 1; 1; }\n"
                            "  SkinWeights { \"Root\"; 3; 0,1,2; 0.5,0.5,0.5; "
                            "1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0;; }\n"
                            " }\n"
                            "}\n"
                            "AnimationSet walk { Animation a { {Root} AnimationKey { 2; 2; "
                            "0;3;0.0,0.0,0.0;;, 10;3;1.0,0.0,0.0;;; } } }\n";
    facet_error error;
    facet_options options = {0};
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    facet_scene *scene = load_bytes(x, sizeof x - 1, "a.x", &options);
    assert_non_null(test_finding(options.report, "ASSIMP-SHEAR"));
    assert_non_null(test_finding(options.report, "ASSIMP-TICKS"));
    assert_int_equal(test_finding(options.report, "ASSIMP-WEIGHTS")->count, 3);
    assert_true(*(float *)facet_mesh_find(scene->meshes[0], FACET_WEIGHTS, 0)->data == 1);
    /* The second key is at tick 10, at 25 ticks per second. */
    const facet_channel *channel = &scene->animations[0]->channels[0];
    assert_float_equal(channel->times[channel->key_count - 1], 0.4F, 1e-6F);
    facet_scene_free(scene);
    facet_report_free(options.report);
}

/* -- The same model in two formats -------------------------------------- */

TEST(spider_is_equal_in_obj_and_fbx)
{
    TEST_NEEDS_CORPUS();
    TEST_NEEDS_MODEL("FBX/spider.fbx");
    facet_scene *obj = load_file(test_corpus("obj/spider.obj"), NULL);
    facet_scene *fbx = load_file(TEST_MODELS "FBX/spider.fbx", NULL);
    assert_int_equal(fbx->mesh_count, obj->meshes[0]->part_count);
    assert_int_equal(count_faces(fbx), count_faces(obj));
    assert_int_equal(fbx->material_count, 4);
    for (uint32_t i = 0; i < obj->meshes[0]->part_count; i++) {
        const facet_part *part = &obj->meshes[0]->parts[i];
        bool found = false;
        for (uint32_t k = 0; k < fbx->mesh_count; k++)
            found |= strcmp(fbx->meshes[k]->name, part->group) == 0 &&
                     fbx->meshes[k]->face_count == part->face_count;
        if (!found)
            fail_msg("no mesh '%s' of %u faces", part->group, part->face_count);
    }
    facet_scene_free(fbx);
    facet_scene_free(obj);
}

/* assimp 5.2 reads files of Blender up to 2.93. The error for others names a way. */
TEST(new_blend_is_an_error_with_a_way)
{
    static const uint8_t bytes[64] = "BLENDER-v304REND";
    facet_source source = facet_source_from_memory(bytes, sizeof bytes, "a.blend");
    facet_scene *scene = NULL;
    facet_error error;
    assert_int_equal(facet_load(&source, NULL, NULL, NULL, &scene, &error), FACET_ERROR_MALFORMED);
    assert_string_equal(error.rule, "ASSIMP");
    assert_non_null(strstr(error.message, "export a glTF from Blender instead"));
}

/* FBX metadata: global_settings.fbx defines the up axis and the length of a unit. */
TEST(fbx_metadata_sets_axes_and_unit)
{
    TEST_NEEDS_MODEL("FBX/global_settings.fbx");
    facet_scene *scene = load_file(TEST_MODELS "FBX/global_settings.fbx", NULL);
    assert_true(scene->axes.unit > 0);
    assert_false(scene->axes.left_handed);
    assert_null(scene->extras); /* the frame is read; the file has nothing else */
    facet_scene_free(scene);
}

/* A skinned X file: three bones, weights that sum to 1, and an animation. */
TEST(skinned_x_has_weights_and_animation)
{
    TEST_NEEDS_MODEL("X/anim_test.x");
    facet_scene *scene = load_file(TEST_MODELS "X/anim_test.x", NULL);
    assert_int_equal(scene->skin_count, 1);
    assert_int_equal(scene->animation_count, 1);
    const facet_mesh *mesh = scene->meshes[0];
    const facet_stream *weights = facet_mesh_find(mesh, FACET_WEIGHTS, 0);
    const facet_stream *joints = facet_mesh_find(mesh, FACET_JOINTS, 0);
    assert_true(weights && joints && weights->count == mesh->streams[0].count);
    for (uint32_t i = 0; i < weights->count; i++) {
        const float *w = (const float *)weights->data + (size_t)i * 4;
        assert_true(fabsf(w[0] + w[1] + w[2] + w[3] - 1) < 1e-5F);
        for (int k = 0; k < 4; k++)
            assert_true(((const uint16_t *)joints->data)[i * 4 + (uint32_t)k] <
                        scene->skins[0]->joint_count);
    }
    uint32_t users = 0;
    for (uint32_t i = 0; i < scene->node_count; i++)
        users += scene->nodes[i]->skin == 0 && scene->nodes[i]->mesh == 0;
    assert_int_equal(users, 1);
    assert_true(facet_animation_duration(scene->animations[0]) > 0);
    facet_scene_free(scene);
}

/* All files that are small enough load, and give a valid scene. */
TEST(other_formats_give_valid_scenes)
{
    static const char *const files[] = {
        "3DS/test1.3ds",      "BLEND/box.blend",  "LWO/LWO2/boxuv.lwo",   "AC/Wuson.ac",
        "B3D/WusonBlitz.b3d", "MD2/faerie.md2",   "MS3D/twospheres.ms3d", "NFF/NFF/sphere.nff",
        "OFF/Cube.off",       "SMD/triangle.smd", "X/test_cube_binary.x", "Collada/duck.dae",
        "FBX/phong_cube.fbx", "BVH/01_01.bvh",    "3MF/box.3mf"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[200];
        snprintf(path, sizeof path, "%s%s", TEST_MODELS, files[i]);
        FILE *file = fopen(path, "rb");
        if (!file)
            continue;
        fclose(file);
        facet_scene *scene = load_file(path, NULL);
        assert_true(scene->mesh_count > 0 || scene->animation_count > 0);
        facet_scene_free(scene);
    }
}

/* Colors of OFF go to 1 or to 255. The name that assimp gives to its own root is not the file's. */
TEST(off_colors_are_fractions)
{
    static const struct {
        const char *colors[3];
        float red, alpha;
    } cases[] = {{{"255 0 0 51", "0 255 0 255", "0 0 255 255"}, 1, 0.2F},
                 {{"1 0 0 0.5", "0 1 0 1", "0 0 1 1"}, 1, 0.5F}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300];
        facet_error error;
        facet_scene *scene = NULL;
        int size =
            snprintf(text, sizeof text, "COFF\n3 1 0\n0 0 0 %s\n1 0 0 %s\n1 1 0 %s\n3 0 1 2\n",
                     cases[i].colors[0], cases[i].colors[1], cases[i].colors[2]);
        facet_source source = {.data = (uint8_t *)text, .size = (size_t)size, .name = "a.off"};
        TEST_OK(facet_load(&source, NULL, NULL, NULL, &scene, &error), &error);
        const facet_stream *colors = facet_mesh_find(scene->meshes[0], FACET_COLOR, 0);
        const float *first = colors->data;
        assert_true(fabsf(first[0] - cases[i].red) < 1e-6F && first[1] == 0 && first[2] == 0);
        assert_true(fabsf(first[3] - cases[i].alpha) < 1e-6F);
        assert_string_equal(scene->meshes[0]->name, "");
        facet_scene_free(scene);
    }
}

/* OFF may have a color after the indices of a face. assimp reads only those of vertices. */
TEST(off_reports_colors_of_faces)
{
    static const struct {
        const char *text;
        uint64_t line, count;
    } cases[] = {
        {"OFF\n# two\n4 2 0\n0 0 0\n1 0 0\n\n0 1 0\n1 1 0\n3 0 1 2 # 1 2 3\n3 1 3 2 1 0 0\n", 10,
         1},
        {"OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2 255 0 0\n3 0 2 1 4\n", 6, 2},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", 0, 0},
        {"COFF\n3 1 0\n0 0 0 1 0 0 1\n1 0 0 1 0 0 1\n0 1 0 1 0 0 1\n3 0 1 2\n", 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_error error;
        facet_scene *scene = NULL;
        facet_options options = {0};
        facet_source source = {
            .data = (const uint8_t *)cases[i].text, .size = strlen(cases[i].text), .name = "a.off"};
        TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
        TEST_OK(facet_load(&source, NULL, NULL, &options, &scene, &error), &error);
        const facet_finding *finding = test_finding(options.report, "LOSS-COLORS");
        assert_int_equal(finding ? finding->count : 0, cases[i].count);
        assert_int_equal(finding ? finding->line : 0, cases[i].line);
        facet_scene_free(scene);
        facet_report_free(options.report);
    }
}

/* -- Sibling files ------------------------------------------------------- */

TEST(siblings_are_read_from_the_folder)
{
    TEST_NEEDS_MODEL("LWS/move_x.lws");
    facet_scene *scene = load_file(TEST_MODELS "LWS/move_x.lws", NULL);
    assert_true(scene->mesh_count > 0); /* from its sibling simple_cube.lwo */
    facet_scene_free(scene);

    /* The same bytes without a directory have no siblings. */
    facet_error error;
    facet_file *file = NULL;
    TEST_OK(facet_file_open(TEST_MODELS "LWS/move_x.lws", NULL, &file, &error), &error);
    facet_source source = {.data = facet_file_source(file).data,
                           .size = facet_file_source(file).size};
    source.name = TEST_MODELS "LWS/move_x.lws";
    scene = NULL;
    facet_status status = facet_load(&source, NULL, NULL, NULL, &scene, &error);
    assert_true(status == FACET_ERROR_MALFORMED || scene->mesh_count == 0);
    facet_scene_free(scene);
    facet_file_close(file);
}

/* -- Untrusted input ------------------------------------------------------ */

static facet_status load_with(const facet_allocator *allocator, void *user)
{
    const char *text = user;
    facet_options options = {.allocator = allocator};
    facet_scene *scene = NULL;
    facet_source source = {.data = (const uint8_t *)text, .size = strlen(text), .name = "a.dae"};
    facet_status status = facet_load(&source, NULL, NULL, &options, &scene, NULL);
    facet_scene_free(scene);
    return status;
}

TEST(read_reports_failed_allocations)
{
    test_every_allocation(load_with, (void *)(uintptr_t)small_dae);
}

/* -- Check and describe ------------------------------------------------- */

TEST(check_and_describe)
{
    facet_error error;
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_source source = {.data = (const uint8_t *)"<COLLADA>\n", .size = 10, .name = "a.dae"};
    TEST_OK(facet_check(&source, NULL, NULL, report, &error), &error);
    assert_non_null(test_finding(report, "ASSIMP"));
    assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR), 1);
    facet_report_free(report);

    facet_description *description = NULL;
    source.data = (const uint8_t *)small_dae;
    source.size = sizeof small_dae - 1;
    TEST_OK(facet_describe(&source, NULL, NULL, &description, &error), &error);
    assert_int_equal(description->materials, 2);
    assert_int_equal(description->triangles, description->faces);
    assert_true(description->has_bounds);
    facet_description_free(description);
}

#else

/* A build without assimp reports that the format is absent. */
TEST(build_without_assimp_reports_absent_format)
{
    facet_error error;
    facet_scene *scene = NULL;
    facet_source source = {.data = (const uint8_t *)"MM", .size = 2, .name = "a.3ds"};
    assert_int_equal(facet_load(&source, NULL, NULL, NULL, &scene, &error),
                     FACET_ERROR_UNSUPPORTED);
    assert_string_equal(error.rule, "FORMAT-ABSENT");
}

#endif
