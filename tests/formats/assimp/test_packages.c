/* Reading ZIP packages through assimp: 3MF and ZAE. */
#include "support/models.h"
#include "support/zip.h"

#ifdef FACET_HAVE_ASSIMP

/* -- 3MF ---------------------------------------------------------------- */

static const char *const model_parts[3][2] = {
    {"[Content_Types].xml", "<Types/>"},
    {"_rels/.rels",
     "<Relationships><Relationship Target=\"/3D/3dmodel.model\" Id=\"a\" Type=\"http://"
     "schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel\"/></Relationships>"},
    {"3D/3dmodel.model",
     "<model unit=\"millimeter\"><resources><object id=\"1\" type=\"model\"><mesh><vertices>"
     "<vertex x=\"0\" y=\"0\" z=\"0\"/><vertex x=\"1\" y=\"0\" z=\"0\"/>"
     "<vertex x=\"0\" y=\"1\" z=\"0\"/></vertices><triangles>"
     "<triangle v1=\"0\" v2=\"1\" v3=\"2\"/></triangles></mesh></object></resources>"
     "<build><item objectid=\"1\"/></build></model>"},
};

TEST(zip64_3mf_has_its_triangle)
{
    zip_bytes zip;
    for (int record = 0; record < 2; record++) {
        make_zip(&zip, model_parts, 3, record);
        facet_scene *scene = load_bytes((const char *)zip.data, zip.size, "a.3mf", NULL);
        assert_int_equal(scene->mesh_count, 1);
        assert_int_equal(scene->meshes[0]->face_count, 1);
        facet_scene_free(scene);
    }
}

/* Every truncated file, and every byte of the tables changed: read or refused. */
TEST(damaged_3mf_is_read_or_refused)
{
    zip_bytes zip;
    make_zip(&zip, model_parts, 3, true);
    for (size_t i = 0; i < zip.size * 2; i++) {
        uint8_t *copy = malloc(zip.size);
        facet_scene *scene = NULL;
        facet_error error;
        assert_non_null(copy);
        memcpy(copy, zip.data, zip.size);
        facet_source source = {.data = copy, .size = zip.size, .name = "a.3mf"};
        if (i < zip.size)
            source.size = i;
        else
            copy[i - zip.size] ^= 0xFF;
        if (!facet_load(&source, NULL, NULL, NULL, &scene, &error))
            facet_scene_free(scene);
        free(copy);
    }
}

/* The model that the relationships name is missing: an error, not an empty scene. */
TEST(package_without_its_model)
{
    static const char name[] = "3D/3dmodel.model";
    zip_bytes zip;
    facet_scene *scene = NULL;
    facet_error error;
    make_zip(&zip, model_parts, 3, true);
    for (size_t at = 0; at + sizeof name - 1 <= zip.size; at++) {
        if (memcmp(zip.data + at, name, sizeof name - 1) == 0 && zip.data[at - 1] != '/')
            zip.data[at] = '2'; /* in both headers, not in the relationships */
    }
    facet_source source = {.data = zip.data, .size = zip.size, .name = "a.3mf"};
    assert_int_equal(facet_load(&source, NULL, NULL, NULL, &scene, &error), FACET_ERROR_MALFORMED);
    assert_non_null(strstr(error.message, "'3D/3dmodel.model'"));
}

/* assimp ends the process at a <skew>, also in the COLLADA of an archive. */
TEST(skew_in_an_archive_is_an_error)
{
    static const char *const files[][2] = {
        {"manifest.xml", "<?xml version=\"1.0\"?><dae_root>./a.dae</dae_root>"},
        {"a.dae", "<COLLADA version=\"1.4.1\"><library_visual_scenes><visual_scene id=\"s\">\n"
                  "<node><skew>45 0 1 0 1 0 0</skew></node></visual_scene></library_visual_scenes>"
                  "<scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>"}};
    zip_bytes zip;
    facet_scene *scene = NULL;
    facet_error error;
    make_zip(&zip, files, 2, false);
    facet_source source = {.data = zip.data, .size = zip.size, .name = "a.zae"};
    assert_int_equal(facet_load(&source, NULL, NULL, NULL, &scene, &error),
                     FACET_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "<skew>"));
    assert_int_equal(error.line, 2);
}

#endif
