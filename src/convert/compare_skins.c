/* convert/compare_skins.c - comparison of skins: their joints, and the transforms from mesh to
 * joints relative to one another, which decide how the mesh moves. */
#include "base/arena.h"
#include "base/error.h"
#include "base/table.h"
#include "base/text.h"
#include "convert/compare.h"
#include "scene/axes.h"
#include "scene/matrix.h"

#include <facet/pose.h>

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct skins {
    const facet_comparing *c;
    const facet_compared_nodes *p;
    facet_pose poses[2]; /* at rest */
    uint32_t *places;    /* per node of b: index of its joint in the skin, or FACET_NONE */
} skins;

/* -- Pairs -------------------------------------------------------------- */

/* Pair the remaining skins of nodes that are partners. */
static facet_status pair_by_nodes(const facet_comparing *c, const facet_compared_nodes *p,
                                  uint32_t *pairs, facet_error *error)
{
    const facet_scene *a = p->a, *b = p->b;
    bool *taken = facet_arena_allocate_zeroed(c->arena, b->skin_count, sizeof *taken);
    if (!taken)
        return facet_fail_arena(c->arena, error);
    for (uint32_t i = 0; i < a->skin_count; i++) {
        if (pairs[i] != FACET_NONE)
            taken[pairs[i]] = true;
    }
    for (uint32_t i = 0; i < a->node_count; i++) {
        uint32_t skin = a->nodes[i]->skin;
        uint32_t other = p->pairs[i] != FACET_NONE ? b->nodes[p->pairs[i]]->skin : FACET_NONE;
        if (skin == FACET_NONE || other == FACET_NONE || pairs[skin] != FACET_NONE || taken[other])
            continue;
        pairs[skin] = other;
        taken[other] = true;
    }
    return FACET_OK;
}

static facet_status pair_skins(const facet_comparing *c, const facet_compared_nodes *p,
                               uint32_t *pairs, facet_error *error)
{
    const facet_scene *a = p->a, *b = p->b;
    size_t count = (size_t)a->skin_count + b->skin_count;
    const char **names = facet_arena_allocate(c->arena, count, sizeof *names);
    if (!names)
        return facet_fail_arena(c->arena, error);
    for (size_t i = 0; i < count; i++) {
        names[i] = i < a->skin_count ? a->skins[i]->name : b->skins[i - a->skin_count]->name;
        names[i] = names[i] ? names[i] : "";
    }
    TRY(facet_compare_names(c, "skins", names, a->skin_count, names + a->skin_count, b->skin_count,
                            pairs, error));
    TRY(pair_by_nodes(c, p, pairs, error));
    return facet_compare_pair_rest(c, NULL, a->skin_count, NULL, b->skin_count, pairs, error);
}

/* -- Transforms --------------------------------------------------------- */

/* Compute the transform from mesh to scene that a joint has at rest, in the common frame and in
 * units of a. */
static void bind_of(const skins *s, int side, const facet_skin *skin, uint32_t joint, float out[16])
{
    const facet_scene *scene = side ? s->p->b : s->p->a;
    const float *global = s->poses[side].global + 16 * (size_t)skin->joints[joint];
    float matrix[16], turn[16], back[16] = {[15] = 1}, half[16];
    if (skin->inverse_bind)
        facet_matrix_multiply(global, skin->inverse_bind + 16 * (size_t)joint, matrix);
    else
        memcpy(matrix, global, sizeof matrix);
    facet_axes_matrix(&scene->axes, turn);
    for (int i = 0; i < 9; i++) /* the inverse of a rotation is its transpose */
        back[4 * (i / 3) + i % 3] = turn[4 * (i % 3) + i / 3];
    facet_matrix_multiply(turn, matrix, half);
    facet_matrix_multiply(half, back, out);
    for (int k = 0; k < 3 && side; k++)
        out[12 + k] *= (float)s->c->scale;
}

/* Distance of two transforms of the scene, near a joint: of its origin and of three arms. */
static double apart(const skins *s, const float *x, const float *y, const float center[3])
{
    double most = 0;
    for (int end = 0; end < 4; end++) {
        float point[3], here[3], there[3];
        double squares = 0;
        for (int k = 0; k < 3; k++)
            point[k] = center[k] + (end == k + 1 ? (float)s->p->arm : 0);
        facet_matrix_point(x, point, here);
        facet_matrix_point(y, point, there);
        for (int k = 0; k < 3; k++)
            squares += pow((double)here[k] - (double)there[k], 2);
        most = fmax(most, sqrt(squares));
    }
    return most;
}

/* Compare how joints move the mesh relative to the first joint that can be inverted. This does not
 * depend on the space of the mesh. Returns the largest distance, and its joint. */
