/* formats/assimp/file/repair_fbx_rate.c - the frame rate of an FBX. assimp states 24 frames per
 * second for every file, and editors move the keys to its frames. */
#include "base/bytes.h"
#include "formats/assimp/file/repair_fbx.h"

#include <math.h>
#include <string.h>

/* Rates with their numbers in FBX (FbxTime::EMode). The first is that of J3D animations. */
static const struct {
    double rate;
    uint32_t mode;
} rates[] = {{30, 6}, {24, 11}, {25, 10}, {60, 3},  {50, 4},
             {48, 5}, {72, 16}, {96, 15}, {120, 1}, {100, 2}};
#define RATE_COUNT (sizeof rates / sizeof *rates)

static void count_key(double time, uint64_t hits[RATE_COUNT])
{
    for (size_t i = 0; i < RATE_COUNT; i++) {
        double frame = time * rates[i].rate;
        hits[i] += fabs(frame - nearbyint(frame)) < 1e-3;
    }
}

/* The mode of the rate that has frames at most keys; 30 per second without keys. */
static uint32_t find_mode(const struct aiScene *scene)
{
    uint64_t hits[RATE_COUNT] = {0};
    size_t best = 0;
    for (uint32_t i = 0; i < scene->mNumAnimations; i++) {
        const struct aiAnimation *animation = scene->mAnimations[i];
        for (uint32_t k = 0; k < animation->mNumChannels; k++) {
            const struct aiNodeAnim *channel = animation->mChannels[k];
            for (uint32_t n = 0; n < channel->mNumPositionKeys; n++)
                count_key(channel->mPositionKeys[n].mTime, hits);
        }
    }
    for (size_t i = 1; i < RATE_COUNT; i++)
        best = hits[i] > hits[best] ? i : best;
    return rates[best].mode;
}

void facet_fbx_set_rate(const struct aiScene *scene, uint8_t *data, const uint8_t *end)
{
    /* The properties of the record: name, type, two empty texts, and an i32. */
    static const char record[] = "TimeModeS\4\0\0\0enumS\0\0\0\0S\0\0\0\0I";
    const size_t size = sizeof record - 1;
    for (uint8_t *at = data; (size_t)(end - at) >= size + 4; at++) {
        if (memcmp(at, record, size) == 0) {
            facet_store_u32le(at + size, find_mode(scene));
            return;
        }
    }
}
