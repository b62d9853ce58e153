/* formats/j3d/json/presets.h - how SuperBMD's materials.json speaks of materials: its names
 * are those of the original file, the model's are what went through COLLADA. */
#ifndef FACET_J3D_JSON_PRESETS_H
#define FACET_J3D_JSON_PRESETS_H

#include "base/json.h"

#include <facet/j3d.h>

/* True when the text of a JSON file is a list, as SuperBMD writes it. NULL: false. */
bool facet_j3d_is_superbmd_list(const char *text);

/* True when an entry called `entry` is meant for a material called `name`: the same name;
 * "m", the number of a mesh and the entry's name with _ in the place of #, spaces,
 * parentheses, colons and hyphens; each also with "-material" behind it. */
bool facet_j3d_preset_matches(const char *entry, const char *name);

/* The name of entry i of a list, "" when it has none. */
const char *facet_j3d_preset_name(const facet_json *list, size_t i);

/* The entry for the material `name`, of which `before` have had the same name; SIZE_MAX:
 * none. The second of a name takes the second entry of that name, if there are two. */
size_t facet_j3d_preset_of(const facet_json *list, const char *name, uint32_t before);
/* What the list says to a material that it does not name: the entry "__MatDefault:Kind"
 * when the name holds "_Kind", else "__MatDefault"; SIZE_MAX: none. */
size_t facet_j3d_preset_default(const facet_json *list, const char *name);
bool facet_j3d_is_default_preset(const char *entry);

/* Until November 2020 SuperBMD numbered the biases of indirect stages from ITB_S = 0, so
 * that what says nothing says ITB_S; since then that is None. A list that says ITB_S, and
 * nowhere None, or the number 7, is of the older numbering: its words are put into the
 * newer one. True when that was so. *fits: false without memory. */
bool facet_j3d_presets_renumber(const facet_json *list, bool *fits);

/* The three names that are most like `name`: "\"a\", \"b\" and \"c\""; "" when there are
 * none. Of long lists the first thousand are looked at. */
void facet_j3d_nearest_names(const facet_j3d_names *names, const char *name, char *text,
                             size_t size);

#endif
