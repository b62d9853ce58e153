/* BinaryMesh: bytes to document and back. */
#include "base/arena.h"
#include "base/bytes.h"
#include "formats/binarymesh/binarymesh.h"
#include "formats/binarymesh/scene.h"
#include "support/binarymesh.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>

/* -- The worked examples of the format's description ----------------------- */

/* Version 1, bytes from the description: 180 bytes. */
static bytes worked_example_1(void)
{
    static const uint8_t one[8] = {0, 0, 0, 0, 0, 0, 0xF0, 0x3F}, zeros[72] = {0};
    static const uint8_t corners[36] = {0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, //
                                        1, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, //
                                        2, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255};
    bytes file = {0};
    put(&file, "BINARYMESH\1\0\3\0tri\3\0\0\0", 21);
    put(&file, zeros, 24);
    put(&file, one, 8);
    put(&file, zeros, 24);
    put(&file, one, 8);
    put(&file, zeros, 8);
    put(&file, "\1\0\0\0", 4);
    put(&file, zeros, 16);
    put(&file, one, 8);
    put(&file, zeros, 4);
    put(&file, "\1\0\7\0default\1\0\0\0\3\0", 17);
    put(&file, corners, 36);
    put(&file, zeros, 2);
    assert_int_equal(file.size, 180);
    return file;
}

static void assert_example(const facet_binarymesh *document)
{
    static const double positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, normal[3] = {0, 0, 1};
    assert_int_equal(document->object_count, 1);
    const facet_binarymesh_object *object = &document->objects[0];
    assert_text(object->name, "tri");
    assert_int_equal(object->position_count, 3);
    assert_int_equal(object->normal_count, 1);
    assert_int_equal(object->texcoord_count, 0);
    for (size_t i = 0; i < 9; i++)
        assert_true(facet_binarymesh_real(document, object->positions, i) == positions[i]);
    for (size_t i = 0; i < 3; i++)
        assert_true(facet_binarymesh_real(document, object->normals, i) == normal[i]);
    assert_int_equal(object->slot_count, 1);
    assert_text(object->slots[0], "default");
    assert_int_equal(object->face_count, 1);
    assert_int_equal(object->corner_count, 3);
    assert_null(object->face_offsets);
    assert_null(object->texcoord_indices);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(object->position_indices[i], i);
        assert_int_equal(object->normal_indices[i], 0);
    }
}

TEST(version_1_byte_by_byte)
{
    bytes file = worked_example_1();
    facet_binarymesh *document = read_document(file.data, file.size, NULL);
    assert_int_equal(document->version, 1);
    assert_true(document->double_precision);
    assert_example(document);
    facet_output *output = write_document(document, 1, NULL);
    assert_int_equal(facet_output_size(output), 180);
    assert_memory_equal(facet_output_data(output), file.data, 180);
    facet_output_free(output);
    facet_binarymesh_free(document);
    free(file.data);
}

/* The LZ4 block of the description is one run of literals: token 15, then 105 in the next byte. */
TEST(version_4_of_literals)
{
    bytes data = example_data(4), file = {0};
    assert_int_equal(data.size, 120);
    put_header(&file, 4);
    put_number(&file, 120, 8);
    put_number(&file, 122, 8);
    put(&file, "\xF0\x69", 2);
    put(&file, data.data, 120);
    assert_int_equal(file.size, 150);
    facet_binarymesh *document = read_document(file.data, file.size, NULL);
    assert_int_equal(document->version, 4);
    assert_false(document->double_precision);
    assert_example(document);
    assert_int_equal(document->block_count, 1);
    assert_int_equal(document->blocks[0].offset, 12);
    assert_int_equal(document->blocks[0].compressed_size, 122);
    facet_binarymesh_free(document);
    free(data.data);
    free(file.data);
}

/* -- All versions ---------------------------------------------------------- */

