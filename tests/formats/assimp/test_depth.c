/* Input and scenes nested so deeply that assimp overflows the stack, and elements hidden from the
 * scan that precedes assimp. */
#include "support/models.h"

#ifdef FACET_HAVE_ASSIMP

/* The maximum depth in formats/assimp/file/scan.h. */
#define MAX_DEPTH 1000
#define SPACE 200000

static facet_status load(const void *data, size_t size, const char *name, facet_error *error)
{
    facet_source source = {.data = data, .size = size, .name = name};
    facet_scene *scene = NULL;
    facet_status status = facet_load(&source, NULL, NULL, NULL, &scene, error);
    facet_scene_free(scene);
    return status;
}

/* Append a text `count` times. */
static void repeat(char *text, const char *part, int count)
{
    char *end = text + strlen(text);
    for (int i = 0; i < count; i++) {
        memcpy(end, part, strlen(part) + 1);
        end += strlen(part);
    }
}

static bool is_too_deep(const facet_error *error)
{
    return error->status == FACET_ERROR_UNSUPPORTED &&
           strstr(error->message, "nested more than 1,000 levels deep");
}

/* -- FBX ---------------------------------------------------------------- */

TEST(nested_scopes_of_a_text_fbx_are_limited)
{
    /* Brackets in quotes and comments do not count. */
    static const char *const scopes[] = {"a: {\n", "a: \"}\n}\", {\n", "a: { ;}\n", "a: ;\"\n{\n"};
    for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++) {
        char *text = calloc(SPACE, 1);
        for (int more = 0; more < 2; more++) {
            facet_error error = {0};
            strcpy(text, "; FBX 7.4.0 project file\n");
            repeat(text, scopes[i], MAX_DEPTH + more);
            repeat(text, "}\n", MAX_DEPTH + more);
            assert_int_not_equal(load(text, strlen(text), "a.fbx", &error), FACET_OK);
            assert_int_equal(is_too_deep(&error), more);
            if (more && i == 0)
                assert_int_equal(error.line, MAX_DEPTH + 2);
        }
        free(text);
    }
}

static void store(uint8_t *at, size_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

/* A file of nested records "a". `zeros`: bytes before each nested record that assimp skips. */
static size_t nest_records(uint8_t *bytes, size_t depth, size_t zeros)
{
    const size_t head = 14, tail = 13, size = 27 + depth * (head + zeros + tail) + tail;
    memset(bytes, 0, size);
    memcpy(bytes, "Kaydara FBX Binary  \0\x1a\0\xe8\x1c", 25); /* 7400 */
    for (size_t i = 0, at = 27; i < depth; i++, at += head + zeros) {
        store(bytes + at, size - tail * (i + 1));
        bytes[at + 12] = 1;
        bytes[at + 13] = 'a';
    }
    return size;
}

TEST(nested_records_of_a_binary_fbx_are_limited)
{
    uint8_t *bytes = malloc(SPACE);
    for (size_t zeros = 0; zeros <= 8; zeros += 4) {
        for (size_t more = 0; more < 2; more++) {
            facet_error error = {0};
            size_t size = nest_records(bytes, MAX_DEPTH + more, zeros);
            assert_int_not_equal(load(bytes, size, "a.fbx", &error), FACET_OK);
            assert_int_equal(is_too_deep(&error), more);
            if (more)
                assert_int_equal(error.offset, 27 + MAX_DEPTH * (14 + zeros));
        }
    }
    /* assimp compares 18 bytes of the magic. */
    facet_error error = {0};
    size_t size = nest_records(bytes, MAX_DEPTH + 1, 0);
    bytes[18] = 'x';
    assert_int_not_equal(load(bytes, size, "a.fbx", &error), FACET_OK);
    assert_true(is_too_deep(&error));
    free(bytes);
}

/* -- XML ---------------------------------------------------------------- */

TEST(nested_elements_of_xml_are_limited)
{
    static const struct {
        const char *name, *begin, *open, *close, *end;
    } files[] = {
        {"a.dae", "<COLLADA version=\"1.4.1\"><library_nodes>", "<node>", "</node>",
         "</library_nodes></COLLADA>"},
        {"a.xgl", "<WORLD><DATA>", "<OBJECT>", "</OBJECT>", "</DATA></WORLD>"},
        {"a.x3d", "<X3D><Scene>", "<Group>", "</Group>", "</Scene></X3D>"},
        {"a.amf", "<!---><?--><amf><a>", "<object>", "</object>", "</a></amf>"},
    };
    char *text = calloc(SPACE, 1);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        for (int more = 0; more < 2; more++) {
            facet_error error = {0};
            strcpy(text, files[i].begin);
            repeat(text, files[i].open, MAX_DEPTH - 2 + more);
            repeat(text, files[i].close, MAX_DEPTH - 2 + more);
            strcat(text, files[i].end);
            load(text, strlen(text), files[i].name, &error);
            assert_int_equal(is_too_deep(&error), more);
        }
    }
    free(text);
}

