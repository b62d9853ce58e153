/* formats/j3d/check/skeleton.c - JNT1, EVP1, DRW1: joints, envelopes and draw matrices. */
#include "formats/j3d/check/check.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* -- JNT1 --------------------------------------------------------------- */

#define JOINT_SIZE 0x40

void facet_j3d_check_jnt1(facet_j3d_checker *c)
{
    const facet_j3d_section_kind kind = FACET_J3D_JNT1;
    facet_tally kinds = {0}, scales = {0}, floats = {0};
    if (!facet_j3d_has_head(c, kind, 0x18, "J3D-JNT1-SIZE"))
        return;
    uint32_t count = facet_load_u16be(c->sections[kind].bytes + 0x08);
    const uint8_t *joints =
        facet_j3d_check_records(c, kind, 0x0C, count, JOINT_SIZE, "J3D-JNT1-ENTRIES", "joints");
    facet_j3d_look_at_remap(c, kind, 0x10, count, count, true, "J3D-JNT1-REMAP");
    facet_j3d_look_at_names(c, kind, 0x14, count);
    c->joint_count = joints ? count : 0;
    for (uint32_t i = 0; i < c->joint_count; i++) {
        const uint8_t *joint = joints + (size_t)i * JOINT_SIZE;
        uint16_t bits = facet_load_u16be(joint);
        if ((bits & 15) > 2 || (bits >> 4 & 15) > 2)
            facet_tally_hit(&kinds, facet_j3d_offset_of(c, kind, joint));
        facet_j3d_look_at_floats(c, kind, joint + 0x04, 3, &scales);
        facet_j3d_look_at_floats(c, kind, joint + 0x18, 10, &floats);
    }
    facet_j3d_say_tally(
        c, FACET_SEVERITY_WARNING, kind, &kinds, "J3D-JNT1-KIND",
        "a joint is of an unknown kind, expected 0 to 2, and 0 to 2 for billboards");
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &scales, "J3D-JNT1-SCALE",
                        "the scale of a joint is infinite or not a number");
    facet_j3d_say_floats(c, kind, &floats, "joints");
}

/* -- EVP1 --------------------------------------------------------------- */

typedef struct influences {
    uint32_t envelope_count, count;
    const uint8_t *counts, *joints, *weights;
} influences;

static void look_at_weights(facet_j3d_checker *c, const influences *all)
{
    const facet_j3d_section_kind kind = FACET_J3D_EVP1;
    facet_tally sums = {0}, empty = {0};
    uint32_t first = 0;
    for (uint32_t i = 0; i < all->envelope_count; i++) {
        float sum = 0;
        for (uint32_t k = 0; k < all->counts[i]; k++)
            sum += facet_load_f32be(all->weights + 4 * (size_t)(first + k));
        if (all->counts[i] == 0)
            facet_tally_hit(&empty, facet_j3d_offset_of(c, kind, all->counts) + i);
        else if (!(sum >= 0.99f && sum <= 1.01f))
            facet_tally_hit(&sums,
                            facet_j3d_offset_of(c, kind, all->weights) + 4 * (uint64_t)first);
        first += all->counts[i];
    }
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &empty, "J3D-EVP1-EMPTY",
                        "an envelope has no joints");
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &sums, "J3D-EVP1-WEIGHTS",
                        "the weights of an envelope do not sum up to 1");
}

/* The number of matrices that fit before the next table, because it is not stored. */
static uint64_t inverse_bind_count(const facet_j3d_section *section)
{
    uint32_t offset = facet_load_u32be(section->bytes + 0x18);
    size_t end = section->size;
    for (uint32_t field = 0x0C; field < 0x1C; field += 4) {
        uint32_t other = facet_load_u32be(section->bytes + field);
        if (other > offset && other < end)
            end = other;
    }
    return offset == 0 || offset >= end ? 0 : (end - offset) / 48;
}

