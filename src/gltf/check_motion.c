/* gltf/check_motion.c - the rules of the bytes behind skins and animations. */
#include "gltf/check.h"

#include "base/arena.h"
#include "base/error.h"

#include <inttypes.h>

/* All floats of an accessor; NULL and *status FACET_OK when they are none. */
static float *take_floats(facet_gltf_file *file, uint32_t index, uint32_t components,
                          facet_status *status, facet_error *error)
{
    if (index >= file->document.accessor_count)
        return NULL;
    const facet_gltf_accessor *accessor = &file->document.accessors[index];
    if (accessor->type != FACET_GLTF_FLOAT || accessor->components != components ||
        (accessor->view == FACET_NONE && !accessor->sparse) || accessor->count == 0)
        return NULL;
    size_t count = (size_t)accessor->count * components;
    *status = facet_gltf_spend(file, count, sizeof(float), error);
    float *values = *status ? NULL : facet_arena_allocate(file->arena, count, sizeof *values);
    if (!*status && !values)
        *status = facet_fail_memory(error, count * sizeof *values);
    if (values)
        facet_gltf_read_floats(file, accessor, components, 0, values);
    return values;
}

static void release(facet_gltf_file *file, uint32_t index, float *values)
{
    if (!values)
        return;
    const facet_gltf_accessor *accessor = &file->document.accessors[index];
    facet_arena_release(file->arena, values, (size_t)accessor->count * accessor->components,
                        sizeof *values);
}

/* Many samplers may have the times of one accessor: each is looked at once. */
static facet_status check_times(facet_gltf_file *file, uint32_t index, facet_report *report,
                                facet_error *error)
{
    facet_status status = FACET_OK;
    float *times = take_floats(file, index, 1, &status, error);
    facet_tally wrong = {0};
    uint64_t count = times ? file->document.accessors[index].count : 0;
    for (uint64_t i = 0; i < count; i++) {
        if (times[i] < 0 || (i > 0 && !(times[i] > times[i - 1])))
            facet_tally_hit(&wrong, i);
    }
    facet_report_add_tally(report, "GLTF-ANIMATION", FACET_SEVERITY_ERROR, FACET_NO_OFFSET, &wrong,
                           "time %" PRIu64 " of accessor %" PRIu32
                           " is negative or not after the one before",
                           wrong.first, index);
    release(file, index, times);
    return status;
}

static facet_status check_binds(facet_gltf_file *file, uint32_t skin, facet_report *report,
                                facet_error *error)
{
    facet_status status = FACET_OK;
    uint32_t index = file->document.skins[skin].inverse_bind;
    float *matrices = take_floats(file, index, 16, &status, error);
    facet_tally wrong = {0};
    uint64_t count = matrices ? file->document.accessors[index].count : 0;
    for (uint64_t i = 0; i < count; i++) {
        const float *m = matrices + i * 16;
        if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1)
            facet_tally_hit(&wrong, i);
    }
    facet_report_add_tally(report, "GLTF-SKIN", FACET_SEVERITY_ERROR, FACET_NO_OFFSET, &wrong,
                           "inverse bind matrix %" PRIu64 " of skin %" PRIu32
                           " has a last row that is not 0 0 0 1",
                           wrong.first, skin);
    release(file, index, matrices);
    return status;
}

facet_status facet_gltf_check_motion(facet_gltf_file *file, facet_report *report,
                                     facet_error *error)
{
    const facet_gltf_document *document = &file->document;
    facet_status status = FACET_OK;
    bool *seen = facet_arena_allocate_zeroed(file->arena, document->accessor_count, sizeof *seen);
    if (!seen)
        return facet_fail_memory(error, document->accessor_count);
    for (uint32_t a = 0; a < document->animation_count; a++) {
        const facet_gltf_animation *animation = &document->animations[a];
        for (uint32_t s = 0; s < animation->sampler_count && !status; s++) {
            uint32_t index = animation->samplers[s].input;
            if (index >= document->accessor_count || seen[index])
                continue;
            seen[index] = true;
            status = check_times(file, index, report, error);
        }
    }
    for (uint32_t i = 0; i < document->skin_count && !status; i++)
        status = check_binds(file, i, report, error);
    return status;
}
