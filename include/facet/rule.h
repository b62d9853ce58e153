/* facet/rule.h - the rules that findings and errors name by their ids.
 *
 * Stability: stable, except facet_rule_count and facet_rule_get. */
#ifndef FACET_RULE_H
#define FACET_RULE_H

#include <facet/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a finding or an error means by its id (facet_finding.rule, facet_error.rule). The
 * table has the rules of all families, also of those that this build is without. */
typedef struct facet_rule {
    const char *id;       /* "BSM-TRI-WINDING" */
    const char *family;   /* "bsm", "gltf", "mesh", "losses": docs/reference/rules/bsm.md */
    unsigned severities;  /* 1 << FACET_SEVERITY_ERROR and so on: those that it is reported with */
    const char *sentence; /* what it demands */
    const char *cause;    /* why files break it, or why that matters */
    const char *remedy;   /* what to do about it */
} facet_rule;

/* All rules, those of a family together. NULL beyond the last. */
FACET_EXPERIMENTAL_API size_t facet_rule_count(void);
FACET_EXPERIMENTAL_API const facet_rule *facet_rule_get(size_t index);
/* By id, whatever the case of its letters; NULL when unknown, and for NULL. */
FACET_API const facet_rule *facet_rule_find(const char *id);

#ifdef __cplusplus
}
#endif
#endif