static double compare_binds(const skins *s, const facet_skin *a, const facet_skin *b,
                            uint32_t *joint)
{
    float inverse[2][16], bind[2][16], relative[2][16], center[3];
    bool has_first = false;
    double most = 0;
    for (uint32_t i = 0; i < a->joint_count; i++) {
        uint32_t other = s->p->pairs[a->joints[i]];
        other = other == FACET_NONE ? FACET_NONE : s->places[other];
        if (other == FACET_NONE)
            continue;
        bind_of(s, 0, a, i, bind[0]);
        bind_of(s, 1, b, other, bind[1]);
        if (!has_first) {
            has_first = facet_matrix_invert(bind[0], inverse[0]) &&
                        facet_matrix_invert(bind[1], inverse[1]);
            continue;
        }
        for (int side = 0; side < 2; side++)
            facet_matrix_multiply(bind[side], inverse[side], relative[side]);
        memcpy(center, s->poses[0].global + 16 * (size_t)a->joints[i] + 12, sizeof center);
        facet_axes_turn(&s->p->a->axes, center);
        double distance = apart(s, relative[0], relative[1], center);
        if (distance > most) {
            most = distance;
            *joint = a->joints[i];
        }
    }
    return most;
}

/* Describe the first difference of two skins, or write "". */
static void skin_difference(const skins *s, const facet_skin *a, const facet_skin *b, char *text,
                            size_t space)
{
    facet_quoted quoted;
    uint32_t joint = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < a->joint_count && !*text; i++) {
        uint32_t other = s->p->pairs[a->joints[i]];
        const char *name = s->p->a->nodes[a->joints[i]]->name;
        if (other == FACET_NONE || s->places[other] == FACET_NONE)
            snprintf(text, space, "the joint '%.60s' in the first file only",
                     facet_quote(&quoted, name, strlen(name)));
    }
    if (!*text && a->joint_count != b->joint_count)
        snprintf(text, space, "%" PRIu32 " joints, %" PRIu32 " in the second file", a->joint_count,
                 b->joint_count);
    if (!*text && a->skeleton != FACET_NONE && b->skeleton != FACET_NONE &&
        s->p->pairs[a->skeleton] != b->skeleton)
        snprintf(text, space, "another skeleton root in the second file");
    double distance = compare_binds(s, a, b, &joint);
    /* Inverse matrices are less precise than positions. */
    if (*text || distance <= fmax(s->c->tolerance, 1e-4 * s->p->arm))
        return;
    const char *name = s->p->a->nodes[joint]->name;
    snprintf(text, space, "another inverse bind matrix of joint '%.60s': %g away at rest",
             facet_quote(&quoted, name, strlen(name)), distance);
}

static void compare_pairs(const skins *s, const uint32_t *pairs)
{
    const facet_scene *a = s->p->a, *b = s->p->b;
    uint32_t differing = 0;
    for (uint32_t i = 0; i < a->skin_count; i++) {
        if (pairs[i] == FACET_NONE)
            continue;
        const facet_skin *here = a->skins[i], *there = b->skins[pairs[i]];
        char text[200];
        for (uint32_t k = 0; k < there->joint_count; k++)
            s->places[there->joints[k]] = k;
        skin_difference(s, here, there, text, sizeof text);
        for (uint32_t k = 0; k < there->joint_count; k++)
            s->places[there->joints[k]] = FACET_NONE;
        if ((here->skeleton == FACET_NONE) != (there->skeleton == FACET_NONE))
            facet_compare_add_absent(s->c, FACET_COMPARE_NODES, "COMPARE-UNREAD",
                                     "not compared: skin %" PRIu32 " names the root of its "
                                     "skeleton in the %s file only",
                                     i, here->skeleton != FACET_NONE ? "first" : "second");
        if (*text && differing++ < FACET_COMPARE_DETAILS)
            facet_compare_add(s->c, FACET_COMPARE_WEIGHTS, "COMPARE-NODE", FACET_NO_OFFSET,
                              "skin %" PRIu32 " has %s", i, text);
    }
    if (differing > FACET_COMPARE_DETAILS)
        facet_compare_add(s->c, FACET_COMPARE_WEIGHTS, "COMPARE-NODE", FACET_NO_OFFSET,
                          "%" PRIu32 " more skin%s", differing - FACET_COMPARE_DETAILS,
                          facet_plural(differing - FACET_COMPARE_DETAILS, " differs", "s differ"));
}

facet_status facet_compare_skins(const facet_comparing *c, const facet_compared_nodes *p,
                                 uint32_t **pairs, facet_error *error)
{
    skins s = {.c = c, .p = p};
    *pairs = facet_arena_allocate(c->arena, p->a->skin_count, sizeof **pairs);
    s.places = facet_arena_allocate(c->arena, p->b->node_count, sizeof *s.places);
    if (!*pairs || !s.places)
        return facet_fail_arena(c->arena, error);
    for (uint32_t i = 0; i < p->b->node_count; i++)
        s.places[i] = FACET_NONE;
    TRY(pair_skins(c, p, *pairs, error));
    facet_status status = facet_scene_pose(p->a, FACET_NONE, 0, c->options, &s.poses[0], error);
    if (!status)
        status = facet_scene_pose(p->b, FACET_NONE, 0, c->options, &s.poses[1], error);
    if (!status)
        compare_pairs(&s, *pairs);
    facet_pose_free(&s.poses[1]);
    facet_pose_free(&s.poses[0]);
    return status;
}