TEST(versions_say_the_same)
{
    facet_binarymesh *documents[5] = {NULL};
    for (uint32_t version = 1; version <= 4; version++) {
        bytes data = mixed_data(version), file = pack(version, data, 0);
        documents[version] = read_document(file.data, file.size, NULL);
        assert_int_equal(documents[version]->version, version);
        assert_documents(documents[version], documents[1]);
        free(data.data);
        free(file.data);
    }
    const facet_binarymesh_object *object = &documents[2]->objects[0];
    static const uint32_t offsets[4] = {0, 4, 7, 12};
    assert_memory_equal(object->face_offsets, offsets, sizeof offsets);
    assert_int_equal(object->face_slots[0], 1);
    assert_int_equal(object->face_slots[1], 0);
    assert_int_equal(object->normal_indices[3], 1);
    assert_int_equal(object->normal_indices[4], FACET_NONE);
    assert_text(object->slots[1], "blau \xC3\xBC");
    /* Indices into empty arrays mean "none". */
    assert_null(documents[2]->objects[1].normal_indices);
    assert_null(documents[2]->objects[1].texcoord_indices);
    assert_null(documents[2]->objects[1].face_slots);
    for (uint32_t version = 1; version <= 4; version++)
        facet_binarymesh_free(documents[version]);
}

TEST(what_is_written_reads_the_same)
{
    static const uint32_t written[3] = {1, 3, 4};
    for (uint32_t from = 1; from <= 4; from++) {
        bytes data = mixed_data(from), file = pack(from, data, 0);
        facet_binarymesh *document = read_document(file.data, file.size, NULL);
        for (size_t i = 0; i < 3; i++) {
            facet_output *output = write_document(document, written[i], NULL);
            facet_binarymesh *back = read_output(output);
            assert_int_equal(back->version, written[i]);
            assert_documents(document, back);
            /* A file that Facet wrote is written again byte for byte. */
            facet_output *again = write_document(back, written[i], NULL);
            assert_int_equal(facet_output_size(again), facet_output_size(output));
            assert_memory_equal(facet_output_data(again), facet_output_data(output),
                                facet_output_size(output));
            facet_output_free(again);
            facet_output_free(output);
            facet_binarymesh_free(back);
        }
        facet_binarymesh_free(document);
        free(data.data);
        free(file.data);
    }
}

TEST(double_precision_is_kept)
{
    static const double positions[9] = {0.1, 1e300, -1.0 / 3, 2, 3, 4, 5, 6, 7};
    static const uint32_t face[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
    bytes data = {0};
    put_text(&data, "d");
    put_reals(&data, 3, 3, 3, positions);
    put_u32(&data, 0);
    put_u32(&data, 0);
    put_u16(&data, 0);
    put_u32(&data, 1);
    put_face(&data, 3, face, 0);
    bytes file = pack(3, data, 0);
    facet_binarymesh *document = read_document(file.data, file.size, NULL);
    facet_output *output = write_document(document, 3, NULL);
    facet_binarymesh *back = read_output(output);
    for (size_t i = 0; i < 9; i++)
        assert_true(((const double *)back->objects[0].positions)[i] == positions[i]);
    facet_output_free(output);
    facet_binarymesh_free(back);

    /* 1e300 cannot be stored in version 4; 0.1 can, rounded. */
    facet_error error;
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_options options = {.report = report, .format_version = 4};
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    assert_int_equal(facet_binarymesh_write(document, &options, output, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "BM-FLOAT-RANGE");
    facet_output_free(output);
    ((double *)document->objects[0].positions)[1] = 1;
    facet_output_free(write_document(document, 4, &options));
    const facet_finding *loss = test_finding(report, "LOSS-PRECISION");
    assert_non_null(loss);
    assert_string_equal(loss->message,
                        "2 numbers are rounded to the single precision of version 4");
    facet_report_free(report);
    facet_binarymesh_free(document);
    free(data.data);
    free(file.data);
}

/* -- Blocks ---------------------------------------------------------------- */

/* The offsets at which the fields of mixed_data(version) begin, including the end. */
static size_t field_borders(uint32_t version, const bytes *data, uint8_t *border)
{
    size_t real = version < 4 ? 8 : 4, at = 0, count = 0;
    memset(border, 0, data->size + 1);
#define FIELD(size) (border[at] = 1, count++, at += (size))
    static const uint32_t corners[2][3] = {{4, 3, 5}, {3, 0, 0}};
    for (int object = 0; object < 2; object++) {
        FIELD(2);
        if (object == 0)
            FIELD(5); /* "mixed" */
        FIELD(4);
        for (int i = 0; i < (object ? 3 : 7); i++)
            FIELD(3 * real);
        FIELD(4);
        for (int i = 0; i < (object ? 0 : 2); i++)
            FIELD(3 * real);
        FIELD(4);
        for (int i = 0; i < (object ? 0 : 4); i++)
            FIELD(2 * real);
        FIELD(2);
        for (int i = 0; i < (object ? 0 : 2); i++) {
            FIELD(2);
            FIELD(i ? 7 : 3); /* "red", "blau ü" */
        }
        FIELD(4);
        for (int face = 0; face < (object ? 1 : 3); face++) {
            FIELD(2);
            for (uint32_t i = 0; i < corners[object][face] * 3; i++)
                FIELD(4);
            FIELD(2);
        }
    }
#undef FIELD
    assert_int_equal(at, data->size);
    border[at] = 1;
    return count;
}

static bool straddles(const bytes *file)
{
    facet_error error;
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_binarymesh_check(TEST_SOURCE(file->data, file->size), NULL, report, &error),
            &error);
    assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR), 0);
    bool found = test_finding(report, "BM-BLOCK-STRADDLE") != NULL;
    facet_report_free(report);
    return found;
}

