/* A memory limit of the caller is reported as such by every function, and holds for outputs in
 * memory. Failed allocations are a different error. The caller can take memory outputs. */
#include "base/output.h"
#include "support/mesh.h"
#include "support/models.h"

#include <facet/facet.h>

/* A grid of n * n * 2 triangles as an OBJ. */
static char *make_grid(uint32_t n, size_t *size)
{
    size_t space = (size_t)(n + 1) * (n + 1) * 32 + (size_t)n * n * 64, used = 0;
    char *text = malloc(space);
    assert_non_null(text);
    for (uint32_t i = 0; i < (n + 1) * (n + 1); i++)
        used +=
            (size_t)snprintf(text + used, space - used, "v %u %u 0\n", i % (n + 1), i / (n + 1));
    for (uint32_t i = 0; i < n * n; i++) {
        uint32_t a = i / n * (n + 1) + i % n + 1;
        used += (size_t)snprintf(text + used, space - used, "f %u %u %u\nf %u %u %u\n", a, a + 1,
                                 a + n + 2, a, a + n + 2, a + n + 1);
    }
    *size = used;
    return text;
}

/* -- memory_limit ------------------------------------------------------- */

/* Limits from 0 to enough. The grid's 10,201 vertices and 20,000 triangles have 122,412 bytes of
 * positions and 240,000 of indices, so less is always refused. The library guarantees that 16 times
 * the file plus 32 MiB is enough. Every error names the limit. */
TEST(load_names_the_memory_limit)
{
    size_t size;
    char *text = make_grid(100, &size);
    facet_source source = facet_source_from_memory(text, size, "grid.obj");
    unsigned refused = 0;
    for (uint64_t limit = 1; limit < size * 16 + (32u << 20); limit = limit * 3 / 2 + 1) {
        facet_options options = {.memory_limit = limit};
        facet_scene *scene = NULL;
        facet_error error;
        facet_status status =
            facet_load(&source, facet_format_named("obj"), NULL, &options, &scene, &error);
        if (!status)
            status = facet_prepare(scene, facet_format_named("bsm"), NULL, &options, NULL, &error);
        if (limit < 122412 + 240000)
            assert_int_not_equal(status, FACET_OK);
        if (status) {
            char named[32];
            snprintf(named, sizeof named, "%llu", (unsigned long long)limit);
            assert_int_equal(status, FACET_ERROR_MEMORY_LIMIT);
            assert_int_equal(error.status, FACET_ERROR_MEMORY_LIMIT);
            assert_string_equal(error.rule, "MEMORY-LIMIT");
            assert_non_null(strstr(error.message, named));
            refused++;
        }
        facet_scene_free(scene);
    }
    assert_true(refused >= 20);
    free(text);
}

/* -- JSON --------------------------------------------------------------- */

typedef struct tally {
    size_t live, peak;
} tally;

static void *count_block(void *user, size_t size)
{
    tally *all = user;
    all->live += size;
    all->peak = all->live > all->peak ? all->live : all->peak;
    return malloc(size);
}

static void uncount_block(void *user, void *block, size_t size)
{
    tally *all = user;
    all->live -= block ? size : 0;
    free(block);
}

/* 100,000 arrays of one integer each. An array and an integer have at least 16 bytes each, so the
 * tree has 3.2 MB. The caller's allocator provides them, and they count toward the limit. */
