/* JSON: accepted and refused texts, and printed texts, compared with jansson. */
#include "support/support.h"

#include "base/arena.h"
#include "base/json.h"

#include <jansson.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* -- Literal texts ---------------------------------------------------------- */

static facet_json *read_text(const char *text, facet_json_fault *fault)
{
    return facet_json_read(text, strlen(text), 0, fault);
}

static void expect_print(const facet_json *value, const facet_json_style *style, const char *text)
{
    char *printed = facet_json_print(value, style);
    assert_non_null(printed);
    assert_string_equal(printed, text);
    free(printed);
}

TEST(values_are_read_and_printed)
{
    facet_json *root = read_text(" {\"a\" : [1, -2.5e3, true, null, \"\\u00e9\\ud83d\\ude00\"],"
                                 "\"b\":{}, \"a b\":[]}\n",
                                 NULL);
    assert_int_equal(facet_json_object_size(root), 3);
    const facet_json *list = facet_json_object_get(root, "a");
    assert_int_equal(facet_json_array_size(list), 5);
    assert_int_equal(facet_json_integer_value(facet_json_array_get(list, 0)), 1);
    assert_true(facet_json_number_value(facet_json_array_get(list, 1)) == -2500.0);
    assert_true(facet_json_is_true(facet_json_array_get(list, 2)));
    assert_true(facet_json_is_null(facet_json_array_get(list, 3)));
    assert_string_equal(facet_json_string_value(facet_json_array_get(list, 4)),
                        "\xC3\xA9\xF0\x9F\x98\x80");
    assert_null(facet_json_array_get(list, 5));
    assert_null(facet_json_object_get(root, "c"));
    assert_null(facet_json_object_get(NULL, "c"));
    expect_print(root, NULL,
                 "{\"a\":[1,-2500.0,true,null,\"\xC3\xA9\xF0\x9F\x98\x80\"],\"b\":{},\"a b\":[]}");
    expect_print(root, &(facet_json_style){.indent = 1, .sorted = true},
                 "{\n \"a\": [\n  1,\n  -2500.0,\n  true,\n  null,\n  "
                 "\"\xC3\xA9\xF0\x9F\x98\x80\"\n ],\n \"a b\": [],\n \"b\": {}\n}");
    facet_json_free(root);
}

TEST(built_trees_are_printed)
{
    facet_json *object = facet_json_object(), *shared = facet_json_array();
    assert_true(facet_json_set(object, "one", facet_json_keep(shared)));
    assert_true(facet_json_set(object, "two", shared));
    assert_true(facet_json_append(shared, facet_json_real(0.1)));
    assert_true(facet_json_set(object, "one", facet_json_boolean(false)));
    expect_print(object, NULL, "{\"one\":false,\"two\":[0.10000000000000001]}");
    expect_print(object, &(facet_json_style){.digits = 9}, "{\"one\":false,\"two\":[0.1]}");
    /* Invalid values give NULL, and NULL is not stored. */
    assert_null(facet_json_string("\xFF"));
    assert_null(facet_json_real(1e308 * 10));
    assert_false(facet_json_set(object, "three", NULL));
    assert_false(facet_json_set(object, "\xFF", facet_json_null()));
    assert_false(facet_json_set(NULL, "three", facet_json_integer(3)));
    assert_false(facet_json_append(object, facet_json_integer(3)));
    assert_int_equal(facet_json_object_size(object), 2);
    facet_json *other = facet_json_object();
    assert_true(facet_json_set(other, "zero", facet_json_integer(INT64_MIN)));
    assert_true(facet_json_update(other, object));
    expect_print(other, NULL,
                 "{\"zero\":-9223372036854775808,\"one\":false,\"two\":[0.10000000000000001]}");
    facet_json_free(other);
    facet_json_free(object);
}

/* Enough keys for a lookup table. */
TEST(many_keys_are_found)
{
    facet_json *object = facet_json_object();
    char key[16];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 1000; i++) {
            snprintf(key, sizeof key, "key %d", i);
            assert_true(facet_json_set(object, key, facet_json_integer(i + round)));
        }
    }
    assert_int_equal(facet_json_object_size(object), 1000);
    for (int i = 0; i < 1000; i++) {
        snprintf(key, sizeof key, "key %d", i);
        assert_int_equal(facet_json_integer_value(facet_json_object_get(object, key)), i + 1);
        assert_string_equal(facet_json_object_key(object, (size_t)i), key);
    }
    assert_null(facet_json_object_get(object, "key 1000"));
    facet_json_free(object);
}

