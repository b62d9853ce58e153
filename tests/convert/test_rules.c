/* test_rules.c - the table of rules: lookup and iteration. tests/rules.py checks its content. */
#include "support/support.h"

#include <facet/facet.h>
#include <string.h>

TEST(rule_is_found_by_its_id)
{
    const facet_rule *rule = facet_rule_find("BSM-TRI-WINDING");
    assert_non_null(rule);
    assert_string_equal(rule->family, "bsm");
    assert_int_equal(rule->severities, 1 << FACET_SEVERITY_WARNING);
    assert_ptr_equal(facet_rule_find("bsm-tri-winding"), rule);
    assert_null(facet_rule_find("BSM-TRI"));
    assert_null(facet_rule_find(""));
    assert_null(facet_rule_find(NULL));
}

TEST(rules_are_listed_by_family)
{
    size_t families = 0;
    const char *family = "";
    for (size_t i = 0; i < facet_rule_count(); i++) {
        const facet_rule *rule = facet_rule_get(i);
        assert_non_null(rule);
        assert_ptr_equal(facet_rule_find(rule->id), rule);
        assert_true(rule->severities > 0 && rule->severities < 1 << (FACET_SEVERITY_ERROR + 1));
        assert_true(*rule->sentence && *rule->cause && *rule->remedy);
        families += strcmp(rule->family, family) != 0;
        family = rule->family;
    }
    assert_int_equal(families, 20);
    assert_null(facet_rule_get(facet_rule_count()));
}

/* The id of a finding leads to its rule, and the rule has the finding's severity. */
TEST(finding_has_a_rule)
{
    facet_report *report = NULL;
    facet_source source = facet_source_from_memory("v 0 0\nf 1 2 3\n", 14, "a.obj");
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_check(&source, facet_format_named("obj"), NULL, report, NULL);
    assert_true(facet_report_count(report) > 0);
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        const facet_rule *rule = facet_rule_find(finding->rule);
        assert_non_null(rule);
        assert_true(rule->severities >> finding->severity & 1);
    }
    facet_report_free(report);
}