TEST(json_trees_count_toward_the_limit)
{
    enum { ARRAYS = 100000, LEAST = ARRAYS * 2 * 16 };
    static const char head[] = "{\"asset\":{\"version\":\"2.0\"},\"extras\":[[10]";
    size_t size = sizeof head - 1;
    char *text = malloc(sizeof head + (size_t)ARRAYS * 5 + 2);
    assert_non_null(text);
    memcpy(text, head, size);
    for (size_t i = 1; i < ARRAYS; i++, size += 5)
        memcpy(text + size, ",[10]", 5);
    memcpy(text + size, "]}", 2);
    facet_source source = facet_source_from_memory(text, size + 2, "a.gltf");
    const facet_format *format = facet_format_named("gltf");
    tally all = {0};
    const facet_allocator allocator = {count_block, uncount_block, &all};
    facet_options options = {.allocator = &allocator};
    facet_scene *scene = NULL;
    facet_error error = {0};
    TEST_OK(facet_load(&source, format, NULL, &options, &scene, &error), &error);
    facet_scene_free(scene);
    assert_int_equal(all.live, 0);
    assert_in_range(all.peak, LEAST, SIZE_MAX);
    options.memory_limit = LEAST;
    all.peak = 0;
    assert_int_equal(facet_load(&source, format, NULL, &options, &scene, &error),
                     FACET_ERROR_MEMORY_LIMIT);
    assert_string_equal(error.rule, "MEMORY-LIMIT");
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    assert_int_equal(facet_check(&source, format, &options, report, &error),
                     FACET_ERROR_MEMORY_LIMIT);
    assert_int_equal(all.live, 0);
    facet_report_free(report);
    free(text);
}

/* -- Allocators ---------------------------------------------------------- */

/* A failure of the allocator is not reported as the limit, even if one is set. */
static void *refuse(void *user, size_t size)
{
    (void)user, (void)size;
    return NULL;
}

TEST(failed_allocator_is_not_a_limit)
{
    const facet_allocator none = {refuse, NULL, NULL};
    facet_options options = {.memory_limit = 1, .allocator = &none};
    facet_source source = facet_source_from_memory("v 0 0 0\n", 8, "a.obj");
    facet_scene *scene = NULL;
    facet_error error;
    assert_int_equal(facet_load(&source, facet_format_named("obj"), NULL, &options, &scene, &error),
                     FACET_ERROR_MEMORY);
    assert_string_equal(error.rule, "");
}

/* A check at its memory limit reports no finding, because the file is not wrong. */
TEST(check_at_the_limit_reports_no_finding)
{
    static const char *const names[] = {"obj", "ply", "stl", "glb", "bpx", "bmd", "binarymesh"};
    size_t size;
    char *text = make_grid(100, &size);
    facet_source source = facet_source_from_memory(text, size, "grid.obj");
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(facet_load(&source, NULL, NULL, NULL, &scene, &error), &error);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const facet_format *format = facet_format_named(names[i]);
        facet_output *output = NULL;
        facet_report *report = NULL;
        facet_options options = {.memory_limit = 20000};
        if (!facet_format_can_write(format))
            continue;
        assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
        TEST_OK(facet_prepare(scene, format, NULL, NULL, NULL, &error), &error);
        TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
        TEST_OK(facet_save(scene, format, NULL, output, &error), &error);
        TEST_OK(facet_output_commit(output, &error), &error);
        facet_source made = facet_source_from_memory(facet_output_data(output),
                                                     (size_t)facet_output_size(output), NULL);
        facet_status status = facet_check(&made, format, &options, report, &error);
        if (status || facet_report_severity_count(report, FACET_SEVERITY_ERROR) > 0) {
            if (status != FACET_ERROR_MEMORY_LIMIT || strcmp(error.rule, "MEMORY-LIMIT") != 0)
                fail_msg("%s: status %d, rule '%s'", names[i], status, error.rule);
        }
        assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR), 0);
        facet_report_free(report);
        facet_output_free(output);
    }
    facet_scene_free(scene);
    free(text);
}

/* -- Several threads ------------------------------------------------------ */

/* Result of a whole conversion: status, message, findings and bytes. */
typedef struct outcome {
    char said[2048];
    facet_output *output;
} outcome;

static outcome convert(const facet_source *source, const facet_format *to,
                       const facet_threads *threads, uint64_t limit)
{
    outcome o = {.output = NULL};
    facet_report *report = NULL;
    facet_scene *scene = NULL;
    facet_error error = {.message = ""};
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_options options = {.threads = threads, .memory_limit = limit, .report = report};
    facet_load_options load = {.images = true};
    const char *call = "load";
    facet_status status = facet_load(source, NULL, &load, &options, &scene, &error);
    if (!status) {
        call = "prepare";
        status = facet_prepare(scene, to, NULL, &options, NULL, &error);
    }
    if (!status)
        status = facet_output_open_memory(NULL, &o.output, &error);
    if (!status) {
        call = "save";
        status = facet_save(scene, to, &options, o.output, &error);
    }
    if (!status)
        status = facet_output_commit(o.output, &error);
    int used = snprintf(o.said, sizeof o.said, "%s: %d, %s", call, (int)status,
                        status ? error.message : "");
    for (size_t i = 0; i < facet_report_count(report) && used < (int)sizeof o.said; i++)
        used += snprintf(o.said + used, sizeof o.said - (size_t)used, "; %s",
                         facet_report_get(report, i)->message);
    if (status) {
        facet_output_free(o.output);
        o.output = NULL;
    }
    facet_scene_free(scene);
    facet_report_free(report);
    return o;
}

