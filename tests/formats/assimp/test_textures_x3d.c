/* Textures and lists of texts in an X3D. */
#include "support/models.h"

#ifdef FACET_HAVE_ASSIMP

/* X3D 3.3, 18.4.2: url is a list of texts in quotes, and a texture repeats by default. Without
 * quotes, the list is invalid, but some programs write it. */
TEST(x3d_textures_have_their_path_and_wrap)
{
    static const struct {
        const char *attributes, *path;
        facet_wrap u, v;
    } cases[] = {
        {"url='\"t.png\"'", "t.png", FACET_WRAP_REPEAT, FACET_WRAP_REPEAT},
        {"url=\"&quot;t.png&quot;\"", "t.png", FACET_WRAP_REPEAT, FACET_WRAP_REPEAT},
        {"url='\"t.png\" \"http://a.example/t.png\"'", "t.png", FACET_WRAP_REPEAT,
         FACET_WRAP_REPEAT},
        {"url='\"a.png\",\"b.png\"'", "a.png", FACET_WRAP_REPEAT, FACET_WRAP_REPEAT},
        {"url='\"my long name.png\"'", "my long name.png", FACET_WRAP_REPEAT, FACET_WRAP_REPEAT},
        {"url=\"t.png\" repeatS='false'", "t.png", FACET_WRAP_CLAMP, FACET_WRAP_REPEAT},
        {"url='\"t.png\"' repeatS='true' repeatT='false'", "t.png", FACET_WRAP_REPEAT,
         FACET_WRAP_CLAMP},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000];
        int size = snprintf(
            text, sizeof text,
            "<X3D version=\"3.0\"><Scene><Shape><Appearance><Material/><ImageTexture %s/>"
            "</Appearance><IndexedFaceSet coordIndex=\"0 1 2 -1\"><Coordinate point=\"0 0 0 1 0 0 "
            "0 1 0\"/><TextureCoordinate point=\"0 0 1 0 1 1\"/></IndexedFaceSet></Shape></Scene>"
            "</X3D>",
            cases[i].attributes);
        assert_true(size > 0 && (size_t)size < sizeof text);
        facet_scene *scene = load_bytes(text, (size_t)size, "a.x3d", NULL);
        assert_int_equal(scene->material_count, 1);
        const facet_texture *map = scene->materials[0]->maps[FACET_MAP_DIFFUSE];
        assert_non_null(map);
        assert_string_equal(map->path, cases[i].path);
        assert_int_equal(map->wrap_u, cases[i].u);
        assert_int_equal(map->wrap_v, cases[i].v);
        facet_scene_free(scene);
    }
}

/* A list of texts that ends inside quotes, or is empty, does not refuse the file. */
TEST(x3d_lists_of_texts_are_read)
{
    static const char *const values[] = {"'\"a\" \"b c\" \"\"'", "'\"'", "'\"\"'", "\"a b\"",
                                         "'\"a\"\"b c\"\"d\"'"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[600];
        int size = snprintf(text, sizeof text,
                            "<X3D version=\"3.0\"><Scene><Shape><MetadataString name='n' value=%s/>"
                            "<IndexedFaceSet coordIndex=\"0 1 2 -1\"><Coordinate point=\"0 0 0 1 0 "
                            "0 0 1 0\"/></IndexedFaceSet></Shape></Scene></X3D>",
                            values[i]);
        facet_scene *scene = load_bytes(text, (size_t)size, "a.x3d", NULL);
        assert_int_equal(count_faces(scene), 1);
        facet_scene_free(scene);
    }
}

#endif