/* Two blocks, divided at every byte: all are read. The check reports exactly the cuts that are
 * inside of a field. */
TEST(blocks_cut_everywhere)
{
    for (uint32_t version = 2; version <= 4; version++) {
        bytes data = mixed_data(version), whole = pack(version, data, 0);
        uint8_t *border = malloc(data.size + 1);
        assert_non_null(border);
        field_borders(version, &data, border);
        facet_binarymesh *expected = read_document(whole.data, whole.size, NULL);
        for (size_t cut = 1; cut < data.size; cut++) {
            bytes file = {0};
            put_header(&file, version);
            put_block(&file, version, data.data, cut);
            put_block(&file, version, data.data + cut, data.size - cut);
            facet_binarymesh *document = read_document(file.data, file.size, NULL);
            assert_documents(expected, document);
            facet_binarymesh_free(document);
            if (straddles(&file) == border[cut])
                fail_msg("version %u cut at %zu", (unsigned)version, cut);
            free(file.data);
        }
        facet_binarymesh_free(expected);
        free(border);
        free(data.data);
        free(whole.data);
    }
}

/* Blocks of 1 to 100 bytes, with empty ones between them, on one thread and on three. */
TEST(blocks_of_every_size)
{
    facet_error error;
    const facet_threads *threads = NULL;
    TEST_OK(facet_threads_create(3, &threads, &error), &error);
    facet_options several = {.threads = threads};
    for (uint32_t version = 2; version <= 4; version++) {
        bytes data = mixed_data(version), whole = pack(version, data, 0);
        facet_binarymesh *expected = read_document(whole.data, whole.size, NULL);
        for (size_t block = 1; block <= 100; block++) {
            bytes file = pack(version, data, block);
            put_number(&file, 0, 8); /* a block that decompresses to nothing, of 0 bytes */
            put_number(&file, 0, 8);
            for (int i = 0; i < 2; i++) {
                facet_binarymesh *document =
                    read_document(file.data, file.size, i ? &several : NULL);
                assert_documents(expected, document);
                facet_binarymesh_free(document);
            }
            free(file.data);
        }
        facet_binarymesh_free(expected);
        free(data.data);
        free(whole.data);
    }
    facet_threads_free(threads);
}

/* -- Blocks of the writer ---------------------------------------------------- */

/* A document that is large enough for blocks to end in each kind of field: a strip of triangles
 * or of polygons, and names of odd lengths. */