/* Convert with one thread and twice with two. True if the limit is enough. */
static bool is_same(const facet_source *source, const facet_format *to, const facet_threads *two,
                    uint64_t limit)
{
    outcome one = convert(source, to, NULL, limit);
    bool is_enough = one.output != NULL;
    for (int again = 0; again < 2; again++) {
        outcome other = convert(source, to, two, limit);
        if (strcmp(one.said, other.said) != 0)
            fail_msg("%s, limit %llu: one thread '%s', two '%s'", facet_format_name(to),
                     (unsigned long long)limit, one.said, other.said);
        assert_int_equal(is_enough, other.output != NULL);
        if (is_enough) {
            assert_int_equal(facet_output_size(one.output), facet_output_size(other.output));
            assert_memory_equal(facet_output_data(one.output), facet_output_data(other.output),
                                (size_t)facet_output_size(one.output));
        }
        facet_output_free(other.output);
    }
    facet_output_free(one.output);
    return is_enough;
}

/* Limits up to two that are enough, where passes use one thread to save memory, and a limit far
 * above them, where they use two. */
static void compare_threads(const facet_source *source, const char *format,
                            const facet_threads *two, uint64_t least)
{
    const facet_format *to = facet_format_named(format);
    unsigned refused = 0, made = 0;
    for (uint64_t limit = least; made < 2; limit += limit / 2) {
        bool is_enough = is_same(source, to, two, limit);
        refused += !is_enough;
        made += is_enough;
    }
    assert_true(refused > 0); /* otherwise the test proves nothing */
    assert_true(is_same(source, to, two, 256 << 20));
}

/* Errors and their messages are the same with two threads. The grid has 72,600 corners, and a
 * thread welds 65,536. */
TEST(limits_are_the_same_with_two_threads)
{
    static const char *const names[] = {"bsm", "glb", "ply", "bga", "binarymesh", "bpx", "bmd"};
    const facet_threads *two = NULL;
    size_t size;
    char *text = make_grid(110, &size);
    facet_source source = facet_source_from_memory(text, size, "grid.obj");
    assert_int_equal(facet_threads_create(2, &two, NULL), FACET_OK);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (facet_format_can_write(facet_format_named(names[i])))
            compare_threads(&source, names[i], two, 64 << 10);
    }
    facet_threads_free(two);
    free(text);
}

static void write_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    fclose(file);
}

/* Two textures that threads encode as PNG: one of 1024 x 1024 texels, whose 4 MiB exceed the limit,
 * and a small one, so that each thread gets one. A texture without memory is an error and is not
 * left out of the file. */