/* -- Hidden elements --------------------------------------------------- */

#define SKEW                                                                                     \
    "<COLLADA version=\"1.4.1\"><library_visual_scenes><visual_scene id=\"s\"><node><skew>45 0 " \
    "1 0 1 0 0</skew></node></visual_scene></library_visual_scenes><scene>"                      \
    "<instance_visual_scene url=\"#s\"/></scene></COLLADA>"

/* assimp ends the process at each of these. */
TEST(hidden_skew_is_an_error)
{
    static const struct {
        const char *text, *message;
    } files[] = {
        {"<!--> <![CDATA[ -->" SKEW "<!-- ]]> -->", "<skew>"},
        {"Text " SKEW, "<skew>"},
        {"<a>" SKEW "</a>", "<skew>"},
        {"<!DOCTYPE a [<?x ' ?>]>" SKEW "<!-- ' -->", "<!DOCTYPE>"},
        {"<!DOCTYPE a <?x ' ?>>" SKEW "<!-- ' -->", "<!DOCTYPE>"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        facet_error error = {0};
        facet_status status = load(files[i].text, strlen(files[i].text), "a.dae", &error);
        assert_int_equal(status, FACET_ERROR_UNSUPPORTED);
        assert_non_null(strstr(error.message, files[i].message));
    }
}

static facet_status open_skew(const facet_source *source, const char *name, facet_source *sibling,
                              facet_error *error)
{
    (void)source, (void)error;
    if (strcmp(name, "a.dae") != 0)
        return FACET_ERROR_IO;
    *sibling = (facet_source){.data = (const uint8_t *)SKEW, .size = sizeof SKEW - 1};
    return FACET_OK;
}

/* A LightWave scene names models in any format. */
TEST(skew_in_a_sibling_is_an_error)
{
    static const char text[] = "LWSC\n3\nLoadObjectLayer 1 a.dae\n";
    facet_source source = {.data = (const uint8_t *)text, .size = sizeof text - 1, .name = "a.lws"};
    facet_scene *scene = NULL;
    facet_error error = {0};
    source.open_sibling = open_skew;
    assert_int_equal(facet_load(&source, NULL, NULL, NULL, &scene, &error),
                     FACET_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "<skew>"));
}

/* -- Output ------------------------------------------------------------- */

TEST(nested_nodes_of_an_output_are_limited)
{
    static const char *const formats[] = {"dae", "fbx"};
    for (int i = 0; i < 4; i++) {
        uint32_t count = MAX_DEPTH + (uint32_t)i % 2;
        facet_scene *scene = NULL;
        facet_output *output = NULL;
        facet_error error = {0};
        TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
        for (uint32_t n = 0; n < count; n++) {
            facet_node *node = NULL;
            TEST_OK(facet_scene_add_node(scene, "n", &node, &error), &error);
            node->parent = n > 0 ? n - 1 : FACET_NONE;
        }
        TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
        facet_status status =
            facet_save(scene, facet_format_named(formats[i / 2]), NULL, output, &error);
        assert_int_equal(status, i % 2 ? FACET_ERROR_UNSUPPORTED : FACET_OK);
        assert_int_equal(is_too_deep(&error), i % 2);
        facet_output_free(output);
        facet_scene_free(scene);
    }
}

#endif
