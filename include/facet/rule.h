/* facet/rule.h - the rules behind the ids in findings and errors.
 *
 * Stability: experimental. */
#ifndef FACET_RULE_H
#define FACET_RULE_H

#include <facet/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Meaning of the id in a finding or an error (facet_finding.rule, facet_error.rule). The table has
 * the rules of all families, including those that this build lacks. */
typedef struct facet_rule {
    const char *id;       /* id such as "BSM-TRI-WINDING" */
    const char *family;   /* page of the documentation: "bsm" is docs/reference/rules/bsm.md.
                             Others: "gltf", "mesh", "losses" */
    unsigned severities;  /* severities that it is reported with, as bits 1 <<
                             FACET_SEVERITY_ERROR and others */
    const char *sentence; /* the requirement */
    const char *cause;    /* why files break it, or why it matters */
    const char *remedy;   /* how to fix it */
} facet_rule;

/* Number of rules, and the rule at an index (NULL if it is too large). Rules of a family are
 * consecutive. */
FACET_EXPERIMENTAL_API size_t facet_rule_count(void);
FACET_EXPERIMENTAL_API const facet_rule *facet_rule_get(size_t index);
/* The rule with an id, ignoring case. NULL if it is unknown or `id` is NULL. */
FACET_EXPERIMENTAL_API const facet_rule *facet_rule_find(const char *id);

#ifdef __cplusplus
}
#endif
#endif