TEST(textures_above_the_limit_are_errors)
{
    enum { SIDE = 1024, PACKETS = SIDE * SIDE / 128 };
    static const char mtl[] = "newmtl a\nmap_Kd a.tga\nnewmtl b\nmap_Kd b.tga\n";
    static const char obj[] = "mtllib two.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\n"
                              "vt 0 1\nusemtl a\nf 1/1 2/2 3/3\nusemtl b\nf 1/1 3/3 2/2\n";
    /* TGA: run lengths, 32 bits, top row first */
    uint8_t head[18] = {[2] = 10, [16] = 32, [17] = 0x28};
    uint8_t *large = malloc(sizeof head + PACKETS * 5), small[sizeof head + 5];
    const facet_threads *two = NULL;
    assert_non_null(large);
    head[12] = head[14] = 1;
    memcpy(small, head, sizeof head);
    memcpy(small + sizeof head, "\x80\x10\x20\x30\xff", 5);
    head[12] = head[14] = 0;
    head[13] = head[15] = SIDE >> 8;
    memcpy(large, head, sizeof head);
    for (size_t i = 0; i < PACKETS; i++) {
        uint8_t packet[5] = {0xff, (uint8_t)(i * 7), (uint8_t)(i * 3), (uint8_t)i, 0xff};
        memcpy(large + sizeof head + i * 5, packet, 5);
    }
    write_file(test_temporary("a.tga"), large, sizeof head + PACKETS * 5);
    write_file(test_temporary("b.tga"), small, sizeof small);
    write_file(test_temporary("two.mtl"), mtl, sizeof mtl - 1);
    write_file(test_temporary("two.obj"), obj, sizeof obj - 1);
    free(large);
    facet_file *file = NULL;
    facet_error error;
    TEST_OK(facet_file_open(test_temporary("two.obj"), NULL, &file, &error), &error);
    facet_source source = facet_file_source(file);
    assert_int_equal(facet_threads_create(2, &two, NULL), FACET_OK);
    const facet_format *glb = facet_format_named("glb");
    unsigned made = 0;
    for (uint64_t limit = 1 << 20; limit < 64 << 20 && made < 2; limit += limit / 16) {
        outcome o = convert(&source, glb, two, limit);
        assert_null(strstr(o.said, "left out"));
        made += o.output != NULL;
        facet_output_free(o.output);
    }
    assert_int_equal(made, 2);
    compare_threads(&source, "glb", two, 1 << 20);
    facet_threads_free(two);
    facet_file_close(file);
}

/* -- Outputs in memory -------------------------------------------------- */

TEST(memory_outputs_keep_the_limit)
{
    static const uint8_t bytes[600] = {1};
    facet_output *output = NULL, *sibling = NULL;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    facet_output_set_limit(output, 1000);
    facet_output_write(output, bytes, 600);
    TEST_OK(facet_output_open_sibling(output, ".bin", &sibling, &error), &error);
    facet_output_write(sibling, bytes, 400); /* 1000 together: just allowed */
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_output_write(sibling, bytes, 1);
    assert_int_equal(facet_output_commit(output, &error), FACET_ERROR_MEMORY_LIMIT);
    assert_string_equal(error.rule, "MEMORY-LIMIT");
    assert_non_null(strstr(error.message, "1000"));
    facet_output_free(output);
}

/* facet_save applies the limit of its options. A binary STL of one triangle has 84 + 50 bytes.
 * After enough other bytes for 65,537 in total, a limit of 65,536 is exceeded by one. */
TEST(save_keeps_the_limit_of_its_options)
{
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    facet_error error;
    assert_true(mesh && test_stream(scene, mesh, FACET_POSITION, 3, 3, positions, NULL));
    const facet_format *stl = facet_format_named("stl");
    for (uint64_t limit = 65536; limit <= 65537; limit++) {
        facet_options options = {.memory_limit = limit};
        facet_output *output = NULL;
        TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
        uint8_t filler[65537 - 134] = {0};
        facet_output_write(output, filler, sizeof filler);
        TEST_OK(facet_save(scene, stl, &options, output, &error), &error);
        facet_status status = facet_output_commit(output, &error);
        assert_int_equal(status, limit == 65536 ? FACET_ERROR_MEMORY_LIMIT : FACET_OK);
        facet_output_free(output);
    }
    facet_scene_free(scene);
}

typedef struct ledger {
    size_t held, blocks;
} ledger;

static void *count_in(void *user, size_t size)
{
    ledger *l = user;
    void *block = malloc(size);
    l->held += block ? size : 0;
    l->blocks += block != NULL;
    return block;
}

static void count_out(void *user, void *block, size_t size)
{
    ledger *l = user;
    l->held -= size;
    l->blocks--;
    free(block);
}

