/* cli/timings.c - --timings: duration and peak memory of each step.
 *
 * Steps are those of the library's progress, and some of the program. Times of steps with the same
 * name are added. */
#include "base/json.h"
#include "cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_STEPS 48
/* Steps shorter than this get no memory peak, since reading it takes long. */
#define WORTH_ASKING_NS 1000000

typedef struct step {
    char name[32];
    uint64_t nanoseconds, peak; /* in bytes; 0: not measured */
} step;

/* Initialized before the first step; only the main thread uses it. */
static struct {
    bool on, json;
    step steps[MAX_STEPS];
    size_t count, now;
    uint64_t since, began;
    uint64_t peak; /* of all steps */
} timings;

static uint64_t clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* -- Steps -------------------------------------------------------------- */

static size_t find_step(const char *name)
{
    size_t i = 0;
    while (i < timings.count && strncmp(timings.steps[i].name, name, 31) != 0)
        i++;
    if (i == MAX_STEPS)
        return MAX_STEPS - 1; /* the last entry counts all further steps */
    if (i == timings.count)
        snprintf(timings.steps[timings.count++].name, 32, "%s", name);
    return i;
}

static void end_step(void)
{
    step *s = &timings.steps[timings.now];
    uint64_t took = clock_now() - timings.since;
    s->nanoseconds += took;
    if (took < WORTH_ASKING_NS)
        return;
    uint64_t peak = cli_memory_peak();
    s->peak = peak > s->peak ? peak : s->peak;
    timings.peak = peak > timings.peak ? peak : timings.peak;
    cli_forget_memory_peak();
}

void cli_timings_begin(bool json)
{
    timings.on = true;
    timings.json = json;
    timings.began = timings.since = clock_now();
    timings.now = find_step("start");
}

bool cli_timings_on(void)
{
    return timings.on;
}

void cli_timings_step(const char *name)
{
    if (!timings.on || strncmp(timings.steps[timings.now].name, name, 31) == 0)
        return;
    end_step();
    timings.now = find_step(name);
    timings.since = clock_now();
}

/* -- The table ---------------------------------------------------------- */

static void print_json(double total)
{
    facet_json *object = facet_json_object(), *steps = facet_json_array();
    for (size_t i = 0; i < timings.count; i++) {
        const step *s = &timings.steps[i];
        facet_json *one = facet_json_object();
        facet_json_set(one, "step", facet_json_string(s->name));
        facet_json_set(one, "milliseconds", facet_json_real((double)s->nanoseconds / 1e6));
        facet_json_set(one, "peak_bytes",
                       s->peak ? facet_json_integer((int64_t)s->peak) : facet_json_null());
        facet_json_append(steps, one);
    }
    facet_json_set(object, "timings", steps);
    facet_json_set(object, "milliseconds", facet_json_real(total));
    facet_json_set(object, "peak_bytes", facet_json_integer((int64_t)timings.peak));
    cli_print_json(NULL, stdout, object);
}

void cli_timings_end(void)
{
    if (!timings.on)
        return;
    end_step();
    timings.on = false;
    double total = (double)(clock_now() - timings.began) / 1e6;
    uint64_t peak = cli_memory_peak();
    timings.peak = peak > timings.peak ? peak : timings.peak;
    if (timings.json) {
        print_json(total);
        return;
    }
    for (size_t i = 0; i < timings.count; i++) {
        const step *s = &timings.steps[i];
        char memory[32] = "-";
        if (s->peak)
            snprintf(memory, sizeof memory, "%.1f MiB", (double)s->peak / 1048576);
        fprintf(stderr, "%-20s %10.2f ms %14s\n", s->name, (double)s->nanoseconds / 1e6, memory);
    }
    fprintf(stderr, "%-20s %10.2f ms %10.1f MiB\n", "all", total, (double)timings.peak / 1048576);
}
