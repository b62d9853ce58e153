/* fuzz/threads.h - a thread pool without threads: tasks run one after the other, the last first.
 * Results must not depend on threads, and so not on this order. */
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

/* -- Readers ------------------------------------------------------------- */

/* Functions that read a file, compare two results, and free one. */
typedef struct compared_reader {
    facet_status (*read)(const facet_source *source, const facet_options *options, void **made,
                         facet_error *error);
    void (*expect_same)(const void *a, const void *b);
    void (*release)(void *made);
} compared_reader;

typedef struct compared_reading {
    void *made;
    facet_report *report;
    facet_status status;
    facet_error error;
} compared_reading;

static inline void read_by(const compared_reader *reader, const facet_source *source,
                           unsigned threads, compared_reading *r)
{
    const facet_threads pool = threads_backwards(threads);
    facet_options options = {.threads = &pool};
    memset(r, 0, sizeof *r);
    expect(!facet_report_create(NULL, &r->report, NULL));
    options.report = r->report;
    r->status = reader->read(source, &options, &r->made, &r->error);
    expect(r->status == FACET_OK || r->error.message[0]);
}

/* Read with one thread and with several, and compare the results. */
static inline void compare_readings(const compared_reader *reader, const uint8_t *data, size_t size)
{
    facet_source source = facet_source_from_memory(data, size, NULL);
    compared_reading one, several;
    read_by(reader, &source, 1, &one);
    read_by(reader, &source, 2 + (unsigned)(size % 4), &several);
    expect(one.status == several.status);
    expect_same_findings(one.report, several.report);
    if (one.status == FACET_OK) {
        reader->expect_same(one.made, several.made);
        reader->release(one.made);
        reader->release(several.made);
    } else {
        expect_same_errors(&one.error, &several.error);
    }
    facet_report_free(one.report);
    facet_report_free(several.report);
}

#endif
