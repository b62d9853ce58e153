/* The layer base: sizes, bytes, arenas, errors, reports, trees, threads. */
#include "base/arena.h"
#include "base/base64.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/record.h"
#include "base/report.h"
#include "base/size.h"
#include "base/threads.h"
#include "base/tree.h"
#include "base/vec.h"
#include "support/support.h"

#include <stdatomic.h>
#include <stdio.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

/* -- Vectors ------------------------------------------------------------ */

/* (2, 3, 5) x (7, 11, 13) = (3 * 13 - 5 * 11, 5 * 7 - 2 * 13, 2 * 11 - 3 * 7). */
TEST(cross_product_follows_its_formula)
{
    const double a[3] = {2, 3, 5}, b[3] = {7, 11, 13}, expected[3] = {-16, 9, 1};
    double cross[3];
    facet_cross(a, b, cross);
    assert_memory_equal(cross, expected, sizeof expected);
}

/* -- Sizes and bytes ---------------------------------------------------- */

TEST(ranges_never_wrap)
{
    assert_true(facet_range_fits(0, 0, 12, 0));
    assert_true(facet_range_fits(4, 2, 12, 28));
    assert_false(facet_range_fits(5, 2, 12, 28));
    assert_false(facet_range_fits(29, 0, 12, 28));
    assert_false(facet_range_fits(UINT64_MAX, 1, 1, 28));
    assert_false(facet_range_fits(1, UINT64_MAX, 264, 28));
    size_t result = 7;
    assert_false(facet_size_multiply(SIZE_MAX / 2, 3, &result));
    assert_false(facet_size_add(SIZE_MAX, 1, &result));
    assert_int_equal(result, 7);
}

TEST(numbers_are_stored_in_either_byte_order)
{
    const uint8_t bytes[8] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0xF8};
    assert_int_equal(facet_load_u16le(bytes), 0x0201);
    assert_int_equal(facet_load_u16be(bytes), 0x0102);
    assert_int_equal(facet_load_u32le(bytes), 0x04030201);
    assert_int_equal(facet_load_u32be(bytes + 4), 0x050607F8);
    assert_true(facet_load_u64le(bytes) == 0xF807060504030201u);
    assert_true(facet_load_u64be(bytes) == 0x01020304050607F8u);
    const uint8_t one[4] = {0x00, 0x00, 0x80, 0x3F}; /* 1.0f, little-endian */
    assert_true(facet_load_f32le(one) == 1.0f);
    uint8_t back[4];
    facet_store_f32be(back, 1.0f);
    assert_int_equal(back[0], 0x3F);
    assert_int_equal(back[3], 0x00);
}

TEST(records_are_loaded_and_stored)
{
    struct {
        uint8_t bytes[2];
        int16_t half;
        uint32_t words[2];
        float real;
        uint8_t end[12];
    } record;
    /* -2 is 0xFFFE; 1.5 is 0x3FC00000: sign 0, exponent 127, half of the mantissa. */
    const uint8_t file[28] = {1, 2, 0xFF, 0xFE, 0x12, 0x34, 0x56, 0x78, 0,  0,  0,  9,  0x3F, 0xC0,
                              0, 0, 10,   11,   12,   13,   14,   15,   16, 17, 18, 19, 20,   21};
    uint8_t back[29] = {0};
    facet_record_move("b2h1w3b12", file, &record);
    assert_int_equal(record.bytes[1], 2);
    assert_int_equal(record.half, -2);
    assert_int_equal(record.words[0], 0x12345678);
    assert_int_equal(record.words[1], 9);
    assert_true(record.real == 1.5F);
    assert_int_equal(record.end[11], 21);
    back[28] = 77;
    facet_record_move("b2h1w3b12", &record, back);
    assert_memory_equal(back, file, sizeof file);
    assert_int_equal(back[28], 77);
}

/* Finite numbers are the largest, the smallest, and 0 of either sign. The first other number is
 * found at every index, also in unaligned arrays. */
