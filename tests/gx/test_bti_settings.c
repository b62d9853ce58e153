/* Settings of textures: patterns of names, keys and values. */
#include "support/support.h"

#include "gx/bti_settings.h"

#include <facet/gx.h>
#include <stdio.h>

static facet_status find(const char *setting, const char *name, facet_bti_wanted *wanted,
                         facet_error *error)
{
    const char *const settings[] = {setting};
    const facet_bti_options bti = {.settings = settings, .setting_count = 1};
    const facet_options options = {.bti = &bti};
    return facet_bti_find_wanted(&options, name, wanted, error);
}

static bool matches(const char *pattern, const char *name)
{
    char setting[128];
    facet_bti_wanted wanted;
    facet_error error;
    snprintf(setting, sizeof setting, "%s:wrap=MIRROR", pattern);
    TEST_OK(find(setting, name, &wanted, &error), &error);
    assert_int_equal(wanted.has_wrap_s, wanted.has_wrap_t);
    return wanted.has_wrap_s;
}

TEST(patterns_match_whole_names)
{
    static const struct {
        const char *pattern, *name;
        bool expected;
    } cases[] = {
        {"eye", "eye", true},
        {"eye", "eyes", false},
        {"eye", "ey", false},
        {"eye", "Eye", false},
        {"eye*", "eye", true},
        {"eye*", "eyelid", true},
        {"*eye", "left_eye", true},
        {"*eye", "eye_left", false},
        {"*", "", true},
        {"?", "", false},
        {"?", "a", true},
        {"?", "ab", false},
        {"e?e*", "eye", true},
        {"e?e*", "eve.001", true},
        {"*a*b", "aab", true},
        {"*a*b", "aba", false},
        {"*ab*ab", "abxabab", true},
        {"**", "x", true},
        {"a:b", "a:b", true},
        {"a*", "ba", false},
        {"*a?", "xaay", true},
        {"*.*", "face.001", true},
        {"eye,face", "eye", false},
        {"a=b", "a=b", true},
        {"??*", "a", false},
        {"*aab", "aaaaaaaab", true},
        {"*aab?", "aaaaaaaab", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (matches(cases[i].pattern, cases[i].name) != cases[i].expected)
            fail_msg("'%s' and '%s'", cases[i].pattern, cases[i].name);
    }
}

/* Backtracking over every star would need 2^40 steps. */
TEST(patterns_with_many_stars_end)
{
    char pattern[90] = "", name[4001];
    for (int i = 0; i < 40; i++)
        strcat(pattern, "*a");
    strcat(pattern, "b");
    memset(name, 'a', 4000);
    name[4000] = '\0';
    assert_false(matches(pattern, name));
    name[3999] = 'b';
    assert_true(matches(pattern, name));
}

/* GX's numbers: CLAMP 0, REPEAT 1, MIRROR 2; NEAR 0, LINEAR 1, NEAR_MIP_NEAR 2, LIN_MIP_NEAR 3,
 * NEAR_MIP_LIN 4, LIN_MIP_LIN 5; C8 9. */
TEST(keys_set_members)
{
    facet_bti_wanted w;
    facet_error error;
    TEST_OK(find("a:format=ci8,mips=3,wrapS=mirror,filter=LIN_MIP_NEAR", "a", &w, &error), &error);
    assert_true(w.has_format && w.has_wrap_s && !w.has_wrap_t && w.has_filter);
    assert_int_equal(w.format, 9);
    assert_int_equal(w.levels, 3);
    assert_int_equal(w.wrap_s, 2);
    assert_int_equal(w.min_filter, 3);
    assert_int_equal(w.mag_filter, 1);
    TEST_OK(find("a:wrapT=REPEAT,mips=auto,FILTER=near_mip_lin", "a", &w, &error), &error);
    assert_true(!w.has_format && !w.has_wrap_s && w.has_wrap_t);
    assert_int_equal(w.wrap_t, 1);
    assert_int_equal(w.levels, FACET_GX_ALL_LEVELS);
    assert_int_equal(w.min_filter, 4);
    assert_int_equal(w.mag_filter, 0);
    static const uint8_t magnified[] = {0, 1, 0, 1, 0, 1};
    static const char *const filters[] = {"NEAR",         "LINEAR",       "NEAR_MIP_NEAR",
                                          "LIN_MIP_NEAR", "NEAR_MIP_LIN", "LIN_MIP_LIN"};
    for (int i = 0; i < 6; i++) {
        const facet_bti_options bti = {.filter = filters[i]};
        const facet_options options = {.bti = &bti};
        TEST_OK(facet_bti_find_wanted(&options, "a", &w, &error), &error);
        assert_int_equal(w.min_filter, i);
        assert_int_equal(w.mag_filter, magnified[i]);
    }
}

TEST(later_settings_override_earlier_ones)
{
    static const char *const settings[] = {"*:wrap=CLAMP,mips=2", "e*:wrapT=MIRROR",
                                           "face:wrap=MIRROR"};
    const facet_bti_options bti = {
        .levels = 4, .wrap = "REPEAT", .format = "auto", .settings = settings, .setting_count = 3};
    const facet_options options = {.bti = &bti};
    facet_bti_wanted w;
    facet_error error;
    TEST_OK(facet_bti_find_wanted(&options, "eye", &w, &error), &error);
    assert_int_equal(w.levels, 2);
    assert_int_equal(w.wrap_s, 0);
    assert_int_equal(w.wrap_t, 2);
    assert_true(w.is_automatic && !w.has_format);
    TEST_OK(facet_bti_find_wanted(&options, "face", &w, &error), &error);
    assert_int_equal(w.wrap_s, 2);
}

/* Settings of other textures are checked as well. */
TEST(malformed_settings_are_errors)
{
    static const struct {
        const char *setting, *message;
    } cases[] = {
        {"a", "expected PATTERN:KEY=VALUE"},
        {"", "expected PATTERN:KEY=VALUE"},
        {":wrap=CLAMP", "expected PATTERN:KEY=VALUE"},
        {"a:", "expected PATTERN:KEY=VALUE"},
        {"a:wrap", "expected PATTERN:KEY=VALUE"},
        {"a:wrap=CLAMP,", "expected PATTERN:KEY=VALUE"},
        {"a:size=8", "unknown key (valid: format, mips, wrap, wrapS, wrapT, filter)"},
        {"a:wrap=", "wrap is '' (valid: CLAMP, REPEAT, MIRROR)"},
        {"a:wrapT=TILE", "wrapT is 'TILE' (valid: CLAMP, REPEAT, MIRROR)"},
        {"a:filter=SHARP", "filter is 'SHARP' (valid: NEAR, LINEAR, NEAR_MIP_NEAR"},
        {"a:format=auto", "format is 'auto' (valid: I4, I8"},
        {"a:mips=0", "mips is '0' (valid: 1 to 11, auto)"},
        {"a:mips=12", "mips is '12' (valid: 1 to 11, auto)"},
        {"a:mips=4294967297", "mips is '4294967297' (valid: 1 to 11, auto)"},
        {"a:mips=2x", "mips is '2x' (valid: 1 to 11, auto)"},
        {"a:format=0123456789012345678901234567890123456789012345678901234567",
         "a value has more than 63 bytes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int other = 0; other < 2; other++) {
            facet_bti_wanted w;
            facet_error error;
            assert_int_equal(find(cases[i].setting, other ? "b" : "a", &w, &error),
                             FACET_ERROR_ARGUMENT);
            assert_string_equal(error.rule, "GX-SETTING");
            if (!strstr(error.message, cases[i].message))
                fail_msg("'%s': %s", cases[i].setting, error.message);
        }
    }
}

TEST(unused_settings_are_reported)
{
    static const char *const settings[] = {"eye*:wrap=CLAMP", "nose:wrap=CLAMP"};
    static const char *const names[] = {"face", "eyelid"};
    const facet_bti_options bti = {.settings = settings, .setting_count = 2};
    facet_report *report = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    const facet_options options = {.bti = &bti, .report = report};
    facet_bti_report_unused(&options, names, 2);
    assert_int_equal(facet_report_count(report), 1);
    assert_non_null(
        strstr(test_finding(report, "GX-SETTING-UNUSED")->message, "'nose:wrap=CLAMP'"));
    facet_report_free(report);
}