TEST(taken_bytes_outlive_the_output)
{
    ledger l = {0, 0};
    const facet_allocator allocator = {count_in, count_out, &l};
    facet_output *output = NULL, *sibling = NULL, *other = NULL;
    facet_bytes bytes, more, none;
    facet_error error;
    TEST_OK(facet_output_open_memory(&allocator, &output, &error), &error);
    TEST_OK(facet_output_set_name(output, "a.obj", &error), &error);
    facet_output_write(output, "hello", 5);
    TEST_OK(facet_output_open_sibling(output, ".mtl", &sibling, &error), &error);
    facet_output_write(sibling, "world!", 6);
    TEST_OK(facet_output_commit(output, &error), &error);
    assert_string_equal(facet_output_name(sibling), "a.mtl");
    const uint8_t *where = facet_output_data(output);
    TEST_OK(facet_output_take(output, &bytes, &error), &error);
    TEST_OK(facet_output_take(sibling, &more, &error), &error);
    assert_ptr_equal(bytes.data, where); /* no copy */
    TEST_OK(facet_output_take(output, &none, &error), &error);
    assert_null(none.data);
    assert_int_equal(none.size, 0);
    facet_output_free(output);
    assert_int_equal(l.blocks, 2); /* they stay valid after the output is freed */
    assert_int_equal(bytes.size, 5);
    assert_memory_equal(bytes.data, "hello", 5);
    assert_memory_equal(more.data, "world!", 6);
    allocator.release(allocator.user, more.data, more.capacity);
    facet_bytes_free(&bytes);
    facet_bytes_free(&bytes);
    facet_bytes_free(&none);
    facet_bytes_free(NULL);
    assert_int_equal(l.held, 0);
    assert_int_equal(l.blocks, 0);

    TEST_OK(facet_output_open_descriptor(1, &other, &error), &error);
    assert_int_equal(facet_output_take(other, &bytes, &error), FACET_ERROR_ARGUMENT);
    facet_output_free(other);
}

/* -- No format ---------------------------------------------------------- */

static facet_status put(void *user, const char *name, const void *data, size_t size,
                        facet_error *error)
{
    (void)user, (void)name, (void)data, (void)size, (void)error;
    return FACET_OK;
}

/* For a source, a NULL format means detection by content. A NULL source is an error. Query
 * functions accept a NULL format. */
TEST(calls_without_a_format_detect_or_refuse)
{
    facet_scene *scene = test_scene();
    facet_output *output = NULL;
    facet_error error;
    facet_source unknown = facet_source_from_memory("?", 1, NULL);
    facet_description *description = NULL;
    facet_scene *loaded = NULL;
    const facet_extractor extractor = {put, NULL};
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    assert_int_equal(facet_save(scene, NULL, NULL, output, &error), FACET_ERROR_ARGUMENT);
    assert_int_equal(facet_load(&unknown, NULL, NULL, NULL, &loaded, &error),
                     FACET_ERROR_UNSUPPORTED);
    assert_int_equal(facet_load_animation(&unknown, NULL, &unknown, NULL, scene, &error),
                     FACET_ERROR_UNSUPPORTED);
    assert_int_equal(facet_copy(&unknown, NULL, NULL, output, &error), FACET_ERROR_UNSUPPORTED);
    assert_int_equal(facet_extract(&unknown, NULL, NULL, &extractor, &error),
                     FACET_ERROR_UNSUPPORTED);
    assert_int_equal(facet_check(&unknown, NULL, NULL, report, &error), FACET_ERROR_UNSUPPORTED);
    assert_int_equal(facet_describe(&unknown, NULL, NULL, &description, &error),
                     FACET_ERROR_UNSUPPORTED);
    assert_null(facet_format_named(NULL));
    assert_null(facet_format_from_path(NULL));
    assert_null(facet_format_probe(NULL));
    assert_null(facet_format_name(NULL));
    assert_null(facet_format_title(NULL));
    assert_null(facet_format_extensions(NULL));
    assert_false(facet_format_can_read(NULL) || facet_format_can_write(NULL) ||
                 facet_format_is_folder(NULL) || facet_format_can_load_animation(NULL) ||
                 facet_format_copies(NULL, NULL));
    assert_int_equal(facet_format_needs(NULL) & FACET_NEED_TRIANGLES, FACET_NEED_TRIANGLES);
    facet_report_free(report);
    facet_output_free(output);
    facet_scene_free(scene);
}