TEST(nonfinite_numbers_are_found)
{
    enum { COUNT = 2500 };
    static const uint32_t good[] = {0, 0x80000000, 1, 0x7F7FFFFF, 0xFF7FFFFF, 0x3F800000};
    static const uint32_t bad[] = {0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001, 0xFFFFFFFF};
    static const uint64_t bad_doubles[] = {
        UINT64_C(0x7FF0000000000000), UINT64_C(0xFFF0000000000000), UINT64_C(0x7FF8000000000000),
        UINT64_C(0x7FF0000000000001), UINT64_MAX};
    static uint8_t floats[COUNT * 4 + 1], doubles[COUNT * 8 + 1];
    for (size_t i = 0; i < COUNT; i++) {
        double number = (double)facet_float_of_bits(good[i % 6]);
        memcpy(floats + 1 + i * 4, &good[i % 6], 4);
        memcpy(doubles + 1 + i * 8, &number, 8);
    }
    assert_int_equal(facet_find_nonfinite_float(floats + 1, 0), 0);
    assert_int_equal(facet_find_nonfinite_float(floats + 1, COUNT), COUNT);
    assert_int_equal(facet_find_nonfinite_double(doubles + 1, COUNT), COUNT);
    for (size_t at = COUNT; at-- > 0;) { /* each before the earlier ones */
        memcpy(floats + 1 + at * 4, &bad[at % 5], 4);
        memcpy(doubles + 1 + at * 8, &bad_doubles[at % 5], 8);
        assert_int_equal(facet_find_nonfinite_float(floats + 1, COUNT), at);
        assert_int_equal(facet_find_nonfinite_double(doubles + 1, COUNT), at);
    }
}

TEST(cursor_stops_at_the_end)
{
    const uint8_t bytes[6] = {1, 0, 0, 0, 2, 0};
    facet_cursor cursor = facet_cursor_make(bytes, sizeof bytes);
    assert_int_equal(facet_cursor_u32le(&cursor), 1);
    assert_int_equal(facet_cursor_u32le(&cursor), 0);
    assert_true(cursor.failed);
    assert_int_equal(cursor.position, 4);
    assert_int_equal(facet_cursor_u8(&cursor), 0); /* an error is permanent */
    assert_int_equal(facet_cursor_left(&cursor), 0);
}

/* -- Arena -------------------------------------------------------------- */

TEST(arena_gives_back_large_blocks)
{
    test_allocator allocator;
    test_allocator_init(&allocator, 0);
    facet_options options = {.allocator = &allocator.allocator};
    facet_arena *arena = NULL;
    facet_error error;
    TEST_OK(facet_arena_create(&options, &arena, &error), &error);
    size_t before = facet_arena_used(arena);
    void *large = facet_arena_allocate(arena, 1000, 1000);
    assert_non_null(large);
    assert_true(facet_arena_used(arena) >= before + 1000000);
    facet_arena_release(arena, large, 1000, 1000);
    assert_int_equal(facet_arena_used(arena), before);
    assert_null(facet_arena_allocate(arena, SIZE_MAX / 2, 3));
    facet_arena_free(arena);
    assert_int_equal(allocator.live, 0);
}

TEST(arena_resize_keeps_contents)
{
    facet_arena *arena = NULL;
    facet_error error;
    TEST_OK(facet_arena_create(NULL, &arena, &error), &error);
    uint32_t *numbers = NULL;
    size_t count = 0;
    for (size_t grown = 1; grown <= 1 << 20; grown *= 4) {
        numbers = facet_arena_resize(arena, numbers, count, grown, sizeof *numbers);
        assert_non_null(numbers);
        for (; count < grown; count++)
            numbers[count] = (uint32_t)count;
        facet_arena_allocate(arena, 1, 1); /* so that it is not always the newest */
    }
    for (size_t i = 0; i < count; i++)
        assert_int_equal(numbers[i], i);
    facet_arena_free(arena);
}

/* Either arena may be the one that lacks memory: its limit is reported. */
TEST(failure_of_the_second_arena_is_reported)
{
    facet_options options = {.memory_limit = 1 << 16};
    facet_arena *arena = NULL, *small = NULL;
    facet_error error;
    TEST_OK(facet_arena_create(NULL, &arena, &error), &error);
    TEST_OK(facet_arena_create(&options, &small, &error), &error);
    assert_null(facet_arena_allocate(small, 1 << 17, 1));
    assert_int_equal(facet_fail_arenas(arena, small, &error), FACET_ERROR_MEMORY_LIMIT);
    assert_int_equal(facet_fail_arenas(small, arena, &error), FACET_ERROR_MEMORY_LIMIT);
    assert_int_equal(facet_fail_arenas(arena, NULL, &error), FACET_ERROR_MEMORY);
    facet_arena_free(small);
    facet_arena_free(arena);
}

