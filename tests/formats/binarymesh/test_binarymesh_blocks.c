/* BinaryMesh: compressed blocks, as the reader accepts them and as the writer ends them. */
#include "base/arena.h"
#include "base/bytes.h"
#include "formats/binarymesh/binarymesh.h"
#include "support/binarymesh.h"

#include <pthread.h>
#include <stdio.h>

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
