/* Written files and the JavaScript package parse-bga-mesh: both report equal attributes, offsets
 * and values.
 *
 * Needs node, and the package under FACET_NPM. */
#include "formats/bga/bga.h"
#include "support/support.h"

#include <facet/bga.h>
#include <facet/convert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NEEDS_NPM()                                                                    \
    do {                                                                               \
        if (!package_is_there()) {                                                     \
            print_message("node or parse-bga-mesh is missing (FACET_NPM): skipped\n"); \
            skip();                                                                    \
        }                                                                              \
    } while (0)

static bool package_is_there(void)
{
    char package[4096];
    const char *npm = getenv("FACET_NPM");
    snprintf(package, sizeof package, "%s/node_modules/parse-bga-mesh/package.json",
             npm ? npm : "");
    return npm && access(package, R_OK) == 0 && system("node --version >/dev/null 2>&1") == 0;
}

/* -- Transcripts --------------------------------------------------------- */

typedef struct transcript {
    char text[400000];
    size_t used;
    char files[40000]; /* arguments of the script */
    size_t files_used;
    unsigned file_count;
    bool hostile; /* true: files may be refused */
} transcript;

static void say(transcript *t, const char *format, ...) FACET_PRINTF(2, 3);
static void say(transcript *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    t->used += (size_t)vsnprintf(t->text + t->used, sizeof t->text - t->used, format, arguments);
    va_end(arguments);
    assert_true(t->used < sizeof t->text);
}

/* FNV-1a hash of the values as little-endian bytes. */
static uint32_t hash_of(const facet_bga *bga, const facet_bga_attribute *attribute)
{
    size_t base_size = facet_bga_base_size(attribute->base);
    size_t values = (size_t)attribute->count * attribute->components;
    uint8_t *bytes = malloc(values * base_size + 1);
    uint32_t hash = 0x811C9DC5;
    const uint16_t one = 1;
    assert_non_null(bytes);
    facet_bga_read_values(bga, attribute, 0, attribute->count, attribute->base, bytes);
    if (*(const uint8_t *)&one == 0)
        facet_bga_swap(bytes, bytes, values, base_size);
    for (size_t i = 0; i < values * base_size; i++)
        hash = (hash ^ bytes[i]) * 0x01000193;
    free(bytes);
    return hash;
}

static void describe(transcript *t, const uint8_t *data, size_t size)
{
    static const char *const bases[] = {"float", "uint8", NULL, "uint16", NULL, "uint32", NULL};
    static facet_bga bga;
    facet_error error;
    facet_status status = facet_bga_view(data, size, NULL, &bga, &error);
    if (status && t->hostile) {
        say(t, "refused\n--\n");
        return;
    }
    TEST_OK(status, &error);
    say(t, "%.*s %s\n", (int)bga.version_length, bga.version, bga.big_endian ? "big" : "little");
    for (uint32_t i = 0; i < bga.attribute_count; i++) {
        const facet_bga_attribute *a = &bga.attributes[i];
        const facet_bga_buffer *buffer = &bga.buffers[a->buffer];
        if (bases[a->base])
            say(t, "%.*s.%.*s %s %" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu32 "\n",
                (int)buffer->name_length, buffer->name, (int)a->name_length, a->name,
                bases[a->base], a->components, a->offset, a->stride, a->count, hash_of(&bga, a));
    }
    say(t, "--\n");
}

