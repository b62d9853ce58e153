/* BinaryMesh: whatever the blocks, the faces and what is wrong with them, several threads
 * read the same as one, and complain of the same. */
#include "support/binarymesh.h"

static uint32_t random_below(uint32_t limit, uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % limit;
}

#define FACES 600u
#define POSITIONS 200u
#define NORMALS 150u
#define TEXCOORDS 120u

/* What is peculiar about one of the faces. */
typedef enum peculiarity {
    NOTHING,
    A_SLOT,
    A_QUAD,
    TWO_CORNERS,
    NO_SUCH_POSITION,
    NO_SUCH_TEXCOORD,
    ONE_IS_MISSING,
    MANY_ARE_MISSING,
    A_BLOCK_IS_DAMAGED,
    PECULIARITIES
} peculiarity;

static void put_random_reals(bytes *data, uint32_t count, uint32_t width, uint32_t *seed)
{
    put_u32(data, count);
    for (uint32_t i = 0; i < count * width; i++)
        put_real(data, 4, (double)(random_below(512, seed)) / 4);
}

static void put_object(bytes *data, peculiarity kind, uint32_t which, uint32_t *seed)
{
    put_text(data, "mesh");
    put_random_reals(data, POSITIONS, 3, seed);
    put_random_reals(data, NORMALS, 3, seed);
    put_random_reals(data, TEXCOORDS, 2, seed);
    put_u16(data, 2);
    put_text(data, "red");
    put_text(data, "blue");
    put_u32(data, FACES + (kind == ONE_IS_MISSING) + (kind == MANY_ARE_MISSING ? FACES * 8 : 0u));
    for (uint32_t face = 0; face < FACES; face++) {
        uint32_t indices[12], peculiar = face == which ? kind : NOTHING;
        for (uint32_t i = 0; i < 12; i += 3) {
            indices[i] = random_below(POSITIONS, seed);
            indices[i + 1] = random_below(NORMALS, seed);
            indices[i + 2] = random_below(8, seed) ? random_below(TEXCOORDS, seed) : FACET_NONE;
        }
        if (peculiar == NO_SUCH_POSITION)
            indices[3] = POSITIONS;
        if (peculiar == NO_SUCH_TEXCOORD)
            indices[8] = TEXCOORDS;
        put_face(data,
                 peculiar == A_QUAD        ? 4
                 : peculiar == TWO_CORNERS ? 2
                                           : 3,
                 indices, peculiar == A_SLOT || (kind == A_SLOT && face > which && face % 3 == 0));
    }
}

/* In blocks of any size up to `most`, some of them shorter than a face. */
static bytes pack_randomly(bytes data, uint32_t most, bool damaged, uint32_t *seed)
{
    bytes file = {0};
    put_header(&file, 4);
    for (size_t at = 0; at < data.size;) {
        size_t size =
            random_below(16, seed) ? 40 + random_below(most - 39, seed) : random_below(60, seed);
        size = size < data.size - at ? size : data.size - at;
        put_block(&file, 4, data.data + at, size);
        at += size;
    }
    if (damaged) {
        /* Two of them: the first is found. */
        file.data[file.size / 2 + random_below((uint32_t)file.size / 2, seed)] ^= 0x40;
        file.data[file.size - 1 - random_below(200, seed)] ^= 0x11;
    }
    return file;
}

static facet_status read_with(const bytes *file, unsigned count, facet_binarymesh **document,
                              facet_error *error)
{
    const facet_threads *threads = NULL;
    TEST_OK(facet_threads_create(count, &threads, error), error);
    facet_options options = {.threads = threads};
    facet_status status =
        facet_binarymesh_read(TEST_SOURCE(file->data, file->size), &options, document, error);
    facet_threads_free(threads);
    return status;
}

static void assert_the_same(const bytes *file, const char *rule)
{
    facet_error expected, error;
    facet_binarymesh *one = NULL;
    facet_status status = read_with(file, 1, &one, &expected);
    if (rule)
        assert_string_equal(status ? expected.rule : "", rule);
    for (unsigned count = 2; count <= 5; count++) {
        facet_binarymesh *several = NULL;
        assert_int_equal(read_with(file, count, &several, &error), status);
        if (status) {
            assert_string_equal(error.rule, expected.rule);
            assert_string_equal(error.message, expected.message);
            assert_int_equal(error.offset, expected.offset);
        } else {
            assert_documents(one, several);
        }
        facet_binarymesh_free(several);
    }
    facet_binarymesh_free(one);
}