TEST(arena_grows_by_doubling)
{
    facet_error error;
    facet_arena *arena = NULL;
    facet_options options = {.memory_limit = 1 << 16};
    TEST_OK(facet_arena_create(&options, &arena, &error), &error);
    uint64_t *numbers = NULL;
    uint32_t space = 0, count = 0;
    while (FACET_GROW(arena, numbers, count, space)) {
        /* 16, doubled whenever an item does not fit. */
        uint32_t expected = 16;
        while (expected <= count)
            expected *= 2;
        assert_int_equal(space, expected);
        numbers[count] = count;
        count++;
    }
    assert_true(count >= 1024);
    assert_int_equal(count, space); /* the content stays if memory runs out */
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(numbers[i], i);
    assert_int_equal(facet_arena_status(arena, &error), FACET_ERROR_MEMORY_LIMIT);
    facet_arena_free(arena);
}

TEST(arena_refuses_more_than_the_limit)
{
    facet_options options = {.memory_limit = 100000};
    facet_arena *arena = NULL;
    facet_error error;
    TEST_OK(facet_arena_create(&options, &arena, &error), &error);
    assert_null(facet_arena_allocate(arena, 1, 100001));
    assert_non_null(facet_arena_allocate(arena, 1, 90000));
    assert_null(facet_arena_allocate(arena, 1, 90000));
    facet_arena_free(arena);
}

/* Allocate and release blocks of `least` to `least + spread` bytes. No block overlaps another, and
 * released blocks do not count. At most 8 exist at once. */
static void come_and_go(unsigned steps, size_t least, uint32_t spread)
{
    enum { SLOTS = 8, PLAIN = 1 << 20, HUGE_PAGE = 2 << 20 };
    facet_arena *arena = NULL;
    facet_error error;
    uint8_t *blocks[SLOTS] = {0};
    size_t sizes[SLOTS] = {0}, most = 0;
    uint32_t random = 1;
    TEST_OK(facet_arena_create(NULL, &arena, &error), &error);
    assert_non_null(facet_arena_allocate(arena, 1, PLAIN));
    for (unsigned step = 0; step < steps; step++) {
        random = random * 1664525 + 1013904223;
        unsigned slot = random >> 29;
        uint8_t *bytes = blocks[slot];
        size_t size = sizes[slot];
        for (size_t i = 0; bytes && i < size - 1; i += 4096)
            assert_int_equal(bytes[i], slot + i / 4096 % 99);
        assert_true(!bytes || bytes[size - 1] == slot);
        facet_arena_release(arena, bytes, size, 1);
        blocks[slot] = NULL;
        if (random >> 20 & 1)
            continue;
        size = sizes[slot] = least + random % spread;
        bytes = blocks[slot] = facet_arena_allocate(arena, size, 1);
        assert_non_null(bytes);
        assert_int_equal((uintptr_t)bytes % 16, 0);
        for (size_t i = 0; i < size - 1; i += 4096)
            bytes[i] = (uint8_t)(slot + i / 4096 % 99);
        bytes[size - 1] = (uint8_t)slot;
        most = facet_arena_used(arena) > most ? facet_arena_used(arena) : most;
    }
    assert_true(most <= SLOTS * (least + spread + HUGE_PAGE) + PLAIN + HUGE_PAGE);
    for (unsigned slot = 0; slot < SLOTS; slot++)
        facet_arena_release(arena, blocks[slot], sizes[slot], 1);
    facet_arena_free(arena);
}

/* An arena remembers its first failure and the reason, so that a function can make all allocations
 * and check once. */
