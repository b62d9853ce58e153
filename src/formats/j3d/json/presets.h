/* formats/j3d/json/presets.h - names in SuperBMD's materials.json. They come from the original
 * file; the model's names have passed through COLLADA. */
#ifndef FACET_J3D_JSON_PRESETS_H
#define FACET_J3D_JSON_PRESETS_H

#include "base/json.h"

#include <facet/j3d.h>

/* True if the JSON text is a list, as in SuperBMD's files. NULL: false. */
bool facet_j3d_is_superbmd_list(const char *text);

/* True if an entry `entry` belongs to a material `name`. Either the names are equal, or `name` is
 * "m", the number of a mesh, and the entry's name. There, _ replaces #, spaces, parentheses, colons
 * and hyphens. "-material" can follow in both cases. */
bool facet_j3d_preset_matches(const char *entry, const char *name);

/* The name of entry i of a list; "" if it has none. */
const char *facet_j3d_preset_name(const facet_json *list, size_t i);

/* The entry for the material `name`, which has `before` earlier materials of the same name;
 * SIZE_MAX if none. The second material of a name uses the second entry of that name, if any. */
size_t facet_j3d_preset_of(const facet_json *list, const char *name, uint32_t before);
/* The default entry for a material that the list does not name. It is "__MatDefault:Kind" if the
 * name contains "_Kind", else "__MatDefault"; SIZE_MAX if none. */
size_t facet_j3d_preset_default(const facet_json *list, const char *name);
bool facet_j3d_is_default_preset(const char *entry);

/* Convert the biases of an older list to the newer numbering. Until November 2020, SuperBMD
 * numbered the biases of indirect stages from ITB_S = 0, which was the default; since then the
 * default is None. A list is older if it has ITB_S or the number 7, but no None. True if it was
 * older. *fits is false if out of memory. */
bool facet_j3d_presets_renumber(const facet_json *list, bool *fits);

/* The three names most similar to `name`: "\"a\", \"b\" and \"c\""; "" if the list is empty. Only
 * the first thousand names are compared. */
void facet_j3d_nearest_names(const facet_j3d_names *names, const char *name, char *text,
                             size_t size);

#endif