static facet_binarymesh *make_large(bool double_precision, uint32_t name_length, bool polygons)
{
    facet_error error;
    facet_binarymesh *document = NULL;
    TEST_OK(facet_binarymesh_create(double_precision, NULL, &document, &error), &error);
    facet_binarymesh_object *objects = facet_arena_allocate(document->arena, 2, sizeof *objects);
    assert_non_null(objects);
    memset(objects, 0, 2 * sizeof *objects);
    document->objects = objects;
    document->object_count = 2;
    char *name = facet_arena_allocate(document->arena, name_length + 1, 1);
    memset(name, 'n', name_length);
    name[name_length] = '\0';
    uint32_t count = 30011;
    size_t real = double_precision ? 8 : 4;
    for (uint32_t i = 0; i < 2; i++) {
        facet_binarymesh_object *object = &objects[i];
        object->name.text = name;
        object->name.length = name_length;
        object->slot_count = 5;
        object->slots = facet_arena_allocate(document->arena, 5, sizeof *object->slots);
        for (uint32_t slot = 0; slot < 5; slot++)
            object->slots[slot] = object->name;
        object->position_count = object->normal_count = object->texcoord_count = count;
        object->positions = facet_arena_allocate(document->arena, count, 3 * real);
        object->normals = facet_arena_allocate(document->arena, count, 3 * real);
        object->texcoords = facet_arena_allocate(document->arena, count, 2 * real);
        for (uint32_t at = 0; at < count * 3; at++) {
            double value = (at * 2654435761u >> 8) / 65536.0;
            if (double_precision) {
                ((double *)object->positions)[at] = value / 3;
                ((double *)object->normals)[at] = value;
                if (at < count * 2)
                    ((double *)object->texcoords)[at] = value * 7;
            } else {
                ((float *)object->positions)[at] = (float)value;
                ((float *)object->normals)[at] = (float)(value / 3);
                if (at < count * 2)
                    ((float *)object->texcoords)[at] = (float)(value * 7);
            }
        }
        object->face_count = 20000;
        object->face_offsets =
            polygons ? facet_arena_allocate(document->arena, object->face_count + 1, 4) : NULL;
        object->face_slots = facet_arena_allocate(document->arena, object->face_count, 2);
        for (uint32_t face = 0; face < object->face_count; face++) {
            if (polygons)
                object->face_offsets[face] = object->corner_count;
            object->corner_count += polygons ? 3 + face % 9 : 3;
            object->face_slots[face] = (uint16_t)(face % 5);
        }
        if (polygons)
            object->face_offsets[object->face_count] = object->corner_count;
        object->position_indices = facet_arena_allocate(document->arena, object->corner_count, 4);
        object->normal_indices = facet_arena_allocate(document->arena, object->corner_count, 4);
        object->texcoord_indices = i ? NULL : object->position_indices;
        for (uint32_t corner = 0; corner < object->corner_count; corner++) {
            object->position_indices[corner] = corner * 7 % count;
            object->normal_indices[corner] = corner % 11 ? corner % count : FACET_NONE;
        }
        if (i)
            object->texcoord_count = 0;
    }
    return document;
}

/* A reader with appleseed's method: every field is read in one piece. A field that crosses the
 * end of a block is an error. */
typedef struct strict_reader {
    const uint8_t *file;
    size_t size, offset;
    uint8_t block[400000];
    size_t at, end;
    size_t ends_after[32]; /* by length of the field: number of blocks that ended with it */
} strict_reader;

static const uint8_t *fetch(strict_reader *r, size_t size)
{
    if (r->at == r->end) {
        uint64_t sizes[2];
        assert_true(r->size - r->offset >= 16);
        memcpy(sizes, r->file + r->offset, 16);
        assert_true(sizes[0] <= sizeof r->block && sizes[1] <= r->size - r->offset - 16);
        assert_int_equal(LZ4_decompress_safe((const char *)r->file + r->offset + 16,
                                             (char *)r->block, (int)sizes[1], sizeof r->block),
                         sizes[0]);
        r->offset += 16 + sizes[1];
        r->at = 0;
        r->end = sizes[0];
        /* appleseed ends a block as soon as it has 256 KiB. */
        if (r->offset < r->size)
            assert_true(sizes[0] >= 262144 && sizes[0] < 262144 + 65535);
    }
    assert_true(size <= r->end - r->at);
    r->at += size;
    if (r->at == r->end && r->offset < r->size) {
        assert_true(r->end - size < 262144);
        r->ends_after[size < 31 ? size : 31]++;
    }
    return r->block + r->at - size;
}

static uint32_t fetch_number(strict_reader *r, size_t size)
{
    const uint8_t *at = fetch(r, size);
    uint32_t value = 0;
    for (size_t i = 0; i < size; i++)
        value |= (uint32_t)at[i] << 8 * i;
    return value;
}

