/* archive/describe.h - checks and description for the format table. */
#ifndef FACET_ARCHIVE_DESCRIBE_H
#define FACET_ARCHIVE_DESCRIBE_H

#include <facet/archive.h>

/* Check the rules of archives in docs/reference/formats/archives.md: AR10 to AR32. They include the
 * compression and padding of members. */
facet_status facet_archive_check(const facet_source *source, const facet_options *options,
                                 facet_report *report, facet_error *error);
/* Check the rules of a compressed stream, AR01 to AR08, by decompressing it. Other bytes have no
 * findings. */
facet_status facet_compression_check(const facet_source *source, const facet_options *options,
                                     facet_report *report, facet_error *error);

/* Add the description of a file to an existing one. */
facet_status facet_archive_fill_description(const facet_source *source,
                                            const facet_options *options,
                                            facet_description *description, facet_error *error);

#endif
