/* convert/choose.c - the format of a source. */
#include "convert/choose.h"

#include "base/error.h"
#include "base/text.h"

#include <string.h>

#define MAX_SHOWN 16 /* bytes of an unknown file in the message */

/* Formats of 3D data that Facet does not read, by the first bytes of their files. */
static const struct {
    const char *beginning, *name;
} foreign[] = {{"#usda", "USD"},
               {"PXR-", "USD"},
               {"#VRML", "VRML"},
               {"Ogawa", "Alembic"},
               /* Files of the Nintendo DS whose names end like those of J3D, such as .bca. */
               {"BCA0", "Nintendo DS animation (NSBCA)"},
               {"BMA0", "Nintendo DS animation (NSBMA)"},
               {"BTA0", "Nintendo DS animation (NSBTA)"},
               {"BTP0", "Nintendo DS animation (NSBTP)"},
               {"BVA0", "Nintendo DS animation (NSBVA)"},
               {"BTX0", "Nintendo DS texture (NSBTX)"},
               {"NARC", "Nintendo DS archive (NARC)"},
               {"bres", "Wii model (BRRES)"}};

facet_status facet_choose_format(const facet_source *source, const facet_format **format,
                                 facet_error *error)
{
    if (!*format)
        *format = facet_format_probe(source);
    if (*format)
        return FACET_OK;
    if (source->size == 0)
        return facet_fail(error, FACET_ERROR_MALFORMED, "FORMAT-UNKNOWN", 0, "the file is empty");
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        size_t length = strlen(foreign[i].beginning);
        if (source->size >= length && memcmp(source->data, foreign[i].beginning, length) == 0)
            return facet_fail(error, FACET_ERROR_UNSUPPORTED, "FORMAT-UNKNOWN", 0,
                              "%s files are not read; export the model as glTF instead",
                              foreign[i].name);
    }
    facet_quoted quoted;
    size_t shown = source->size < MAX_SHOWN ? source->size : MAX_SHOWN;
    return facet_fail(error, FACET_ERROR_UNSUPPORTED, "FORMAT-UNKNOWN", 0,
                      "no known format begins like this file, with \"%s\"",
                      facet_quote(&quoted, (const char *)source->data, shown));
}
