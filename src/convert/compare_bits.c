/* convert/compare_bits.c - comparison of morph targets and custom attributes, to the bit. The
 * values at each position count as a set, so that the order of vertices and faces, and duplicates
 * of a vertex, make no difference. */
#include "base/arena.h"
#include "base/error.h"
#include "base/table.h"
#include "convert/compare.h"
#include "scene/axes.h"

#include <string.h>

enum { MORPHS, CUSTOM, KINDS };

/* Hash floats in the common frame, -0 as 0. Sets *any if one is not 0. */
static uint64_t hash_vector(const facet_axes *axes, const float *from, uint64_t hash, bool *any)
{
    float v[3];
    memcpy(v, from, sizeof v);
    facet_axes_turn(axes, v);
    for (int k = 0; k < 3; k++) {
        uint32_t word;
        v[k] += 0.0F;
        memcpy(&word, &v[k], sizeof word);
        hash = facet_hash_word(hash, word);
        *any |= word != 0;
    }
    return hash;
}

size_t facet_compare_element_size(const facet_stream *stream)
{
    static const uint8_t sizes[] = {4, 8, 1, 1, 2, 2, 4, 4};
    return stream->components * (size_t)sizes[stream->component];
}

/* Hash the value of a stream at a corner, with its position. False if it has none, or if a morph
 * target does not move it. */
static bool hash_value(const facet_scene *scene, const facet_mesh *mesh, const facet_stream *stream,
                       uint32_t corner, uint64_t *hash)
{
    const facet_stream *positions = &mesh->streams[0];
    uint32_t element = stream->indices[corner], position = positions->indices[corner];
    bool any = false, custom = stream->semantic == FACET_CUSTOM;
    if (element == FACET_NONE || position == FACET_NONE)
        return false;
    uint64_t key = custom ? facet_hash_word(facet_hash_bytes(stream->name, strlen(stream->name)),
                                            stream->component)
                          : facet_hash_word(stream->semantic, stream->set);
    key =
        hash_vector(&scene->axes, (const float *)positions->data + 3 * (size_t)position, key, &any);
    any = custom;
    size_t size = facet_compare_element_size(stream);
    *hash =
        custom
            ? facet_hash_word(
                  key, facet_hash_bytes((const char *)stream->data + size * (size_t)element, size))
            : hash_vector(&scene->axes, (const float *)stream->data + 3 * (size_t)element, key,
                          &any);
    return any;
}

static facet_status sum_values(const facet_comparing *c, const facet_scene *scene,
                               uint64_t sums[KINDS], facet_error *error)
{
    facet_records known = facet_records_make(c->arena, sizeof(uint64_t));
    memset(sums, 0, KINDS * sizeof *sums);
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        const facet_mesh *mesh = scene->meshes[m];
        for (uint32_t s = 1; s < mesh->stream_count; s++) {
            const facet_stream *stream = &mesh->streams[s];
            if (stream->semantic < FACET_CUSTOM)
                continue;
            for (uint32_t i = 0; i < mesh->corner_count; i++) {
                uint64_t hash;
                if (!hash_value(scene, mesh, stream, i, &hash))
                    continue;
                uint32_t before = known.count, record = facet_records_put(&known, &hash);
                if (record == UINT32_MAX)
                    return facet_fail_arena(c->arena, error);
                if (record == before)
                    sums[stream->semantic == FACET_CUSTOM ? CUSTOM : MORPHS] += hash;
            }
        }
    }
    facet_records_free(&known);
    return FACET_OK;
}

facet_status facet_compare_bits(const facet_comparing *c, const facet_scene *a,
                                const facet_scene *b, facet_error *error)
{
    uint64_t here[KINDS], there[KINDS];
    TRY(sum_values(c, a, here, error));
    TRY(sum_values(c, b, there, error));
    if (here[MORPHS] != there[MORPHS])
        facet_compare_add(c, FACET_COMPARE_ANIMATIONS, "COMPARE-ATTRIBUTE", FACET_NO_OFFSET,
                          "morph targets are not equal to the bit, and not compared further");
    if (here[CUSTOM] != there[CUSTOM])
        facet_compare_add(c, FACET_COMPARE_NAMES, "COMPARE-ATTRIBUTE", FACET_NO_OFFSET,
                          "custom attributes are not equal to the bit, and not compared further");
    return FACET_OK;
}