TEST(arena_remembers_a_limit)
{
    facet_options options = {.memory_limit = 100000};
    facet_arena *arena = NULL;
    facet_error error = {0};
    TEST_OK(facet_arena_create(&options, &arena, &error), &error);
    assert_non_null(facet_arena_allocate(arena, 1000, 1));
    assert_int_equal(facet_arena_status(arena, &error), FACET_OK);
    assert_null(facet_arena_allocate(arena, 200000, 1));
    assert_non_null(facet_arena_allocate(arena, 1000, 1));
    assert_int_equal(facet_arena_status(arena, &error), FACET_ERROR_MEMORY_LIMIT);
    assert_int_equal(error.status, FACET_ERROR_MEMORY_LIMIT);
    assert_string_equal(error.rule, "MEMORY-LIMIT");
    assert_non_null(strstr(error.message, "limit of 100000"));
    facet_arena_forget_failure(arena);
    assert_int_equal(facet_arena_status(arena, &error), FACET_OK);
    facet_arena_free(arena);
}

TEST(arena_remembers_the_allocator)
{
    test_allocator counting;
    test_allocator_init(&counting, 2);
    facet_options options = {.allocator = &counting.allocator, .memory_limit = 1 << 20};
    facet_arena *one = NULL, *two = NULL;
    facet_error error = {0};
    TEST_OK(facet_arena_create(&options, &one, &error), &error);
    assert_null(facet_arena_allocate(one, 70000, 1)); /* the second allocation is refused */
    TEST_OK(facet_arena_create(NULL, &two, &error), &error);
    assert_int_equal(facet_arena_status(two, &error), FACET_OK);
    assert_int_equal(facet_arena_status(one, &error), FACET_ERROR_MEMORY);
    assert_string_equal(error.rule, "");
    assert_int_equal(facet_fail_arenas(two, one, NULL), FACET_ERROR_MEMORY);
    facet_arena_free(one);
    facet_arena_free(two);
}

TEST(arena_remembers_an_overflow)
{
    facet_arena *arena = NULL;
    assert_int_equal(facet_arena_create(NULL, &arena, NULL), FACET_OK);
    assert_null(facet_arena_allocate(arena, SIZE_MAX / 2, 3));
    assert_int_equal(facet_arena_status(arena, NULL), FACET_ERROR_MEMORY);
    facet_arena_free(arena);
}

TEST(arena_large_blocks_are_given_back)
{
    come_and_go(4000, 70000, 830000);
    come_and_go(1000, 70000, 12000000);
}

/* Adopted memory keeps its address, and is freed with its new owner. */
TEST(arena_frees_adopted_memory)
{
    test_allocator allocator;
    test_allocator_init(&allocator, 0);
    facet_options options = {.allocator = &allocator.allocator, .memory_limit = 200000};
    facet_arena *arena = NULL, *other = NULL, *foreign = NULL;
    facet_error error;
    TEST_OK(facet_arena_create(&options, &arena, &error), &error);
    TEST_OK(facet_arena_create(&options, &other, &error), &error);
    TEST_OK(facet_arena_create(NULL, &foreign, &error), &error);
    assert_false(facet_arena_adopt(arena, foreign));
    assert_non_null(facet_arena_allocate(arena, 1, 90000));
    char *text = facet_arena_string(other, "kept", 4);
    void *large = facet_arena_allocate(other, 1, 80000);
    size_t sum = facet_arena_used(arena) + facet_arena_used(other);
    assert_true(facet_arena_adopt(arena, other));
    assert_int_equal(facet_arena_used(arena), sum);
    assert_string_equal(text, "kept");
    assert_null(facet_arena_allocate(arena, 1, 80000)); /* together above the limit */
    TEST_OK(facet_arena_create(&options, &other, &error), &error);
    assert_non_null(facet_arena_allocate(other, 1, 80000));
    assert_false(facet_arena_adopt(arena, other));
    facet_arena_free(other);
    facet_arena_release(arena, large, 1, 80000);
    assert_non_null(facet_arena_allocate(arena, 1, 80000));
    facet_arena_free(arena);
    facet_arena_free(foreign);
    assert_int_equal(allocator.live, 0);
}

/* -- Errors and text ---------------------------------------------------- */

