/* Shape cache of the OBJ reader: lines like an earlier one are read by its shape.
 *
 * A blank before a line disables the cache. The result must be the same with and without blanks. */
#include "formats/obj/obj.h"
#include "support/support.h"
#include "support/text.h"

#include <string.h>

enum { LEAST = 1200, SHAPES = 24, LINES = 8000, ROUNDS = 40 };

/* A fixed sequence (splitmix64): a number below `limit`. */
static uint32_t next_random(uint64_t *state, uint32_t limit)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ z >> 31) % limit);
}

/* -- Shapes ------------------------------------------------------------- */

/* A line: "$" stands for any digit, '<' to '?' for an index of 1 to 4 digits, '@' to 'C' for one
 * of 5 to 8 digits. */
typedef struct shape {
    char line[160];
} shape;

static void add(shape *s, const char *more)
{
    size_t used = strlen(s->line);
    snprintf(s->line + used, sizeof s->line - used, "%s", more);
}

static void add_blanks(shape *s, uint64_t *seed)
{
    static const char *const blanks[] = {" ", " ", " ", " ", "  ", "\t", " \t "};
    add(s, blanks[next_random(seed, 7)]);
}

static void add_number(shape *s, uint64_t *seed)
{
    uint32_t whole = 1 + next_random(seed, next_random(seed, 8) ? 3 : 9);
    add(s, next_random(seed, 2) ? "-" : "");
    for (uint32_t i = 0; i < whole; i++)
        add(s, "$");
    if (next_random(seed, 5) == 0)
        return;
    add(s, ".");
    for (uint32_t i = next_random(seed, 10 - whole); i > 0; i--)
        add(s, "$");
    if (next_random(seed, 30) == 0)
        add(s, "e-$");
}

static void add_index(shape *s, uint64_t *seed)
{
    char index[2] = {(char)('<' + next_random(seed, 8)), '\0'};
    add(s, index);
}

static void add_end(shape *s, uint64_t *seed)
{
    static const char *const ends[] = {"\n", "\n", "\n", "\r\n", " \n", " \r\n", " # a\n"};
    add(s, ends[next_random(seed, 7)]);
}

static shape make_element(uint64_t *seed)
{
    static const char *const words[] = {"v", "vt", "vn"};
    uint32_t kind = next_random(seed, 3);
    shape s = {""};
    add(&s, words[kind]);
    for (int i = 0; i < (kind == 1 ? 2 : 3); i++) {
        add_blanks(&s, seed);
        add_number(&s, seed);
    }
    add_end(&s, seed);
    return s;
}

static shape make_face(uint64_t *seed)
{
    uint32_t form = next_random(seed, 4);
    shape s = {"f"};
    for (uint32_t corners = 3 + next_random(seed, 3); corners > 0; corners--) {
        add_blanks(&s, seed);
        add_index(&s, seed);
        if (form > 0)
            add(&s, form == 2 ? "//" : "/");
        if (form == 1 || form == 3)
            add_index(&s, seed);
        if (form == 3)
            add(&s, "/");
        if (form > 1)
            add_index(&s, seed);
    }
    add_end(&s, seed);
    return s;
}

/* -- Lines -------------------------------------------------------------- */

/* The same line twice: unchanged, and after a blank. */
typedef struct pair {
    text plain, behind;
} pair;

static void put_line(pair *p, const char *line)
{
    put(&p->plain, "%s", line);
    put(&p->behind, " %s", line);
}

static void put_shape(pair *p, const shape *s, uint64_t *seed, bool broken)
{
    char line[400];
    size_t used = 0;
    for (const char *at = s->line; *at; at++) {
        if (*at == '$') {
            line[used++] = (char)('0' + next_random(seed, 10));
        } else if (*at >= '<' && *at <= 'C') {
            int digits = *at - '<' + 1;
            uint32_t most = digits == 1 ? 9 : digits == 2 ? 99 : LEAST;
            used += (size_t)snprintf(line + used, sizeof line - used, "%0*u", digits,
                                     1 + next_random(seed, digits < 4 && most > 999 ? 999 : most));
        } else {
            line[used++] = *at;
        }
    }
    line[used] = '\0';
    if (broken) {
        static const char bytes[] = "/.- 0779#:,+\t\\x\x80";
        line[1 + next_random(seed, (uint32_t)used - 2)] =
            bytes[next_random(seed, sizeof bytes - 1)];
    }
    put_line(p, line);
}

