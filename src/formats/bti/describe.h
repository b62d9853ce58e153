/* formats/bti/describe.h - facet_bti_describe into a description that is there. */
#ifndef FACET_BTI_DESCRIBE_H
#define FACET_BTI_DESCRIBE_H

#include <facet/format.h>

/* Apply every rule BTI-* to a file and add what is found to `report`; texels are
 * decoded when they are indices. FACET_OK also for a file full of errors. options
 * may be NULL. Errors: FACET_ERROR_MEMORY. */
facet_status facet_bti_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error);

/* Describe a file in a description that exists already. */
facet_status facet_bti_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error);

#endif