/* More than 64 bits are an error, or a real number on request. Reals have the fewest digits that
 * read back exactly, and keys keep their order. */
TEST(integers_are_limited_and_reals_are_shortest)
{
    static const char text[] = "{\"b\":18446744073709551616,\"a\":[0.1,1e300,-0.0,7]}";
    const facet_json_style style = {.shortest = true, .sorted = true};
    facet_json_fault fault = {0};
    assert_null(facet_json_read(text, strlen(text), 0, &fault));
    assert_int_equal(fault.position, 5);
    assert_false(fault.memory);
    facet_json *value = facet_json_read(text, strlen(text), FACET_JSON_LARGE, &fault);
    assert_non_null(value);
    char *printed = facet_json_print(value, &style);
    assert_string_equal(printed, "{\"a\":[0.1,1e300,-0.0,7],\"b\":1.8446744073709552e19}");
    free(printed);
    facet_json_free(value);
}

TEST(json_errors_give_line_and_position)
{
    static const struct {
        const char *text;
        size_t position, line;
        const char *says;
    } cases[] = {
        {"", 0, 1, "the text ends, expected a value"},
        {"{\n\"a\":\n}", 7, 3, "found '}', expected a value"},
        {"[1 2]", 3, 1, "found '2', expected ',' or ']'"},
        {"[1,]", 3, 1, "found ']', expected a value"},
        {"{\"a\" 1}", 5, 1, "found '1', expected ':'"},
        {"{\"a\":1,}", 7, 1, "found '}', expected a key in quotes"},
        {"[\"a\n\"]", 3, 1, "found '\\x0A', expected the end of the string, '\"'"},
        {"[01]", 1, 1, "the number begins with zeros"},
        {"[1.]", 3, 1, "found ']', expected a digit after the point"},
        {"9223372036854775808", 0, 1, "the integer is too large"},
        {"1e999", 0, 1, "the number is too large"},
        {"\"\\ud800x\"", 1, 1, "a surrogate in a \\u escape has no partner"},
        {"\"\\u0000\"", 1, 1, "the character U+0000 is not allowed here"},
        {"\"ab\xC3\"", 3, 1, "the text is not UTF-8"},
        {"[] []", 3, 1, "found '[', expected the end of the text"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_json_fault fault = {0};
        assert_null(read_text(cases[i].text, &fault));
        assert_string_equal(fault.text, cases[i].says);
        assert_int_equal(fault.position, cases[i].position);
        assert_int_equal(fault.line, cases[i].line);
    }
    facet_json_fault fault = {0};
    static const char twice[] = "{\"a\":1,\"b\":2,\"a\":3}";
    facet_json *last = facet_json_read(twice, sizeof twice - 1, 0, NULL);
    expect_print(last, NULL, "{\"a\":3,\"b\":2}");
    facet_json_free(last);
    assert_null(facet_json_read(twice, sizeof twice - 1, FACET_JSON_UNIQUE_KEYS, &fault));
    assert_string_equal(fault.text, "the key \"a\" occurs twice");
    facet_json *nul = facet_json_read("\"\\u0000\"", 8, FACET_JSON_NUL, NULL);
    assert_int_equal(facet_json_string_length(nul), 1);
    expect_print(nul, NULL, "\"\\u0000\"");
    facet_json_free(nul);
}

TEST(depth_is_limited)
{
    char text[2 * (FACET_JSON_DEPTH + 1)];
    for (size_t depth = FACET_JSON_DEPTH; depth <= FACET_JSON_DEPTH + 1; depth++) {
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        facet_json *read = facet_json_read(text, 2 * depth, 0, NULL);
        assert_int_equal(read != NULL, depth <= FACET_JSON_DEPTH);
        facet_json_free(read);
    }
}

/* -- Compared with jansson -------------------------------------------------- */

static const size_t flags_of[] = {JSON_COMPACT, JSON_INDENT(2), JSON_COMPACT | JSON_SORT_KEYS,
                                  JSON_COMPACT | JSON_REAL_PRECISION(9)};
static const facet_json_style styles[] = {{0}, {.indent = 2}, {.sorted = true}, {.digits = 9}};

/* Check that both accept or both refuse a text, and print the same in every style. Returns whether
 * they accept. */
static bool compare(const char *text, size_t size)
{
    facet_json *ours = facet_json_read(text, size, 0, NULL);
    json_t *theirs = json_loadb(text, size, JSON_DECODE_ANY, NULL);
    bool accepted = ours != NULL;
    if ((ours != NULL) != (theirs != NULL))
        fail_msg("%s: %.*s", ours ? "only ours" : "only theirs", (int)size, text);
    for (size_t i = 0; ours && i < sizeof styles / sizeof *styles; i++) {
        char *one = facet_json_print(ours, &styles[i]);
        char *other = json_dumps(theirs, flags_of[i] | JSON_ENCODE_ANY);
        assert_true(one && other);
        assert_string_equal(one, other);
        free(one);
        free(other);
    }
    facet_json_free(ours);
    json_decref(theirs);
    return accepted;
}

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Random sequences of tokens: most are refused, some at their last byte. */
TEST(random_tokens_agree_with_jansson)
{
    static const char *const tokens[] = {"{",        "}",
                                         "[",        "]",
                                         ",",        ":",
                                         "\"a\"",    "\"b\":",
                                         "1",        "-0",
                                         "0.5",      "1e-400",
                                         "-1e+5",    "1E07",
                                         "true",     "null",
                                         " ",        "\n",
                                         "\"",       "\\",
                                         "\\u12",    "\\u00e9",
                                         "\xC3\xA9", "\xE2\x82",
                                         "falsey",   "123456789012345678",
                                         "[[",       "]]",
                                         "{\"a\":",  "\"\\n\\/\"",
                                         "\"\x7F\"", "\x01"};
    uint32_t seed = 3;
    size_t accepted = 0;
    for (int round = 0; round < 200000; round++) {
        char text[256] = "";
        uint32_t count = 1 + next(&seed) % 7;
        for (uint32_t i = 0; i < count; i++)
            strcat(text, tokens[next(&seed) % (sizeof tokens / sizeof *tokens)]);
        accepted += compare(text, strlen(text));
    }
    assert_true(accepted > 10000);
}

/* A valid text with one changed byte at a time, except to NUL: jansson loses a NUL after a
 * number. */
TEST(changed_bytes_agree_with_jansson)
{
    static const char text[] =
        "{\"format\":\"a\\\"b\\\\c\\u0001\",\"list\":[0,-1,2.5,1e10,1.7976931348623157e308,"
        "5e-324,0.1,3.4028235e38],\"deep\":{\"x\":[[[{}]]],\"y\":null,\"z\":true},"
        "\"\xE2\x82\xAC\":\"\\ud83d\\ude00\xF0\x9F\x98\x80\"}";
    char changed[sizeof text];
    assert_true(compare(text, sizeof text - 1));
    for (size_t at = 0; at < sizeof text - 1; at++) {
        for (int byte = 1; byte < 256; byte++) {
            memcpy(changed, text, sizeof text);
            changed[at] = (char)byte;
            compare(changed, sizeof text - 1);
        }
        compare(text, at);
    }
}

TEST(random_numbers_agree_with_jansson)
{
    uint32_t seed = 5;
    for (int round = 0; round < 50000; round++) {
        char text[64];
        uint64_t bits = (uint64_t)next(&seed) << 40 ^ (uint64_t)next(&seed) << 20 ^ next(&seed);
        double value;
        memcpy(&value, &bits, sizeof value);
        snprintf(text, sizeof text, round % 2 ? "%.17g" : "%.9g", value);
        if (strspn(text, "-0123456789.e+") == strlen(text))
            compare(text, strlen(text));
    }
}

/* Strings are scanned in words of eight bytes, so each of these is tested at every offset of three
 * words. */
TEST(strings_end_at_any_offset_of_a_word)
{
    static const char *const in[] = {"\"", "\\\"",     "\\\\", "\x1F", "\x01",
                                     "\n", "\xC3\xA9", "\xFF", "\x7F", "\x80",
                                     " ",  "!",        "#",    "[",    "]"};
    for (size_t i = 0; i < sizeof in / sizeof *in; i++) {
        for (size_t place = 0; place < 24; place++) {
            char text[64];
            memset(text, 'a', sizeof text);
            text[0] = '[';
            text[1] = '"';
            memcpy(text + 2 + place, in[i], strlen(in[i]));
            memcpy(text + 28, "\"]", 2);
            compare(text, 30);
        }
    }
}

/* JSON for a terminal has no control characters, and reads back as the same text. */
TEST(terminal_json_escapes_control_characters)
{
    static const struct {
        const char *text, *json;
    } cases[] = {
        {"\x7F", "\"\\u007F\""},
        {"\xC2\x9B", "\"\\u009B\""},
        {"\xD8\x9C", "\"\\u061C\""},
        {"\xE2\x80\xAE"
         "b",
         "\"\\u202Eb\""},
        {"\xE2\x81\xA6", "\"\\u2066\""},
        {"\xE2\x80\xA8", "\"\\u2028\""},
        {"\xC2\xA0", "\"\xC2\xA0\""},
        {"\xE2\x81\xAA", "\"\xE2\x81\xAA\""},
        {"\xF0\x9F\x98\x80", "\"\xF0\x9F\x98\x80\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_json *value = facet_json_string(cases[i].text);
        char *tame = facet_json_print(value, &(facet_json_style){.tame = true});
        assert_string_equal(tame, cases[i].json);
        facet_json *again = facet_json_read_text(tame);
        assert_string_equal(facet_json_string_value(again), cases[i].text);
        facet_json_free(again);
        facet_json_free(value);
        free(tame);
    }
}

enum { KEY_COUNT = 1000 };

/* Count the members that a lookup confuses. */
static void *look_up_all(void *object)
{
    size_t wrong = 0;
    char key[16];
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < KEY_COUNT; i++) {
            snprintf(key, sizeof key, "key %d", i);
            const facet_json *value = facet_json_object_get(object, key);
            wrong += !value || facet_json_integer_value(value) != i;
        }
    }
    return (void *)wrong;
}

