/* formats/bti/describe.h - facet_bti_describe into a description that is there. */
#ifndef FACET_BTI_DESCRIBE_H
#define FACET_BTI_DESCRIBE_H

#include <facet/format.h>

facet_status facet_bti_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error);

#endif