static void look_at_inverse_binds(facet_j3d_checker *c, uint32_t needed)
{
    const facet_j3d_section_kind kind = FACET_J3D_EVP1;
    const facet_j3d_section *section = &c->sections[kind];
    uint64_t count = inverse_bind_count(section);
    facet_tally floats = {0};
    if (c->joint_count > 0 && count > c->joint_count)
        count = c->joint_count;
    if (count < needed)
        facet_j3d_say(c, FACET_SEVERITY_ERROR, kind, 0x18, "J3D-EVP1-INVERSE-BIND",
                      "there are inverse bind matrices for %" PRIu64 " joints, but joint %" PRIu32
                      " has an influence",
                      count, needed - 1);
    else if (c->envelope_count > 0 && count < c->joint_count)
        facet_j3d_say(c, FACET_SEVERITY_WARNING, kind, 0x18, "J3D-EVP1-INVERSE-BIND-COUNT",
                      "there are inverse bind matrices for %" PRIu64 " of %" PRIu32 " joints",
                      count, c->joint_count);
    const uint8_t *matrices = facet_j3d_check_records(
        c, kind, 0x18, count, 48, "J3D-EVP1-INVERSE-BIND", "inverse bind matrices");
    if (matrices)
        facet_j3d_look_at_floats(c, kind, matrices, (size_t)count * 12, &floats);
    facet_j3d_say_floats(c, kind, &floats, "inverse bind matrices");
}

void facet_j3d_check_evp1(facet_j3d_checker *c)
{
    const facet_j3d_section_kind kind = FACET_J3D_EVP1;
    influences all = {0};
    facet_tally joints = {0}, floats = {0};
    uint32_t needed = 0;
    if (!facet_j3d_has_head(c, kind, 0x1C, "J3D-EVP1-SIZE"))
        return;
    all.envelope_count = facet_load_u16be(c->sections[kind].bytes + 0x08);
    all.counts = facet_j3d_check_records(c, kind, 0x0C, all.envelope_count, 1, "J3D-EVP1-ENVELOPES",
                                         "influence counts");
    if (!all.counts)
        return;
    c->envelope_count = all.envelope_count;
    for (uint32_t i = 0; i < all.envelope_count; i++)
        all.count += all.counts[i];
    all.joints = facet_j3d_check_records(c, kind, 0x10, all.count, 2, "J3D-EVP1-INFLUENCES",
                                         "joint indices");
    all.weights =
        facet_j3d_check_records(c, kind, 0x14, all.count, 4, "J3D-EVP1-INFLUENCES", "weights");
    for (uint32_t i = 0; all.joints && i < all.count; i++) {
        uint16_t joint = facet_load_u16be(all.joints + 2 * (size_t)i);
        if (joint >= c->joint_count)
            facet_tally_hit(&joints, facet_j3d_offset_of(c, kind, all.joints) + 2 * (uint64_t)i);
        else if (joint >= needed)
            needed = joint + 1u;
    }
    if (c->joint_count > 0)
        facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &joints, "J3D-EVP1-JOINT",
                            "an influence names a joint beyond the %" PRIu32 " of the model",
                            c->joint_count);
    if (all.weights)
        facet_j3d_look_at_floats(c, kind, all.weights, all.count, &floats);
    if (all.weights || all.count == 0)
        look_at_weights(c, &all);
    facet_j3d_say_floats(c, kind, &floats, "weights");
    look_at_inverse_binds(c, needed);
}

/* -- DRW1 --------------------------------------------------------------- */

/* Check the order: rigid entries, then envelopes 0, 1, 2, ... twice. Games use an envelope's
 * position as its index, and newer ones drop the second copy. */
