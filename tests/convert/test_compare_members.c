/* facet_compare_scenes: a change of any member of any struct of facet/scene.h is a difference, or
 * is named as not compared. */
#include "support/compare.h"
#include "support/rich_scene.h"
#include "support/scene_changes.h"

#include <stdio.h>
#include <string.h>

TEST(a_scene_is_equal_to_itself_and_its_copy)
{
    facet_scene *copy = NULL, *scene = rich_scene();
    facet_error error;
    TEST_OK(facet_scene_copy(scene, NULL, &copy, &error), &error);
    facet_scene *others[2] = {rich_scene(), copy};
    for (int i = 0; i < 2; i++) {
        facet_comparison result;
        facet_report *report = compare(i ? scene : rich_scene(), others[i], NULL, &result);
        for (size_t f = 0; f < facet_report_count(report); f++)
            print_message("%s\n", facet_report_get(report, f)->message);
        assert_int_equal(errors(report), 0);
        assert_true(result.same_triangles);
        facet_report_free(report);
    }
}

TEST(every_changed_member_is_reported)
{
    const char *absent = "image 'absent' is in neither file: it is not compared";
    /* The surfaces have at most two triangles. The default of 20,000 takes six times as long. */
    const facet_compare_options few = {.samples = 1000};
    unsigned unseen = 0;
    for (size_t i = 0; i < test_change_count; i++) {
        const test_change *c = &test_changes[i];
        int steps = c->kind == FLOATS ? (int)(c->size / sizeof(float)) : c->kind != EXEMPT;
        for (int step = 0; step < steps; step++) {
            facet_scene *scene = rich_scene();
            test_apply_change(c, step, scene);
            facet_report *report = compare(rich_scene(), scene, &few, NULL);
            size_t found = errors(report);
            for (size_t f = 0; f < facet_report_count(report); f++) {
                const facet_finding *finding = facet_report_get(report, f);
                found += finding->severity == FACET_SEVERITY_WARNING &&
                         strcmp(finding->message, absent) != 0;
                /* Extras belong to the names of their items. That does not compare the names. */
                found -= strcmp(c->member, "name") == 0 &&
                         strcmp(finding->rule, "COMPARE-ASSET") == 0 &&
                         strncmp(finding->message, "ext", 3) == 0;
            }
            if (found == 0) {
                print_message("%s.%s, step %d: called equal\n", c->of, c->member, step);
                unseen++;
            }
            facet_report_free(report);
        }
    }
    assert_int_equal(unseen, 0);
}

/* -- Completeness ------------------------------------------------------- */

static bool has_row(const char *of, const char *member, size_t length)
{
    for (size_t i = 0; i < test_change_count; i++) {
        if (strcmp(test_changes[i].of, of) == 0 && strlen(test_changes[i].member) == length &&
            memcmp(test_changes[i].member, member, length) == 0)
            return true;
    }
    return false;
}

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Replace comments and the bodies of inner structs by spaces. */
static void blank(char *text)
{
    int depth = 0;
    char *linkage = strstr(text, "extern \"C\" {");
    assert_non_null(linkage);
    memset(linkage, ' ', strlen("extern \"C\" {"));
    for (char *at = text; *at; at++) {
        if (at[0] == '/' && at[1] == '*') {
            char *end = strstr(at, "*/");
            assert_non_null(end);
            memset(at, ' ', (size_t)(end + 2 - at));
        }
        depth -= *at == '}';
        if (depth > 1 || (depth == 1 && *at == '}'))
            *at = ' ';
        depth += *at == '{';
    }
}

/* The last word of each declarator of a struct is a member: "float x[2], *y" has two. */
static unsigned check_struct(const char *of, const char *begin, const char *end)
{
    unsigned count = 0;
    const char *word = NULL;
    size_t length = 0;
    bool in_brackets = false;
    for (const char *at = begin; at < end; at++) {
        if (!in_brackets && is_word(*at) && !is_word(at[-1]))
            word = at;
        if (!in_brackets && is_word(*at) && !is_word(at[1]))
            length = (size_t)(at + 1 - word);
        in_brackets = *at == '[' || (in_brackets && *at != ']');
        if (*at != ',' && *at != ';')
            continue;
        count++;
        if (!has_row(of, word, length))
            fail_msg("facet/scene.h has %s.%.*s, which no row of scene_changes.c changes", of,
                     (int)length, word);
    }
    return count;
}

/* A member that is added to facet/scene.h needs a row of the table, and facet_compare_scenes must
 * compare it. */
TEST(every_member_of_the_header_has_a_change)
{
    static char text[200000];
    FILE *file = fopen(test_path("../include/facet/scene.h"), "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_in_range(size, 1, sizeof text - 2);
    text[size] = '\0';
    blank(text);
    unsigned members = 0, structs = 0;
    for (const char *at = text; (at = strstr(at, "typedef struct facet_")); structs++) {
        char name[64];
        assert_int_equal(sscanf(at, "typedef struct %63[a-z_]", name), 1);
        const char *begin = strchr(at, '{'), *end = strchr(at, '}');
        assert_true(begin && end && begin < end);
        at = end;
        if (strcmp(name, "facet_growth") != 0) /* private */
            members += check_struct(name, begin + 1, end);
    }
    unsigned distinct = 0;
    for (size_t i = 0; i < test_change_count; i++)
        distinct += i == 0 || strcmp(test_changes[i].of, test_changes[i - 1].of) != 0 ||
                    strcmp(test_changes[i].member, test_changes[i - 1].member) != 0;
    assert_int_equal(members, distinct); /* rows of one member are adjacent */
    assert_int_equal(structs, 20);       /* so that the parser above cannot miss one */
}
