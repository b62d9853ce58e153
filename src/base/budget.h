/* base/budget.h - limits for data created from an input: instances, parts of an archive that share
 * their bytes, nested archives. Data that is read once is bounded by the file's size. Data that is
 * created repeatedly is not, so it is counted before it is created. */
#ifndef FACET_BASE_BUDGET_H
#define FACET_BASE_BUDGET_H

#include <facet/base.h>

typedef struct facet_budget {
    uint64_t input, factor, most, spent;
} facet_budget;

/* Allowance in addition to facet_options.growth_limit times the file size: for whole files, and for
 * work and geometry. */
#define FACET_BUDGET_FILES ((uint64_t)1 << 20)
#define FACET_BUDGET_WORK ((uint64_t)32 << 20)

/* Create a budget for `input` bytes; options may be NULL. */
facet_budget facet_budget_of(const facet_options *options, uint64_t input, uint64_t spare);
/* Count `bytes` that were decompressed, each once, as part of the input. */
void facet_budget_add_input(facet_budget *budget, uint64_t bytes);
/* Count `bytes` of `what` (such as "files of the archive") before they are created.
 * FACET_ERROR_LIMIT (GROWTH-LIMIT) if they exceed the budget. */
facet_status facet_budget_spend(facet_budget *budget, uint64_t bytes, const char *what,
                                facet_error *error);

#endif