TEST(invalid_utf8_is_recognized)
{
    assert_true(facet_utf8_valid("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", 10));
    assert_false(facet_utf8_valid("\xC0\x80", 2));         /* overlong NUL */
    assert_false(facet_utf8_valid("\xE0\x9F\xBF", 3));     /* overlong */
    assert_false(facet_utf8_valid("\xED\xA0\x80", 3));     /* surrogate */
    assert_false(facet_utf8_valid("\xF4\x90\x80\x80", 4)); /* above U+10FFFF */
    assert_false(facet_utf8_valid("\xE2\x82", 2));         /* truncated */
}

/* Invalid bytes: E2 begins a truncated sequence, and 82 cannot begin one. */
TEST(utf8_is_repaired)
{
    facet_arena *arena = NULL;
    facet_error error;
    TEST_OK(facet_arena_create(NULL, &arena, &error), &error);
    assert_string_equal(facet_arena_utf8(arena, "x\xFFy", 3), "x\xEF\xBF\xBDy");
    assert_string_equal(facet_arena_utf8(arena, "\xE2\x82", 2), "\xEF\xBF\xBD\xEF\xBF\xBD");
    assert_string_equal(facet_arena_utf8(arena, "a\xC3\xA9\xE2\x82\xAC", 6),
                        "a\xC3\xA9\xE2\x82\xAC");
    assert_string_equal(facet_arena_utf8(arena, "", 0), "");
    assert_memory_equal(facet_arena_utf8(arena, "a\0b", 3), "a\0b", 4);
    facet_arena_free(arena);
}

TEST(quote_escapes_control_characters)
{
    facet_quoted quoted;
    assert_string_equal(facet_quote(&quoted, "a\n\x1B[31m\xFF", 8), "a\\x0A\\x1B[31m\\xFF");
    /* U+009B is the C1 control that begins a sequence like ESC [. U+00A0 is the first character
     * after the controls. */
    assert_string_equal(facet_quote(&quoted, "\xC2\x9Bx\xC2\xA0", 5), "\\xC2\\x9Bx\xC2\xA0");
    /* U+202E changes the direction of the following text, U+2028 ends a line. */
    assert_string_equal(facet_quote(&quoted, "\xE2\x80\xAEgnp.\xE2\x80\xA8", 10),
                        "\\xE2\\x80\\xAEgnp.\\xE2\\x80\\xA8");
    assert_string_equal(facet_quote(&quoted, "\0\x7F\xC2", 3), "\\x00\\x7F\\xC2");
    char longer[300];
    memset(longer, 'x', sizeof longer);
    const char *text = facet_quote(&quoted, longer, sizeof longer);
    assert_true(strlen(text) < sizeof quoted.text);
    assert_string_equal(text + strlen(text) - 3, "...");
}

TEST(errors_keep_rule_offset_and_message)
{
    facet_error error;
    assert_int_equal(facet_fail(&error, FACET_ERROR_MALFORMED, "X-RULE", 0x84, "found %d", 7),
                     FACET_ERROR_MALFORMED);
    assert_int_equal(error.status, FACET_ERROR_MALFORMED);
    assert_int_equal(error.offset, 0x84);
    assert_string_equal(error.rule, "X-RULE");
    assert_string_equal(error.message, "found 7");
    assert_int_equal(facet_fail(NULL, FACET_ERROR_IO, NULL, 0, "nobody listens"), FACET_ERROR_IO);
}

static bool always_stop(void *user, const char *step, double fraction)
{
    (void)fraction;
    *(const char **)user = step;
    return false;
}

TEST(progress_can_cancel)
{
    const char *step = NULL;
    facet_options options = {.progress = always_stop, .progress_user = &step};
    facet_error error;
    assert_int_equal(facet_step(&options, "weld", 0.5, &error), FACET_ERROR_CANCELED);
    assert_string_equal(step, "weld");
    assert_int_equal(facet_step(NULL, "weld", 0.5, &error), FACET_OK);
}

/* -- Reports and trees -------------------------------------------------- */