static pair make_pair(uint64_t *seed, bool broken)
{
    pair p = {{0}, {0}};
    shape shapes[SHAPES];
    for (int i = 0; i < LEAST; i++)
        put_line(&p, "v 0 0 0\nvt 0 0\nvn 0 0 1\n");
    for (int i = 0; i < SHAPES; i++)
        shapes[i] = i % 2 ? make_face(seed) : make_element(seed);
    /* Mostly repeats a few shapes, as real files do. */
    for (int i = 0, which = 0; i < LINES; i++) {
        if (next_random(seed, 20) == 0)
            which = (int)next_random(seed, SHAPES);
        int beside = next_random(seed, 4) == 0 ? (int)next_random(seed, 2) : 0;
        put_shape(&p, &shapes[(which + beside) % SHAPES], seed, broken && i == LINES - 5);
    }
    for (int i = 0; i < 1000; i++)
        put_line(&p, "\n"); /* the end of a file is read by another path */
    return p;
}

/* -- Comparing ---------------------------------------------------------- */

static facet_status load(const text *t, facet_scene **scene, facet_error *error)
{
    facet_source source = facet_source_from_memory(t->at, t->size, "a.obj");
    return facet_obj_read(&source, NULL, NULL, scene, error);
}

static void expect_same(const facet_mesh *a, const facet_mesh *b)
{
    assert_int_equal(a->face_count, b->face_count);
    assert_int_equal(a->corner_count, b->corner_count);
    assert_int_equal(a->stream_count, b->stream_count);
    assert_int_equal(!a->face_offsets, !b->face_offsets);
    if (a->face_offsets)
        assert_memory_equal(a->face_offsets, b->face_offsets,
                            (a->face_count + 1) * sizeof *a->face_offsets);
    for (uint32_t i = 0; i < a->stream_count; i++) {
        const facet_stream *x = &a->streams[i], *y = &b->streams[i];
        assert_int_equal(x->count, y->count);
        assert_int_equal(x->indices == a->streams[0].indices, y->indices == b->streams[0].indices);
        assert_memory_equal(x->data, y->data, (size_t)x->count * x->components * sizeof(float));
        assert_memory_equal(x->indices, y->indices, a->corner_count * sizeof *x->indices);
    }
}

static void run(bool broken, int *good, int *bad)
{
    uint64_t seed = 5 + broken;
    for (int round = 0; round < ROUNDS; round++) {
        pair p = make_pair(&seed, broken);
        facet_scene *plain = NULL, *behind = NULL;
        facet_error error = {0}, expected = {0};
        facet_status status = load(&p.plain, &plain, &error);
        assert_int_equal(load(&p.behind, &behind, &expected), status);
        if (status) {
            assert_string_equal(error.message, expected.message);
            assert_int_equal(error.line, expected.line);
            ++*bad;
        } else {
            expect_same(plain->meshes[0], behind->meshes[0]);
            ++*good;
        }
        facet_scene_free(plain);
        facet_scene_free(behind);
        free(p.plain.at);
        free(p.behind.at);
    }
}

TEST(plain_lines_match_the_full_grammar)
{
    int good = 0, bad = 0;
    run(false, &good, &bad);
    assert_int_equal(good, ROUNDS);
}

/* One byte of one line is changed: the result may be an error or another number. */
TEST(broken_lines_match_the_full_grammar)
{
    int good = 0, bad = 0;
    run(true, &good, &bad);
    assert_true(good > ROUNDS / 8 && bad > ROUNDS / 8);
}

/* An index that is 0 or too large by one, at each position of a face like many before it. */
static void expect_bad_index(int corners, int place, uint32_t index)
{
    text t = {0};
    for (int i = 0; i < LEAST; i++)
        put(&t, "v 0 0 0\nvt 0 0\nvn 0 0 1\n");
    for (int i = 0; i < LINES; i++) {
        put(&t, "f");
        for (int k = 0; k < corners * 3; k++)
            put(&t, "%c%04u", k % 3 ? '/' : ' ', i == LINES - 1 && k == place ? index : LEAST);
        put(&t, "\n");
    }
    for (int i = 0; i < 1000; i++)
        put(&t, "\n");
    facet_scene *scene = NULL;
    facet_error error = {0};
    assert_int_equal(load(&t, &scene, &error), FACET_ERROR_MALFORMED);
    assert_string_equal(error.rule, "OBJ-INDEX");
    assert_int_equal(error.line, LEAST * 3 + LINES);
    facet_scene_free(scene);
    free(t.at);
}

TEST(bad_indices_are_refused_at_any_position)
{
    for (int corners = 3; corners <= 4; corners++) {
        for (int place = 0; place < corners * 3; place++) {
            expect_bad_index(corners, place, LEAST + 1);
            expect_bad_index(corners, place, 0);
        }
    }
}