/* Keep a file for the script, and Facet's transcript of it. */
static void keep_bytes(transcript *t, const uint8_t *data, size_t size)
{
    char name[32];
    snprintf(name, sizeof name, "%u.bga", t->file_count++);
    const char *path = test_temporary(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    fclose(file);
    t->files_used +=
        (size_t)snprintf(t->files + t->files_used, sizeof t->files - t->files_used, " %s", path);
    assert_true(t->files_used < sizeof t->files);
    describe(t, data, size);
}

static void keep(transcript *t, facet_output *output)
{
    facet_error error;
    TEST_OK(facet_output_commit(output, &error), &error);
    keep_bytes(t, facet_output_data(output), (size_t)facet_output_size(output));
    facet_output_free(output);
}

/* -- Documents of every shape ------------------------------------------- */

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

static void keep_document(transcript *t, const facet_bga *bga)
{
    for (int mode = 0; mode < 4; mode++) {
        facet_options options = {0};
        facet_bga_options how = {0};
        options.bga = &how;
        facet_error error;
        facet_output *output;
        how.big_endian = mode & 1;
        how.separate_buffers = mode & 2;
        TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
        TEST_OK(facet_bga_write(bga, &options, output, &error), &error);
        keep(t, output);
    }
}

static void make_documents(transcript *t)
{
    static const facet_bga_type types[] = {FACET_BGA_FLOAT,  FACET_BGA_VEC2,   FACET_BGA_VEC3,
                                           FACET_BGA_VEC4,   FACET_BGA_MAT2,   FACET_BGA_MAT3,
                                           FACET_BGA_MAT4,   FACET_BGA_UINT8,  FACET_BGA_UINT8,
                                           FACET_BGA_UINT16, FACET_BGA_UINT16, FACET_BGA_UINT32};
    static uint8_t values[65536];
    static facet_bga bga;
    uint32_t random = 1;
    facet_error error;
    for (size_t i = 0; i < sizeof values; i++)
        values[i] = (uint8_t)next_random(&random);
    for (int document = 0; document < 40; document++) {
        char names[32][16];
        uint32_t buffers = 1 + next_random(&random) % 5, name = 0;
        facet_bga_begin(&bga);
        for (uint32_t b = 0; b < buffers; b++) {
            uint32_t attributes = 1 + next_random(&random) % 4;
            snprintf(names[name], sizeof names[name], "b%u", b);
            /* Sometimes a count of 0. */
            TEST_OK(facet_bga_add_buffer(&bga, names[name++], next_random(&random) % 40, &error),
                    &error);
            for (uint32_t a = 0; a < attributes; a++) {
                facet_bga_type type = types[next_random(&random) % (sizeof types / sizeof *types)];
                snprintf(names[name], sizeof names[name], "a%u", a);
                TEST_OK(facet_bga_add_attribute(&bga, names[name++], type,
                                                1 + next_random(&random) % 3,
                                                values + next_random(&random) % 4096, 0, &error),
                        &error);
            }
        }
        keep_document(t, &bga);
    }
}

/* -- Scenes ------------------------------------------------------------- */

static void keep_scene(transcript *t, const facet_scene *scene)
{
    for (int mode = 0; mode < 4; mode++) {
        facet_options options = {0};
        facet_bga_options how = {0};
        options.bga = &how;
        facet_error error;
        facet_output *output;
        how.big_endian = mode & 1;
        how.separate_buffers = mode & 2;
        TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
        TEST_OK(facet_save(scene, facet_format_named("bga"), &options, output, &error), &error);
        keep(t, output);
    }
}

static void make_scenes(transcript *t)
{
    static const char *const files[] = {"bga/teapot.v1.bga", "bga/teapot.v2.bga",
                                        "bga/fish.big-endian.v2.bga"};
    for (size_t i = 0; test_corpus("") && i < sizeof files / sizeof *files; i++) {
        facet_file *file;
        facet_scene *scene;
        facet_stream *stream;
        facet_error error;
        TEST_OK(facet_file_open(test_corpus(files[i]), NULL, &file, &error), &error);
        facet_source source = facet_file_source(file);
        TEST_OK(facet_load(&source, NULL, NULL, NULL, &scene, &error), &error);
        /* Signed values, which the package does not support, must not hide the rest. */
        facet_mesh *mesh = scene->meshes[0];
        uint32_t count = mesh->streams[0].count;
        TEST_OK(facet_mesh_add_stream(mesh, FACET_CUSTOM, 0, "temperature", FACET_INT16, 2, count,
                                      &stream, &error),
                &error);
        memset(stream->data, 0x5A, (size_t)count * 4);
        stream->indices = mesh->streams[0].indices;
        keep_scene(t, scene);
        facet_scene_free(scene);
        facet_file_close(file);
    }
}

/* -- The comparison ----------------------------------------------------- */

/* The transcript of the script for the files that were kept. */
static void ask_the_package(const transcript *ours, char *theirs, size_t space)
{
    static char command[60000];
    snprintf(command, sizeof command, "node '%s' '%s/node_modules' %s",
             test_path("formats/bga/bga_parse.js"), getenv("FACET_NPM"), ours->files);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t size = fread(theirs, 1, space - 1, pipe);
    theirs[size] = '\0';
    assert_int_equal(pclose(pipe), 0);
}

TEST(the_package_agrees)
{
    NEEDS_NPM();
    static transcript ours;
    static char theirs[sizeof ours.text];
    make_documents(&ours);
    make_scenes(&ours);
    ask_the_package(&ours, theirs, sizeof theirs);
    print_message("%u files\n", ours.file_count);
    const char *a = ours.text, *b = theirs;
    while (*a || *b) {
        size_t a_length = strcspn(a, "\n"), b_length = strcspn(b, "\n");
        if (a_length != b_length || memcmp(a, b, a_length) != 0)
            fail_msg("ours '%.*s', theirs '%.*s'", (int)a_length, a, (int)b_length, b);
        a += a_length + (a[a_length] != 0);
        b += b_length + (b[b_length] != 0);
    }
}

/* -- Changed headers ----------------------------------------------------- */

/* Replace, remove or double a character of the header, or remove a line. */
static size_t change(uint8_t *data, size_t size, size_t header, uint32_t *random)
{
    static const char others[] = " .[]0123489/\nuvx_-";
    size_t at = 8 + next_random(random) % (header - 8), length = 1;
    switch (next_random(random) % 4) {
    case 0:
        data[at] = (uint8_t)others[next_random(random) % (sizeof others - 1)];
        return size;
    case 1:
        memmove(data + at + 1, data + at, size - at);
        return size + 1;
    case 2:
        while (at > 0 && data[at - 1] != '\n')
            at--;
        while (at + length < size && data[at + length - 1] != '\n')
            length++;
        break;
    default:
        break;
    }
    memmove(data + at, data + at + length, size - at - length);
    return size - length;
}

static void keep_changed(transcript *t, uint32_t *random)
{
    static const char header[] = "BGA 2.0\nlittle endian\nvec3 vertex.position\nvec2 "
                                 "vertex.uv[2]\nuint8 vertex.tag\nuint32 triangle.cell[3]\n"
                                 "3 vertex\n1 triangle // one\n\n";
    uint8_t data[1024] = {0};
    size_t size = sizeof header - 1 + 3 * (12 + 16 + 1) + 1 + 12;
    memcpy(data, header, sizeof header - 1);
    for (size_t i = sizeof header - 1; i < sizeof data; i++)
        data[i] = (uint8_t)i;
    for (uint32_t changes = 1 + next_random(random) % 2; changes > 0; changes--)
        size = change(data, size, sizeof header - 4, random);
    keep_bytes(t, data, size);
}

/* If both read a file, they read the same. The package ignores lines that it does not understand,
 * so it reads more files. It has no offsets after a buffer without a count or with signed values,
 * so it reads fewer attributes. */
TEST(changed_headers_are_read_as_by_npm)
{
    NEEDS_NPM();
    static transcript ours;
    static char theirs[sizeof ours.text];
    const char *asked = getenv("FACET_MUTANTS");
    uint32_t random = 5, alike = 0, here = 0, there = 0, both = 0;
    for (long left = asked ? atol(asked) : 300; left > 0; left -= 300) {
        memset(&ours, 0, sizeof ours);
        ours.hostile = true;
        for (int i = 0; i < 300; i++)
            keep_changed(&ours, &random);
        ask_the_package(&ours, theirs, sizeof theirs);
        const char *a = ours.text, *b = theirs;
        for (int i = 0; i < 300; i++) {
            const char *a_end = strstr(a, "--\n"), *b_end = strstr(b, "--\n");
            assert_true(a_end && b_end);
            bool refused = strncmp(a, "refused", 7) == 0, other = strncmp(b, "refused", 7) == 0;
            alike += !refused && !other;
            here += refused && !other;
            both += refused && other;
            there += !refused && other;
            if (!refused && !other &&
                (a_end - a != b_end - b || memcmp(a, b, (size_t)(a_end - a)) != 0))
                fail_msg("%s: ours:\n%.*stheirs:\n%.*s", test_temporary(""), (int)(a_end - a), a,
                         (int)(b_end - b), b);
            a = a_end + 3;
            b = b_end + 3;
        }
    }
    print_message("%u read alike, %u refused here alone, %u there alone, %u by both\n", alike, here,
                  there, both);
    assert_true(alike > 0 && both > 0);
}