TEST(report_counts)
{
    facet_report *report = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_tally tally = {0};
    facet_tally_hit(&tally, 12);
    facet_tally_hit(&tally, 40);
    facet_report_add_tally(report, "X-MANY", FACET_SEVERITY_WARNING, 0x10, &tally, "item %d is odd",
                           (int)tally.first);
    for (int i = 0; i < 100; i++)
        facet_report_add_line(report, "X-LINE", FACET_SEVERITY_ERROR, 5, "line says %d", i);
    assert_int_equal(facet_report_count(report), 101);
    assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR), 100);
    assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_WARNING), 1);
    assert_string_equal(facet_report_get(report, 0)->message, "item 12 is odd (2 times)");
    assert_int_equal(facet_report_get(report, 0)->count, 2);
    assert_string_equal(facet_report_get(report, 100)->message, "line says 99");
    assert_int_equal(facet_report_status(report, &error), FACET_OK);
    facet_report_add(NULL, "X", FACET_SEVERITY_NOTE, 0, "to nobody");
    facet_report_free(report);
}

typedef struct heard {
    int count;
    uint64_t of_last;
    char rule[16];
} heard;

static void hear(void *user, const facet_finding *finding)
{
    heard *h = user;
    h->count++;
    h->of_last = finding->count;
    snprintf(h->rule, sizeof h->rule, "%s", finding->rule);
}

/* Each finding is passed on once, completely, when it is added, until the callback is removed. */
TEST(report_calls_back_once_per_finding)
{
    facet_report *report = NULL, *other = NULL;
    facet_error error;
    heard h = {0};
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_report_create(NULL, &other, &error), &error);
    facet_report_set_callback(report, hear, &h);
    facet_report_add(report, "X-ONE", FACET_SEVERITY_NOTE, 0, "one");
    assert_int_equal(h.count, 1);
    assert_string_equal(h.rule, "X-ONE");
    facet_tally tally = {7, 3};
    facet_report_add_tally(other, "X-MANY", FACET_SEVERITY_NOTE, 0, &tally, "many");
    facet_report_repeat(report, facet_report_get(other, 0));
    assert_int_equal(h.count, 2);
    assert_int_equal(h.of_last, 7);
    assert_string_equal(facet_report_get(report, 1)->message, "many (7 times)");
    assert_int_equal(facet_report_get(report, 1)->count, 7);
    facet_report_set_callback(report, NULL, NULL);
    facet_report_add(report, "X-ONE", FACET_SEVERITY_NOTE, 0, "one");
    assert_int_equal(h.count, 2);
    facet_report_free(other);
    facet_report_free(report);
}

TEST(report_copies_rules)
{
    facet_report *report = NULL;
    facet_error error = {0};
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    char rule[8] = "X-A";
    facet_report_add(report, rule, FACET_SEVERITY_NOTE, 1, "first");
    facet_report_add(report, rule, FACET_SEVERITY_NOTE, 2, "second");
    rule[2] = 'B';
    facet_report_add(report, rule, FACET_SEVERITY_NOTE, 3, "third");
    rule[2] = 'C';
    assert_string_equal(facet_report_get(report, 0)->rule, "X-A");
    assert_string_equal(facet_report_get(report, 1)->rule, "X-A");
    assert_string_equal(facet_report_get(report, 2)->rule, "X-B");
    facet_report_free(report);
}

TEST(report_accepts_errors)
{
    facet_report *report = NULL;
    facet_error error = {0};
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_fail(&error, FACET_ERROR_MALFORMED, "X-RULE", 7, "wrong");
    facet_report_add_fault(report, &error, "X");
    facet_fail_line(&error, FACET_ERROR_MALFORMED, NULL, 5, "wrong as well");
    facet_report_add_fault(report, &error, "X");
    memset(&error, 0, sizeof error);
    const facet_finding *first = facet_report_get(report, 0), *second = first + 1;
    assert_string_equal(first->rule, "X-RULE");
    assert_string_equal(first->message, "wrong");
    assert_int_equal(first->severity, FACET_SEVERITY_ERROR);
    assert_int_equal(first->offset, 7);
    assert_int_equal(first->line, 0);
    assert_string_equal(second->rule, "X");
    assert_int_equal(second->offset, FACET_NO_OFFSET);
    assert_int_equal(second->line, 5);
    facet_report_free(report);
}

static facet_status fill_report(const facet_allocator *allocator, void *user)
{
    (void)user;
    facet_report *report;
    facet_error error;
    facet_status status = facet_report_create(allocator, &report, &error);
    if (status)
        return status;
    for (int i = 0; i < 200; i++)
        facet_report_add(report, i % 3 ? "X" : "Y", FACET_SEVERITY_NOTE, 0,
                         "finding %d of a list that grows", i);
    status = facet_report_status(report, &error);
    facet_report_free(report);
    return status;
}

