/* base/budget.c - limits for data created from an input. */
#include "base/budget.h"
#include "base/error.h"

#include <inttypes.h>

enum { DEFAULT_FACTOR = 16 };

facet_budget facet_budget_of(const facet_options *options, uint64_t input, uint64_t spare)
{
    facet_budget budget = {.input = input, .factor = DEFAULT_FACTOR, .most = UINT64_MAX};
    if (options && options->growth_limit)
        budget.factor = options->growth_limit;
    if (input <= (UINT64_MAX - spare) / budget.factor)
        budget.most = input * budget.factor + spare;
    return budget;
}

void facet_budget_add_input(facet_budget *budget, uint64_t bytes)
{
    budget->input += bytes;
    if (bytes <= (UINT64_MAX - budget->most) / budget->factor)
        budget->most += bytes * budget->factor;
    else
        budget->most = UINT64_MAX;
}

facet_status facet_budget_spend(facet_budget *budget, uint64_t bytes, const char *what,
                                facet_error *error)
{
    if (bytes <= budget->most - budget->spent) {
        budget->spent += bytes;
        return FACET_OK;
    }
    return facet_fail(error, FACET_ERROR_LIMIT, "GROWTH-LIMIT", FACET_NO_OFFSET,
                      "%s take more than %" PRIu64 " bytes, the limit for %" PRIu64
                      " bytes and a growth of %" PRIu64,
                      what, budget->most, budget->input, budget->factor);
}
