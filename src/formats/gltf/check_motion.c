/* formats/gltf/check_motion.c - the rules for the binary data of skins and animations. */
#include "formats/gltf/check.h"

#include "base/arena.h"
#include "base/error.h"
#include "formats/gltf/to_scene/to_scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* All floats of an accessor. NULL and *status FACET_OK if its type is not float. */
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
        *status = facet_fail_arena(file->arena, error);
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

/* Check the times. Samplers can share an accessor: each is checked once. */
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

/* Check that rotations have unit length. A cubic spline has three values per key: this holds for
 * the middle one. */
static facet_status check_rotations(facet_gltf_file *file,
                                    const facet_gltf_animation_sampler *sampler, bool *seen,
                                    facet_report *report, facet_error *error)
{
    facet_status status = FACET_OK;
    uint32_t index = sampler->output;
    if (index >= file->document.accessor_count || seen[index])
        return FACET_OK;
    seen[index] = true;
    float *values = take_floats(file, index, 4, &status, error);
    facet_tally wrong = {0};
    bool cubic = strcmp(sampler->interpolation, "CUBICSPLINE") == 0;
    uint64_t count = values ? file->document.accessors[index].count : 0;
    for (uint64_t i = cubic; i < count; i += cubic ? 3 : 1) {
        const float *q = values + i * 4;
        double length = sqrt((double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2] +
                             (double)q[3] * q[3]);
        if (!(fabs(length - 1) <= FACET_GLTF_KEY_UNIT))
            facet_tally_hit(&wrong, i);
    }
    facet_report_add_tally(report, "GLTF-ANIMATION", FACET_SEVERITY_ERROR, FACET_NO_OFFSET, &wrong,
                           "rotation %" PRIu64 " of accessor %" PRIu32 " is not of unit length",
                           wrong.first, index);
    release(file, index, values);
    return status;
}

static facet_status check_channels(facet_gltf_file *file, const facet_gltf_animation *animation,
                                   bool *seen, facet_report *report, facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < animation->channel_count && !status; i++) {
        const facet_gltf_channel *channel = &animation->channels[i];
        if (channel->sampler < animation->sampler_count && strcmp(channel->path, "rotation") == 0)
            status =
                check_rotations(file, &animation->samplers[channel->sampler], seen, report, error);
    }
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
    bool *turned =
        facet_arena_allocate_zeroed(file->arena, document->accessor_count, sizeof *turned);
    if (!seen || !turned)
        return facet_fail_arena(file->arena, error);
    for (uint32_t a = 0; a < document->animation_count && !status; a++) {
        const facet_gltf_animation *animation = &document->animations[a];
        for (uint32_t s = 0; s < animation->sampler_count && !status; s++) {
            uint32_t index = animation->samplers[s].input;
            if (index >= document->accessor_count || seen[index])
                continue;
            seen[index] = true;
            status = check_times(file, index, report, error);
        }
        if (!status)
            status = check_channels(file, animation, turned, report, error);
    }
    for (uint32_t i = 0; i < document->skin_count && !status; i++)
        status = check_binds(file, i, report, error);
    return status;
}
