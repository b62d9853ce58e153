/* fuzz/threads.h - threads that are none: what they are asked for runs one after the other, the
 * last first. What does not depend on threads does not depend on that order. */
#ifndef FUZZ_THREADS_H
#define FUZZ_THREADS_H

#include <facet/base.h>
#include <stdlib.h>
#include <string.h>

static inline void run_backwards(void *user, void (*task)(void *argument, size_t index),
                                 void *argument, size_t count)
{
    (void)user;
    while (count-- > 0)
        task(argument, count);
}

static inline facet_threads threads_backwards(unsigned count)
{
    facet_threads threads = {run_backwards, NULL, count};
    return threads;
}

static inline void expect(bool holds)
{
    if (!holds)
        abort();
}

static inline void expect_same_findings(const facet_report *a, const facet_report *b)
{
    expect(facet_report_count(a) == facet_report_count(b));
    for (size_t i = 0; i < facet_report_count(a); i++) {
        const facet_finding *one = facet_report_get(a, i), *other = facet_report_get(b, i);
        expect(strcmp(one->message, other->message) == 0 && one->offset == other->offset &&
               one->line == other->line && one->count == other->count);
    }
}

static inline void expect_same_errors(const facet_error *a, const facet_error *b)
{
    expect(strcmp(a->message, b->message) == 0 && a->offset == b->offset && a->line == b->line);
}

#endif