static void fetch_object(strict_reader *r, size_t real)
{
    uint32_t length = fetch_number(r, 2);
    if (length > 0)
        fetch(r, length);
    for (uint32_t left = fetch_number(r, 4); left > 0; left--)
        fetch(r, 3 * real);
    for (uint32_t left = fetch_number(r, 4); left > 0; left--)
        fetch(r, 3 * real);
    for (uint32_t left = fetch_number(r, 4); left > 0; left--)
        fetch(r, 2 * real);
    for (uint32_t left = fetch_number(r, 2); left > 0; left--)
        fetch(r, fetch_number(r, 2));
    for (uint32_t left = fetch_number(r, 4); left > 0; left--) {
        for (uint32_t indices = fetch_number(r, 2) * 3; indices > 0; indices--)
            fetch_number(r, 4);
        fetch_number(r, 2);
    }
}

TEST(blocks_end_between_fields)
{
    static const uint32_t lengths[4] = {1, 50021, 65535, 2};
    strict_reader *r = calloc(1, sizeof *r);
    assert_non_null(r);
    for (uint32_t turn = 0; turn < 4; turn++) {
        uint32_t version = turn % 2 ? 3 : 4;
        facet_binarymesh *document = make_large(version == 3, lengths[turn], turn > 1);
        facet_output *output = write_document(document, version, NULL);
        r->file = facet_output_data(output);
        r->size = (size_t)facet_output_size(output);
        r->offset = 12;
        r->at = r->end = 0;
        while (r->at < r->end || r->offset < r->size)
            fetch_object(r, version == 3 ? 8 : 4);
        facet_binarymesh *back = read_output(output);
        assert_documents(document, back);
        facet_binarymesh_free(back);
        facet_binarymesh_free(document);
        facet_output_free(output);
    }
    /* Blocks ended after vectors, indices and names. */
    assert_true(r->ends_after[12] > 0 && r->ends_after[24] > 0);
    assert_true(r->ends_after[4] > 0 && r->ends_after[31] > 0);
    free(r);
}

/* Threads of a caller that do not run in parallel. Here the tasks run from the last to the first;
 * or all run on one other thread while this one waits. */
static void run_backwards(void *user, void (*task)(void *argument, size_t index), void *argument,
                          size_t count)
{
    (void)user;
    while (count-- > 0)
        task(argument, count);
}

typedef struct tasks {
    void (*task)(void *argument, size_t index);
    void *argument;
    size_t count;
} tasks;

static void *run_tasks(void *argument)
{
    tasks *t = argument;
    run_backwards(NULL, t->task, t->argument, t->count);
    return NULL;
}

static void run_elsewhere(void *user, void (*task)(void *argument, size_t index), void *argument,
                          size_t count)
{
    tasks t = {task, argument, count};
    pthread_t other;
    (void)user;
    assert_int_equal(pthread_create(&other, NULL, run_tasks, &t), 0);
    assert_int_equal(pthread_join(other, NULL), 0);
}

static void assert_reads_the_same(const facet_threads *threads, const facet_binarymesh *document,
                                  const facet_output *output)
{
    facet_options options = {.threads = threads};
    facet_binarymesh *back =
        read_document(facet_output_data(output), (size_t)facet_output_size(output), &options);
    assert_documents(document, back);
    facet_binarymesh_free(back);
}

