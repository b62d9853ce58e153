/* formats/bti/describe.h - check and description of a BTI file, for the format table. */
#ifndef FACET_BTI_DESCRIBE_H
#define FACET_BTI_DESCRIBE_H

#include <facet/format.h>

/* Check a file against all rules BTI-* and add findings to `report`; texels of palette formats are
 * decoded. A file with findings also returns FACET_OK. `options` can be NULL. Errors:
 * FACET_ERROR_MEMORY. */
facet_status facet_bti_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error);

/* Add the description of a file to an existing one. */
facet_status facet_bti_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error);

#endif
