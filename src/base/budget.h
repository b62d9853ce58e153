/* base/budget.h - how much may be made of an input: instances, pieces of an archive that share
 * their bytes, archives in archives. What is read once is bounded by the file's size; what is
 * made of it again and again is not, unless it is counted before it is made. */
#ifndef FACET_BASE_BUDGET_H
#define FACET_BASE_BUDGET_H

#include <facet/base.h>

typedef struct facet_budget {
    uint64_t input, factor, most, spent;
} facet_budget;

/* What parts of a file may come to beyond facet_options.growth_limit times its size: whole files,
 * and work and geometry. */
#define FACET_BUDGET_FILES ((uint64_t)1 << 20)
#define FACET_BUDGET_WORK ((uint64_t)32 << 20)

/* For `input` bytes; options may be NULL. */
facet_budget facet_budget_of(const facet_options *options, uint64_t input, uint64_t spare);
/* Count `bytes` of `what` ("files of the archive") that are to be made next:
 * FACET_ERROR_LIMIT (GROWTH-LIMIT) when they are too many. */
facet_status facet_budget_spend(facet_budget *budget, uint64_t bytes, const char *what,
                                facet_error *error);

#endif