static void test_same_with_several_threads(void **state)
{
    (void)state;
    static const char *rules[PECULIARITIES] = {"",
                                               "",
                                               "",
                                               "BM-FACE-CORNERS",
                                               "BM-FACE-VERTEX-RANGE",
                                               "BM-FACE-UV-RANGE",
                                               "BM-DATA-TRUNCATED",
                                               "BM-DATA-TRUNCATED",
                                               NULL};
    static const uint32_t most[] = {50, 130, 700, 3000};
    uint32_t seed = 31;
    for (int round = 0; round < 12; round++) {
        for (int kind = NOTHING; kind < PECULIARITIES; kind++) {
            bytes data = {0};
            bool last = kind == ONE_IS_MISSING || kind == MANY_ARE_MISSING || round % 2;
            for (int object = last ? 1 : 0; object < 2; object++)
                put_object(&data, (peculiarity)kind, random_below(FACES, &seed), &seed);
            bytes file = pack_randomly(data, most[round % 4], kind == A_BLOCK_IS_DAMAGED, &seed);
            assert_the_same(&file, rules[kind]);
            free(data.data);
            free(file.data);
        }
    }
}

/* A face that is none in front of a block that is damaged: the face is what is told of. */
static void test_first_fault_is_told(void **state)
{
    (void)state;
    for (uint32_t which = 0; which < 100; which += 9) {
        bytes data = {0};
        uint32_t seed = which;
        put_object(&data, TWO_CORNERS, which, &seed);
        bytes file = pack(4, data, 400);
        file.data[file.size - 10] ^= 0xFF;
        file.data[file.size - 1200] ^= 0xFF;
        assert_the_same(&file, "BM-FACE-CORNERS");
        free(data.data);
        free(file.data);
    }
}

static facet_status read_once(const facet_allocator *allocator, void *user)
{
    const bytes *file = user;
    const facet_threads *threads = NULL;
    facet_error error;
    TEST_OK(facet_threads_create(2, &threads, &error), &error);
    facet_options options = {.allocator = allocator, .threads = threads};
    facet_binarymesh *document = NULL;
    facet_status status =
        facet_binarymesh_read(TEST_SOURCE(file->data, file->size), &options, &document, NULL);
    facet_binarymesh_free(document);
    facet_threads_free(threads);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    bytes data = {0};
    uint32_t seed = 8;
    put_object(&data, A_SLOT, FACES / 2, &seed);
    bytes file = pack_randomly(data, 700, false, &seed);
    test_every_allocation(read_once, &file);
    free(data.data);
    free(file.data);
}

static bool stop_later(void *user, const char *step, double fraction)
{
    int *left = user;
    (void)step;
    (void)fraction;
    return (*left)-- > 0;
}

/* Wherever that is, reading ends there, or has ended. */
static void test_reading_can_be_canceled(void **state)
{
    (void)state;
    bytes data = {0};
    uint32_t seed = 9;
    facet_error error;
    const facet_threads *threads = NULL;
    TEST_OK(facet_threads_create(2, &threads, &error), &error);
    put_object(&data, NOTHING, 0, &seed);
    bytes file = pack_randomly(data, 700, false, &seed);
    for (int calls = 0, canceled = 1; canceled; calls++) {
        int left = calls;
        facet_options options = {
            .threads = threads, .progress = stop_later, .progress_user = &left};
        facet_binarymesh *document = NULL;
        facet_status status =
            facet_binarymesh_read(TEST_SOURCE(file.data, file.size), &options, &document, &error);
        canceled = left < 0;
        assert_int_equal(status, canceled ? FACET_ERROR_CANCELED : FACET_OK);
        facet_binarymesh_free(document);
    }
    facet_threads_free(threads);
    free(data.data);
    free(file.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_with_several_threads),
        cmocka_unit_test(test_first_fault_is_told),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_reading_can_be_canceled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