TEST(threads_change_nothing)
{
    const facet_threads kinds[] = {{run_backwards, NULL, 3}, {run_elsewhere, NULL, 3}};
    facet_error error;
    facet_binarymesh *document = make_large(false, 9, true);
    facet_output *output = write_document(document, 4, NULL);
    for (unsigned count = 1; count <= 4; count++) {
        const facet_threads *threads = NULL;
        TEST_OK(facet_threads_create(count, &threads, &error), &error);
        assert_reads_the_same(threads, document, output);
        facet_threads_free(threads);
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        assert_reads_the_same(&kinds[i], document, output);
    facet_output_free(output);
    facet_binarymesh_free(document);
}

/* Damage the block. Returns where the next block begins. */
static size_t damage_block(uint8_t *file, size_t at)
{
    enum { HEADER = 16 };
    size_t compressed = (size_t)facet_load_u64le(file + at + 8);
    memset(file + at + HEADER + compressed / 2, 0xFF, compressed / 4);
    return at + HEADER + compressed;
}

/* Two damaged blocks: the error of the first one is reported, no matter which thread reads the
 * second. */
TEST(threads_find_the_same_fault)
{
    enum { HEADER = 12 };
    facet_error alone, error;
    const facet_threads *threads = NULL;
    TEST_OK(facet_threads_create(4, &threads, &error), &error);
    facet_options several = {.threads = threads};
    facet_binarymesh *document = make_large(false, 9, true), *back = NULL;
    facet_output *output = write_document(document, 4, NULL);
    size_t size = (size_t)facet_output_size(output), damaged = 0;
    uint8_t *file = malloc(size);
    assert_non_null(file);
    for (size_t at = HEADER; at < size;) {
        memcpy(file, facet_output_data(output), size);
        size_t next = damage_block(file, at);
        if (next < size)
            damage_block(file, next);
        facet_source source = facet_source_from_memory(file, size, "damaged");
        facet_status status = facet_binarymesh_read(&source, NULL, &back, &alone);
        if (!status) {
            facet_binarymesh_free(back);
        } else {
            damaged++;
            for (int i = 0; i < 5; i++) {
                assert_int_equal(facet_binarymesh_read(&source, &several, &back, &error), status);
                assert_string_equal(error.message, alone.message);
                assert_int_equal(error.offset, alone.offset);
            }
        }
        at = next;
    }
    assert_true(damaged > 4);
    free(file);
    facet_threads_free(threads);
    facet_output_free(output);
    facet_binarymesh_free(document);
}

/* -- Documents that the writer refuses ---------------------------------------- */

static void assert_refused(const facet_binarymesh *document, uint32_t version, facet_status status,
                           const char *rule)
{
    facet_error error;
    facet_output *output = NULL;
    facet_options write = {.format_version = version};
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    assert_int_equal(facet_binarymesh_write(document, &write, output, &error), status);
    assert_string_equal(error.rule, rule);
    facet_output_free(output);
}

TEST(writer_refuses_inconsistent_documents)
{
    bytes data = mixed_data(4), file = pack(4, data, 0);
    facet_binarymesh *document = read_document(file.data, file.size, NULL);
    facet_binarymesh_object *object = &document->objects[0];
    assert_refused(document, 2, FACET_ERROR_UNSUPPORTED, "BM-VERSION-2");
    assert_refused(document, 5, FACET_ERROR_UNSUPPORTED, "BM-VERSION-UNKNOWN");
    object->face_offsets[1] = 2;
    assert_refused(document, 4, FACET_ERROR_ARGUMENT, "BM-FACE-CORNERS");
    object->face_offsets[1] = 4;
    object->position_indices[11] = 7;
    assert_refused(document, 4, FACET_ERROR_ARGUMENT, "BM-FACE-VERTEX-RANGE");
    object->position_indices[11] = FACET_NONE;
    assert_refused(document, 4, FACET_ERROR_ARGUMENT, "BM-FACE-VERTEX-RANGE");
    object->position_indices[11] = 6;
    object->normal_indices[0] = 2;
    assert_refused(document, 4, FACET_ERROR_ARGUMENT, "BM-FACE-NORMAL-RANGE");
    object->normal_indices[0] = 1;
    object->texcoord_indices[0] = 4;
    assert_refused(document, 4, FACET_ERROR_ARGUMENT, "BM-FACE-UV-RANGE");
    object->texcoord_indices[0] = 3;
    ((float *)object->texcoords)[7] = NAN;
    assert_refused(document, 1, FACET_ERROR_ARGUMENT, "BM-FLOAT-NONFINITE");
    ((float *)object->texcoords)[7] = 0;
    object->slots[1].length = 65536;
    assert_refused(document, 4, FACET_ERROR_LIMIT, "BM-LIMIT");
    object->slots[1].length = 4;
    facet_output_free(write_document(document, 0, NULL));
    facet_binarymesh_free(document);
    free(data.data);
    free(file.data);
}

/* Neither a writer nor a scene reads a missing array. */
static void assert_missing(const facet_binarymesh *document)
{
    facet_scene *scene = NULL;
    facet_error error = {0};
    assert_refused(document, 4, FACET_ERROR_ARGUMENT, "BM-DOCUMENT");
    assert_int_equal(facet_binarymesh_to_scene(document, NULL, NULL, &scene, &error),
                     FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "BM-DOCUMENT");
    assert_null(scene);
}

TEST(missing_arrays_are_refused)
{
    bytes data = mixed_data(4), file = pack(4, data, 0);
    facet_binarymesh *document = read_document(file.data, file.size, NULL);
    facet_binarymesh_object *object = &document->objects[0];
    const facet_binarymesh_object whole = *object;
    object->name.text = NULL;
    assert_missing(document);
    *object = whole;
    object->positions = NULL;
    assert_missing(document);
    *object = whole;
    object->normals = NULL;
    assert_missing(document);
    *object = whole;
    object->texcoords = NULL;
    assert_missing(document);
    *object = whole;
    object->slots = NULL;
    assert_missing(document);
    *object = whole;
    object->position_indices = NULL;
    assert_missing(document);
    *object = whole;
    object->face_offsets = NULL; /* the number of corners is not that of triangles */
    assert_missing(document);
    *object = whole;
    object->slots[0].text = NULL;
    assert_missing(document);
    object->slots[0].length = 0;
    object->face_slots = NULL; /* all 0 */
    object->normal_indices = object->texcoord_indices = NULL;
    facet_output_free(write_document(document, 4, NULL));
    document->objects = NULL;
    assert_missing(document);
    facet_binarymesh_free(document);
    free(data.data);
    free(file.data);
}

/* -- Real files ------------------------------------------------------------- */

static const char *const corpus_names[] = {"archive_84bd9df4.v4",
                                           "archive_f36a07a9.v4",
                                           "juice_00.v2",
                                           "juice_00.v3",
                                           "material_preview_ground.v1",
                                           "material_preview_ground.v3",
                                           "material_preview_lamp.v3",
                                           "orennayar_Sphere.v3",
                                           "pPlaneShape3.v3",
                                           "studio_teapot.v3",
                                           "swatchRenderBg.v3",
                                           "swatchRenderSphere.v3"};

TEST(corpus_round_trip)
{
    TEST_NEEDS_CORPUS();
    for (size_t i = 0; i < sizeof corpus_names / sizeof *corpus_names; i++) {
        facet_binarymesh *document = read_corpus(corpus_names[i]);
        uint32_t version = document->version == 2 ? 3 : document->version;
        facet_output *output = write_document(document, version, NULL);
        facet_binarymesh *back = read_output(output);
        assert_documents(document, back);
        /* Blocks end at the same offsets as those of their writer, appleseed. */
        assert_int_equal(back->data_size, document->data_size);
        assert_int_equal(back->block_count, document->block_count);
        for (size_t at = 0; at < back->block_count; at++)
            assert_int_equal(back->blocks[at].size, document->blocks[at].size);
        facet_binarymesh_free(back);
        facet_output_free(output);
        facet_binarymesh_free(document);
    }
}

/* The same mesh in two versions, by different releases of appleseed. */
TEST(corpus_versions_agree)
{
    TEST_NEEDS_CORPUS();
    facet_binarymesh *a = read_corpus("juice_00.v2"), *b = read_corpus("juice_00.v3");
    assert_int_equal(a->version, 2);
    assert_documents(a, b);
    facet_binarymesh_free(a);
    facet_binarymesh_free(b);
    a = read_corpus("material_preview_ground.v1");
    b = read_corpus("material_preview_ground.v3");
    assert_int_equal(a->version, 1);
    assert_documents(a, b);
    facet_binarymesh_free(a);
    facet_binarymesh_free(b);
}

TEST(lamp_file_has_expected_values)
{
    TEST_NEEDS_CORPUS();
    facet_binarymesh *document = read_corpus("material_preview_lamp.v3");
    assert_int_equal(document->object_count, 1);
    const facet_binarymesh_object *object = &document->objects[0];
    assert_text(object->name, "part_0");
    assert_int_equal(object->position_count, 4);
    assert_int_equal(object->normal_count, 1);
    assert_int_equal(object->texcoord_count, 0);
    assert_int_equal(object->slot_count, 0);
    assert_int_equal(object->face_count, 1);
    assert_int_equal(object->corner_count, 4);
    assert_null(object->texcoord_indices);
    assert_int_equal(document->data_size, 198);
    facet_binarymesh_free(document);
}
