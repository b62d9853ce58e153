/* bench/bench_j3d_animation.c - benchmark of J3D animations.
 *
 * - Read a BCK of about 50 KB to a document, compared with memcpy of the file.
 * - Evaluate 100 joints at a frame.
 * - Fit keys to 1,000 frames of 100 joints.
 *
 * The animation is generated: smooth curves of three angles and a translation. */
#include "formats/j3d/animation/fit.h"
#include "support/bench.h"

#include <facet/j3d_animation.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 7
enum { JOINTS = 100, FRAMES = 1000, READS = 100, EVALUATED = 1000 };

typedef struct subject {
    uint8_t *bytes, *copy;
    size_t size;
    facet_j3d_animation *document;
    double *samples; /* FRAMES values of one track */
} subject;

static void check(facet_status status, const facet_error *error)
{
    if (status) {
        fprintf(stderr, "bench_j3d_animation: %s\n", error->message);
        exit(1);
    }
}

/* -- The animation ------------------------------------------------------ */

static size_t put_track(char *to, unsigned joint, unsigned axis, unsigned keys)
{
    size_t used = (size_t)sprintf(to, "[");
    for (unsigned k = 0; k < keys; k++)
        used += (size_t)sprintf(to + used, "%s[%u, %.3f, %.3f]", k ? "," : "", k * 10,
                                50 * sin(k * 0.7 + joint + axis), 3 * cos(k * 0.7 + joint));
    return used + (size_t)sprintf(to + used, "]");
}

static void make(subject *s)
{
    facet_error error;
    facet_output *output;
    char *text = malloc(4 << 20);
    size_t used = (size_t)sprintf(text, "{\"format\": \"facet-j3d-animation\", \"kind\": \"bck\", "
                                        "\"frames\": 180, \"rotation_shift\": 1, \"joints\": [");
    for (unsigned j = 0; j < JOINTS; j++) {
        used +=
            (size_t)sprintf(text + used, "%s{\"scale\": [1,1,1], \"rotation\": [", j ? "," : "");
        for (unsigned axis = 0; axis < 3; axis++) {
            used += (size_t)sprintf(text + used, "%s", axis ? "," : "");
            used += put_track(text + used, j, axis, 19);
        }
        used += (size_t)sprintf(text + used, "], \"translation\": [%u,0,", j);
        used += j % 10 ? (size_t)sprintf(text + used, "0") : put_track(text + used, j, 3, 19);
        used += (size_t)sprintf(text + used, "]}");
    }
    sprintf(text + used, "]}");
    facet_j3d_animation *made = NULL;
    check(facet_j3d_animation_from_json(text, strlen(text), NULL, &made, &error), &error);
    check(facet_output_open_memory(NULL, &output, &error), &error);
    check(facet_j3d_animation_write(made, NULL, output, &error), &error);
    check(facet_output_commit(output, &error), &error);
    s->size = (size_t)facet_output_size(output);
    s->bytes = malloc(s->size);
    s->copy = malloc(s->size);
    memcpy(s->bytes, facet_output_data(output), s->size);
    facet_output_free(output);
    facet_j3d_animation_free(made);
    free(text);
}

static facet_j3d_animation *read_document(const subject *s)
{
    facet_j3d_animation *document = NULL;
    facet_error error;
    facet_source source = facet_source_from_memory(s->bytes, s->size, NULL);
    check(facet_j3d_animation_read(&source, NULL, &document, &error), &error);
    return document;
}

/* -- Jobs --------------------------------------------------------------- */

static long run_copy(void *user)
{
    subject *s = user;
    long sum = 0;
    for (int i = 0; i < READS; i++) {
        memcpy(s->copy, s->bytes, s->size);
        sum += s->copy[s->size / 2];
    }
    return sum;
}

static long run_read(void *user)
{
    long sum = 0;
    for (int i = 0; i < READS; i++) {
        facet_j3d_animation *document = read_document(user);
        sum += document->frames;
        facet_j3d_animation_free(document);
    }
    return sum;
}

static long evaluate(subject *s, bool exact)
{
    static facet_j3d_joint_pose poses[JOINTS];
    long sum = 0;
    for (int i = 0; i < EVALUATED; i++) {
        facet_j3d_moment moment = {.frame = i * 0.18, .exact = exact};
        facet_j3d_animation_joints(s->document, &moment, poses);
        sum += poses[i % JOINTS].rotation[1] & 1;
    }
    return sum;
}

static long run_evaluate(void *user)
{
    return evaluate(user, false);
}

static long run_exact(void *user)
{
    return evaluate(user, true);
}

static long run_fit(void *user)
{
    subject *s = user;
    static double elements[4 * (FRAMES + 1)];
    long keys = 0;
    uint16_t type;
    for (int track = 0; track < JOINTS * 6; track++) {
        for (int i = 0; i < FRAMES; i++)
            s->samples[i] = 4000 * sin(i * 0.05 + track) + 900 * sin(i * 0.17 * (1 + track % 3));
        keys += (long)facet_j3d_fit_keys(s->samples, FRAMES, 9, true, elements, &type);
    }
    return keys;
}

int main(void)
{
    subject s = {0};
    make(&s);
    s.document = read_document(&s);
    s.samples = malloc(FRAMES * sizeof *s.samples);
    char title[160];
    snprintf(title, sizeof title, "a BCK of %zu bytes, %d times", s.size, READS);
    bench_job reading[] = {{.name = "memcpy", .run = run_copy, .user = &s},
                           {.name = "to a document", .run = run_read, .user = &s}};
    bench_compare(title, reading, 2, ROUNDS, (double)s.size * READS);
    bench_job values[] = {{.name = "in doubles", .run = run_evaluate, .user = &s},
                          {.name = "as the console", .run = run_exact, .user = &s}};
    bench_compare("100 joints at 1,000 frames", values, 2, ROUNDS, 0);
    bench_job fitting[] = {{.name = "six tracks a joint", .run = run_fit, .user = &s}};
    bench_compare("keys for 1,000 frames of 100 joints", fitting, 1, ROUNDS, 0);
    facet_j3d_animation_free(s.document);
    free(s.samples);
    free(s.bytes);
    free(s.copy);
    return 0;
}
