/* formats/j3d/animation/json_names.c - names in the JSON of animations. */
#include "formats/j3d/animation/json.h"

#include <math.h>

const char *const facet_j3d_json_components[3] = {"scale", "rotation", "translation"};
const char *const facet_j3d_json_loops[5] = {"once", "reset", "repeat", "mirror-once",
                                             "mirror-repeat"};

const char *facet_j3d_json_entries(facet_j3d_animation_kind kind, uint32_t set)
{
    switch (kind) {
    case FACET_J3D_BCK:
    case FACET_J3D_BCA:
        return "joints";
    case FACET_J3D_BTK:
        return set ? "post_matrices" : "texture_matrices";
    case FACET_J3D_BRK:
        return set ? "konst_colors" : "registers";
    case FACET_J3D_BPK:
    case FACET_J3D_BPA:
        return "material_colors";
    case FACET_J3D_BTP:
        return "texture_maps";
    case FACET_J3D_BVA:
        return "shapes";
    case FACET_J3D_BLK:
    case FACET_J3D_BLA:
        return "cluster_keys";
    default:
        return set ? "vertex_colors_1" : "vertex_colors_0";
    }
}

const char *facet_j3d_json_slot(facet_j3d_animation_kind kind)
{
    return kind == FACET_J3D_BTK ? "matrix" : kind == FACET_J3D_BRK ? "register" : "map";
}

const char *facet_j3d_json_track(facet_j3d_animation_kind kind, uint32_t track)
{
    static const char *const letters[] = {"R", "G", "B", "A"};
    switch (kind) {
    case FACET_J3D_BTP:
        return "textures";
    case FACET_J3D_BVA:
        return "visible";
    case FACET_J3D_BLK:
    case FACET_J3D_BLA:
        return "weight";
    default:
        return letters[track];
    }
}

double facet_j3d_json_unit(const facet_j3d_animation *document, uint32_t component)
{
    const facet_j3d_animation_format *format = facet_j3d_animation_format_of(document->kind);
    if (format->tracks != 9 || component != 1)
        return 1;
    int shift = format->has_keys && document->rotation_shift <= 15 ? document->rotation_shift : 0;
    return ldexp(180.0 / 32767, shift);
}
