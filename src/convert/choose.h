/* convert/choose.h - the format of a source. */
#ifndef FACET_CONVERT_CHOOSE_H
#define FACET_CONVERT_CHOOSE_H

#include <facet/format.h>

/* Detect the format by content, unless *format is given. The source is not compressed. The error
 * names known formats that Facet does not read. Errors: FACET_ERROR_UNSUPPORTED,
 * FACET_ERROR_MALFORMED for an empty file. */
facet_status facet_choose_format(const facet_source *source, const facet_format **format,
                                 facet_error *error);

#endif
