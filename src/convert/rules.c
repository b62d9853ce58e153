/* convert/rules.c - the table of rules, from the rules.def of every family. */
#include <facet/rule.h>
#include <strings.h>

#define ERROR (1u << FACET_SEVERITY_ERROR)
#define WARNING (1u << FACET_SEVERITY_WARNING)
#define NOTE (1u << FACET_SEVERITY_NOTE)
#define RULE(name, id, severities, sentence, cause, remedy) \
    {id, FAMILY, severities, sentence, cause, remedy},

/* In the order of the documentation. */
static const facet_rule rules[] = {
#define FAMILY "bsm"
#include "formats/bsm/rules.def"
#undef FAMILY
#define FAMILY "iqm"
#include "formats/iqm/rules.def"
#undef FAMILY
#define FAMILY "binarymesh"
#include "formats/binarymesh/rules.def"
#undef FAMILY
#define FAMILY "bga"
#include "formats/bga/rules.def"
#undef FAMILY
#define FAMILY "bpx"
#include "formats/bpx/rules.def"
#undef FAMILY
#define FAMILY "j3d"
#include "formats/j3d/rules.def"
#undef FAMILY
#define FAMILY "obj"
#include "formats/obj/rules.def"
#undef FAMILY
#define FAMILY "gltf"
#include "formats/gltf/rules.def"
#undef FAMILY
#define FAMILY "ply"
#include "formats/ply/rules.def"
#undef FAMILY
#define FAMILY "stl"
#include "formats/stl/rules.def"
#undef FAMILY
#define FAMILY "assimp"
#include "formats/assimp/rules.def"
#undef FAMILY
#define FAMILY "gx"
#include "gx/rules.def"
#undef FAMILY
#define FAMILY "archive"
#include "archive/rules.def"
#undef FAMILY
#define FAMILY "image"
#include "image/rules.def"
#undef FAMILY
#define FAMILY "mesh"
#include "mesh/rules.def"
#undef FAMILY
#define FAMILY "scene"
#include "scene/rules.def"
#undef FAMILY
#define FAMILY "render"
#include "render/rules.def"
#undef FAMILY
#define FAMILY "convert"
#include "convert/rules.def"
#undef FAMILY
#define FAMILY "base"
#include "base/rules.def"
#undef FAMILY
#define FAMILY "losses"
#include "base/losses.def"
#undef FAMILY
};

size_t facet_rule_count(void)
{
    return sizeof rules / sizeof *rules;
}

const facet_rule *facet_rule_get(size_t index)
{
    return index < facet_rule_count() ? &rules[index] : NULL;
}

const facet_rule *facet_rule_find(const char *id)
{
    for (size_t i = 0; id && i < facet_rule_count(); i++) {
        if (strcasecmp(rules[i].id, id) == 0)
            return &rules[i];
    }
    return NULL;
}
