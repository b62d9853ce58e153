/* formats/bti/settings.h - options for textures, applied to a copy. */
#ifndef FACET_BTI_SETTINGS_H
#define FACET_BTI_SETTINGS_H

#include <facet/bti.h>

/* Apply wrap, filter and settings of options->bti. Only if a setting needs another format or other
 * levels, encode the texture again; *document is then a new one. format and levels are ignored: a
 * copy keeps them. Errors: those of facet_bti_from_scene. */
facet_status facet_bti_apply_settings(facet_bti **document, const facet_options *options,
                                      facet_error *error);

#endif