/* A lookup changes nothing, so threads can read one object. An object of many members has an index.
 */
TEST(threads_look_up_keys_of_one_object)
{
    facet_json *object = facet_json_object();
    char key[16];
    for (int i = 0; i < KEY_COUNT; i++) {
        snprintf(key, sizeof key, "key %d", i);
        assert_true(facet_json_set(object, key, facet_json_integer(i)));
    }
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, look_up_all, object), 0);
    for (size_t i = 0; i < 4; i++) {
        void *wrong;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
    facet_json_free(object);
}

/* A tree in an arena equals its text, also after a copy, and grows beyond the index of keys. */
TEST(trees_in_an_arena_are_built_copied_and_printed)
{
    facet_arena *arena = NULL;
    facet_error error;
    char key[16], text[400] = "{\"list\":[7,0.5,\"a\",null]", number[32];
    TEST_OK(facet_arena_create(NULL, &arena, &error), &error);
    facet_json *root = facet_json_object_in(arena), *list = facet_json_array_in(arena);
    assert_true(facet_json_append_in(arena, list, facet_json_integer_in(arena, 7)));
    assert_true(facet_json_append_in(arena, list, facet_json_real_in(arena, 0.5)));
    assert_true(facet_json_append_in(arena, list, facet_json_string_in(arena, "a")));
    assert_true(facet_json_append_in(arena, list, facet_json_null()));
    assert_true(facet_json_set_in(arena, root, "list", list));
    for (int i = 0; i < 20; i++) {
        snprintf(key, sizeof key, "k%d", i);
        snprintf(number, sizeof number, ",\"%s\":%d", key, 100 + i);
        strcat(text, number);
        assert_true(facet_json_set_in(arena, root, key, facet_json_integer_in(arena, 100 + i)));
    }
    strcat(text, "}");
    assert_string_equal(facet_json_print_in(arena, root, NULL), text);
    facet_json *copy = facet_json_copy_in(NULL, root);
    expect_print(copy, NULL, text);
    facet_json_free(copy);
    assert_string_equal(facet_json_print_in(arena, facet_json_copy_in(arena, root), NULL), text);
    /* A failed addition makes the tree incomplete: it is neither printed nor copied. */
    assert_false(facet_json_append_in(arena, list, facet_json_string_in(arena, "\xFF")));
    assert_null(facet_json_print_in(arena, root, NULL));
    assert_null(facet_json_copy_in(arena, root));
    facet_arena_free(arena);
}
