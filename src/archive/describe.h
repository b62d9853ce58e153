/* archive/describe.h - the description for the format table. */
#ifndef FACET_ARCHIVE_DESCRIBE_H
#define FACET_ARCHIVE_DESCRIBE_H

#include <facet/archive.h>

/* The rules of docs/reference/formats/archives.md that are about an archive: AR10 to AR32. Data of
 * members is looked at for its compression and its padding. */
facet_status facet_archive_check(const facet_source *source, const facet_options *options,
                                 facet_report *report, facet_error *error);
/* The rules that are about a compressed stream: AR01 to AR08; it is decompressed
 * for that. Nothing is said of other bytes. */
facet_status facet_compression_check(const facet_source *source, const facet_options *options,
                                     facet_report *report, facet_error *error);

/* Describe a file in a description that exists already. */
facet_status facet_archive_fill_description(const facet_source *source,
                                            const facet_options *options,
                                            facet_description *description, facet_error *error);

#endif