TEST(report_survives_failed_allocations)
{
    test_every_allocation(fill_report, NULL);
}

TEST(tree_keeps_order_and_repairs_text)
{
    facet_arena *arena = NULL;
    facet_error error;
    TEST_OK(facet_arena_create(NULL, &arena, &error), &error);
    facet_tree *root = facet_tree_root(arena);
    facet_tree_integer(arena, root, "b", 2);
    facet_tree_text(arena, root, "a", "x\xFFy", 3);
    assert_string_equal(root->first->key, "b");
    assert_string_equal(facet_tree_find(root, "a")->string, "x\xEF\xBF\xBDy");
    assert_null(facet_tree_find(root, "c"));
    assert_null(facet_tree_integer(arena, NULL, "c", 1));
    facet_arena_free(arena);
}

/* -- Threads ------------------------------------------------------------ */

static void count_index(void *argument, size_t index)
{
    atomic_fetch_add((atomic_size_t *)argument, index + 1);
}

TEST(every_index_runs_once)
{
    for (unsigned threads = 1; threads <= 4; threads++) {
        facet_options options = {0};
        facet_error error;
        TEST_OK(facet_threads_create(threads, &options.threads, &error), &error);
        for (size_t count = 0; count < 200; count++) {
            atomic_size_t sum = 0;
            facet_run(&options, count_index, &sum, count);
            assert_int_equal(atomic_load(&sum), count * (count + 1) / 2);
        }
        facet_threads_free(options.threads);
    }
}

#if defined(__linux__) && defined(SYS_sched_setaffinity)
/* A child process that may use only its first processor has one thread, for any number of
 * processors. */
TEST(threads_are_as_many_as_allowed_processors)
{
    pid_t child = fork();
    if (child == 0) {
        unsigned char allowed[1024] = {0};
        long size = syscall(SYS_sched_getaffinity, 0, sizeof allowed, allowed);
        long first = 0;
        while (first < size && !allowed[first])
            first++;
        if (size <= 0 || first == size)
            _exit(77);
        unsigned char one[1024] = {0};
        one[first] = allowed[first] & -allowed[first];
        if (syscall(SYS_sched_setaffinity, 0, size, one) != 0)
            _exit(77);
        const facet_threads *threads;
        facet_error error;
        if (facet_threads_create(0, &threads, &error) != FACET_OK)
            _exit(2);
        _exit(threads->count == 1 ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77)
        skip();
    assert_int_equal(WEXITSTATUS(status), 0);
}
#endif

/* -- Base64 --------------------------------------------------------------- */

/* The vectors of RFC 4648, section 10, encoded and decoded. Padding is optional. */
TEST(base64_matches_the_vectors_of_rfc_4648)
{
    static const char *const vectors[][2] = {{"", ""},
                                             {"f", "Zg=="},
                                             {"fo", "Zm8="},
                                             {"foo", "Zm9v"},
                                             {"foob", "Zm9vYg=="},
                                             {"fooba", "Zm9vYmE="},
                                             {"foobar", "Zm9vYmFy"}};
    facet_arena *arena = NULL;
    assert_int_equal(facet_arena_create(NULL, &arena, NULL), FACET_OK);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        const char *plain = vectors[i][0], *coded = vectors[i][1];
        char *text = facet_base64_encode(arena, (const uint8_t *)plain, strlen(plain));
        assert_non_null(text);
        assert_string_equal(text, coded);
        for (int padded = 0; padded < 2; padded++) {
            size_t length = padded ? strlen(coded) : strcspn(coded, "="), size = 99;
            uint8_t *bytes = NULL;
            assert_true(facet_base64_decode(arena, coded, length, &bytes, &size));
            assert_int_equal(size, strlen(plain));
            assert_memory_equal(bytes, plain, size);
        }
    }
    uint8_t *bytes = NULL;
    size_t size;
    assert_false(facet_base64_decode(arena, "Zm9*", 4, &bytes, &size));
    assert_null(bytes);
    facet_arena_free(arena);
}
