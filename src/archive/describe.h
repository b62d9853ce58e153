/* archive/describe.h - the description for the format table. */
#ifndef FACET_ARCHIVE_DESCRIBE_H
#define FACET_ARCHIVE_DESCRIBE_H

#include <facet/archive.h>

facet_status facet_archive_fill_description(const facet_source *source,
                                            const facet_options *options,
                                            facet_description *description, facet_error *error);

#endif
