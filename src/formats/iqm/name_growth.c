/* formats/iqm/name_growth.c - total length of names, which records can share. */
#include "base/budget.h"
#include "base/error.h"
#include "formats/iqm/file.h"

#include <string.h>

static facet_status spend(facet_budget *budget, const facet_iqm_layout *layout, uint32_t offset,
                          facet_error *error)
{
    const char *text = (const char *)layout->raw[FACET_IQM_TEXT];
    uint32_t size = layout->count[FACET_IQM_TEXT];
    if (offset >= size)
        return FACET_OK;
    const char *end = memchr(text + offset, 0, size - offset);
    return facet_budget_spend(budget, end ? (uint64_t)(end - text) - offset : size - offset,
                              "names", error);
}

facet_status facet_iqm_check_name_growth(const facet_iqm_layout *layout,
                                         const facet_options *options, facet_error *error)
{
    facet_budget budget = facet_budget_of(options, layout->size, FACET_BUDGET_FILES);
    for (uint32_t i = 0; i < layout->count[FACET_IQM_MESHES]; i++) {
        facet_iqm_mesh mesh;
        facet_iqm_load_mesh(layout, i, &mesh);
        TRY(spend(&budget, layout, mesh.name, error));
        TRY(spend(&budget, layout, mesh.material, error));
    }
    for (uint32_t i = 0; i < layout->count[FACET_IQM_ARRAYS]; i++) {
        facet_iqm_array array;
        facet_iqm_load_array(layout, i, &array);
        if (array.type >= FACET_IQM_CUSTOM)
            TRY(spend(&budget, layout, array.type - FACET_IQM_CUSTOM, error));
    }
    for (uint32_t i = 0; i < layout->count[FACET_IQM_JOINTS]; i++) {
        facet_iqm_joint joint;
        facet_iqm_load_joint(layout, i, &joint);
        TRY(spend(&budget, layout, joint.name, error));
    }
    for (uint32_t i = 0; i < layout->count[FACET_IQM_ANIMATIONS]; i++) {
        facet_iqm_animation animation;
        facet_iqm_load_animation(layout, i, &animation);
        TRY(spend(&budget, layout, animation.name, error));
    }
    uint32_t offset = layout->offset[FACET_IQM_EXTENSIONS];
    for (uint32_t i = 0; i < layout->count[FACET_IQM_EXTENSIONS]; i++) {
        facet_iqm_extension extension;
        if (!facet_iqm_next_extension(layout, &offset, &extension))
            break;
        TRY(spend(&budget, layout, extension.name, error));
    }
    return FACET_OK;
}
