/* formats/assimp/file/fbx_patch.c - values of an FBX that assimp reads wrongly, replaced in a
 * copy. */
#include "formats/assimp/file/fbx_curves.h"

#include <string.h>

typedef struct patcher {
    const facet_fbx *fbx;
    uint8_t *copy; /* NULL: unchanged */
    bool failed;   /* out of memory */
} patcher;

/* Set bytes of the copy. */
static void set(patcher *p, facet_fbx_span bytes, int value)
{
    if (!p->copy && !p->failed) {
        p->copy = facet_arena_allocate(p->fbx->arena, p->fbx->size, 1);
        p->failed = !p->copy;
        if (p->copy)
            memcpy(p->copy, p->fbx->data, p->fbx->size);
    }
    if (!p->failed)
        memset(p->copy + (bytes.at - p->fbx->data), value, facet_fbx_size(bytes));
}

/* -- Inactive rotations ------------------------------------------------- */

/* Without RotationActive, a node has no rotation order, and no rotation before or after its own.
 * With RotationSpaceForLimitOnly, they count only for the limits. assimp applies all of them. */
static void drop_inactive(patcher *p, uint32_t model)
{
    static const char *const names[] = {"RotationOrder", "PreRotation", "PostRotation"};
    bool is_active = facet_fbx_number(p->fbx, model, "RotationActive", 1) != 0;
    if (is_active && facet_fbx_number(p->fbx, model, "RotationSpaceForLimitOnly", 0) == 0)
        return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        facet_fbx_value values[3];
        uint32_t count = facet_fbx_property(p->fbx, model, names[i], values, 3);
        facet_fbx_span own = p->fbx->objects[model].list;
        for (uint32_t k = 0; k < count; k++) {
            bool is_own = values[k].raw.at >= own.at && values[k].raw.at < own.end;
            if (is_own && values[k].number != 0)
                set(p, values[k].raw, p->fbx->is_binary ? 0 : '0');
        }
    }
}

/* -- Types of properties ------------------------------------------------ */

/* assimp ends the process at a custom property of a node with one of these types. Rename them to
 * types that it ignores. */
static void hide_types(patcher *p, uint32_t model)
{
    facet_fbx_record properties, record;
    if (!facet_fbx_find(p->fbx, p->fbx->objects[model].list, "Properties70", &properties))
        return;
    while (facet_fbx_next(p->fbx, &properties.list, &record)) {
        facet_fbx_value name, type;
        if (facet_fbx_next_value(p->fbx, &record.values, &name) &&
            facet_fbx_next_value(p->fbx, &record.values, &type) &&
            (facet_fbx_is(type.text, "KTime") || facet_fbx_is(type.text, "ColorAndAlpha")))
            set(p, (facet_fbx_span){type.text.at, type.text.at + 1}, '_');
    }
}

/* -- Types of values ---------------------------------------------------- */

/* Name bytes of type 'Z', which assimp does not know, 'C'. */
static void rename_bytes(patcher *p)
{
    facet_fbx_span records = facet_fbx_whole(p->fbx);
    const uint8_t *top = records.at;
    facet_fbx_record record;
    facet_fbx_value value;
    while (facet_fbx_next_nested(p->fbx, &records, &top, &record)) {
        facet_fbx_span values = record.values;
        for (const uint8_t *type = values.at; facet_fbx_next_value(p->fbx, &values, &value);
             type = values.at) {
            if (*type == 'Z')
                set(p, (facet_fbx_span){type, type + 1}, 'C');
        }
    }
}

/* Write the new names of nodes, which have the sizes of the old ones. */
static void rename_nodes(patcher *p)
{
    for (uint32_t i = 0; i < p->fbx->renamed_count; i++) {
        const uint8_t *at = p->fbx->objects[p->fbx->renamed[i]].label.at;
        const facet_name *name = &p->fbx->new_names.items[i];
        for (size_t k = 0; k < name->length; k++)
            set(p, (facet_fbx_span){at + k, at + k + 1}, name->text[k]);
    }
}

facet_status facet_fbx_patch(const facet_fbx *fbx, const uint8_t **data, size_t *size,
                             const facet_options *options, facet_report *report, facet_error *error)
{
    patcher p = {.fbx = fbx};
    facet_fbx_edits edits = {.fbx = fbx};
    if (fbx->is_binary)
        rename_bytes(&p);
    rename_nodes(&p);
    for (uint32_t i = 0; i < fbx->object_count; i++) {
        if (facet_fbx_is(fbx->objects[i].kind, "Model")) {
            drop_inactive(&p, i);
            hide_types(&p, i);
        }
    }
    if (p.failed || !facet_fbx_add_normals(&edits) || !facet_fbx_scale_shapes(&edits) ||
        !facet_fbx_expand_layers(&edits) || !facet_fbx_add_materials(&edits) ||
        !facet_fbx_keep_layered(&edits) || !facet_fbx_drop_images(&edits, report) ||
        !facet_fbx_name_images(&edits))
        return facet_fail_arena(fbx->arena, error);
    TRY(facet_fbx_smooth_normals(&edits, options, report, error));
    TRY(facet_fbx_resample_curves(&edits, report, error));
    *data = p.copy ? p.copy : *data;
    return facet_fbx_apply(&edits, data, size, error);
}