static void look_at_order(facet_j3d_checker *c, const uint8_t *types, const uint8_t *indices)
{
    const facet_j3d_section_kind kind = FACET_J3D_DRW1;
    uint32_t rigid = 0, envelopes = 0, wrong = 0;
    bool is_mixed = false;
    uint64_t first_mixed = 0, first_wrong = 0;
    for (uint32_t i = 0; i < c->draw_count; i++) {
        uint16_t index = facet_load_u16be(indices + 2 * (size_t)i);
        if (types[i] == 0) {
            if (envelopes > 0 && !is_mixed)
                first_mixed = facet_j3d_offset_of(c, kind, types) + i;
            is_mixed |= envelopes > 0;
            rigid++;
        } else if (types[i] == 1) {
            if (c->envelope_count > 0 && index != envelopes % c->envelope_count && wrong++ == 0)
                first_wrong = facet_j3d_offset_of(c, kind, indices) + 2 * (uint64_t)i;
            envelopes++;
        }
    }
    if (is_mixed)
        facet_j3d_say(c, FACET_SEVERITY_ERROR, kind, first_mixed, "J3D-DRW1-ORDER",
                      "an entry of a joint comes after one of an envelope");
    if (wrong > 0)
        facet_j3d_say(
            c, FACET_SEVERITY_WARNING, kind, first_wrong, "J3D-DRW1-ENVELOPES",
            "the envelopes are not in order, but games use their position as their number");
}

/* Number of matrices that games compute: the joints' entries, and one per envelope. */
static uint32_t count_computed(const facet_j3d_checker *c, const uint8_t *types)
{
    uint32_t envelopes = 0;
    for (uint32_t i = 0; i < c->draw_count; i++)
        envelopes += types[i] == 1;
    uint32_t surplus = envelopes > c->envelope_count ? envelopes - c->envelope_count : 0;
    return c->envelope_count > 0 ? c->draw_count - surplus : c->draw_count;
}

/* Check for a missing second copy. Newer loaders subtract the second copy of the envelopes from the
 * count, and then write one entry per envelope after the joints' (readDraw, then
 * findImportantMtxIndex). */
static void look_at_copies(facet_j3d_checker *c, const uint8_t *types)
{
    uint32_t kept, rigid = 0;
    if (c->envelope_count == 0)
        return;
    kept = c->draw_count > c->envelope_count ? c->draw_count - c->envelope_count : 0;
    while (rigid < kept && types[rigid] != 1)
        rigid++;
    if (kept - rigid >= c->envelope_count)
        return;
    facet_j3d_say(c, c->draws_all ? FACET_SEVERITY_WARNING : FACET_SEVERITY_ERROR, FACET_J3D_DRW1,
                  0x08, "J3D-DRW1-COPIES",
                  "%" PRIu32 " draw matrices are too few for %" PRIu32
                  " envelopes, which Twilight Princess and newer games expect twice",
                  c->draw_count, c->envelope_count);
}

void facet_j3d_check_drw1(facet_j3d_checker *c)
{
    const facet_j3d_section_kind kind = FACET_J3D_DRW1;
    facet_tally odd_types = {0}, odd_indices = {0};
    if (!facet_j3d_has_head(c, kind, 0x14, "J3D-DRW1-SIZE"))
        return;
    uint32_t count = facet_load_u16be(c->sections[kind].bytes + 0x08);
    const uint8_t *types =
        facet_j3d_check_records(c, kind, 0x0C, count, 1, "J3D-DRW1-ENTRIES", "types");
    const uint8_t *indices =
        facet_j3d_check_records(c, kind, 0x10, count, 2, "J3D-DRW1-ENTRIES", "indices");
    if (!types || !indices)
        return;
    c->draw_count = count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t limit = types[i] == 1 ? c->envelope_count : c->joint_count;
        bool is_known = types[i] == 1 ? c->sections[FACET_J3D_EVP1].bytes != NULL : limit > 0;
        if (types[i] > 1)
            facet_tally_hit(&odd_types, facet_j3d_offset_of(c, kind, types) + i);
        else if (is_known && facet_load_u16be(indices + 2 * (size_t)i) >= limit)
            facet_tally_hit(&odd_indices, facet_j3d_offset_of(c, kind, indices) + 2 * (uint64_t)i);
    }
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &odd_types, "J3D-DRW1-TYPE",
                        "a draw matrix is neither a joint's (0) nor an envelope's (1)");
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &odd_indices, "J3D-DRW1-INDEX",
                        "a draw matrix names a joint beyond the %" PRIu32
                        " of the model, or an envelope beyond the %" PRIu32,
                        c->joint_count, c->envelope_count);
    look_at_order(c, types, indices);
    look_at_copies(c, types);
    c->draw_count = count_computed(c, types);
}
