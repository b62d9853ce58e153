/* batch/progress.c - the progress of a batch, on standard error. */
#include "batch/batch.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

double cli_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void cli_progress_begin(cli_progress *progress, cli_progress_kind kind, bool quiet, uint64_t total)
{
    double now = cli_seconds();
    if (kind == CLI_PROGRESS_AUTO)
        kind = quiet                   ? CLI_PROGRESS_NONE
               : isatty(STDERR_FILENO) ? CLI_PROGRESS_BAR
                                       : CLI_PROGRESS_LINES;
    *progress = (cli_progress){kind, total, now, now};
}

/* "1:02:03" */
static void write_time(char text[32], double seconds)
{
    unsigned long all = seconds < 1e9 ? (unsigned long)(seconds + 0.5) : 0;
    if (all >= 3600)
        snprintf(text, 32, "%lu:%02lu:%02lu", all / 3600, all / 60 % 60, all % 60);
    else
        snprintf(text, 32, "%lu:%02lu", all / 60, all % 60);
}

static void say(const cli_progress *progress, const cli_batch_counts *counts, double now)
{
    uint64_t done = counts->ok + counts->skipped + counts->failed;
    double passed = now - progress->began, rate = passed > 0 ? (double)done / passed : 0;
    bool known = progress->total > 0; /* not for a stream */
    double left = rate > 0 && known ? (double)(progress->total - done) / rate : 0;
    char time[32], of[32] = "", until[48] = "";
    write_time(time, left);
    if (known) {
        snprintf(of, sizeof of, " of %llu", (unsigned long long)progress->total);
        snprintf(until, sizeof until, ", %s left", time);
    }
    if (progress->kind == CLI_PROGRESS_JSON) {
        fprintf(stderr,
                "{\"done\":%llu,\"total\":%llu,\"failed\":%llu,\"seconds\":%.1f,"
                "\"rate\":%.1f,\"seconds_left\":%.0f,\"in_bytes\":%llu}\n",
                (unsigned long long)done, (unsigned long long)progress->total,
                (unsigned long long)counts->failed, passed, rate, left,
                (unsigned long long)counts->bytes);
        return;
    }
    char bar[32] = "";
    if (progress->kind == CLI_PROGRESS_BAR && known) {
        enum { WIDTH = 20 };
        uint64_t full = done * WIDTH / progress->total;
        memset(bar, ' ', WIDTH + 3);
        bar[0] = '[';
        memset(bar + 1, '=', full < WIDTH ? (size_t)full : WIDTH);
        memcpy(bar + 1 + WIDTH, "] ", 3);
    }
    fprintf(stderr, "%s%s%llu%s, %llu failed, %.*f a second%s%s",
            progress->kind == CLI_PROGRESS_BAR ? "\r\033[K" : "facet: ", bar,
            (unsigned long long)done, of, (unsigned long long)counts->failed, rate < 10 ? 1 : 0,
            rate, until, progress->kind == CLI_PROGRESS_BAR ? "" : "\n");
}

void cli_progress_tick(cli_progress *progress, const cli_batch_counts *counts)
{
    static const double pauses[] = {0, 0.2, 60, 1, 0};
    double now = cli_seconds();
    if (progress->kind == CLI_PROGRESS_NONE || now - progress->said < pauses[progress->kind])
        return;
    progress->said = now;
    say(progress, counts, now);
}

void cli_progress_end(cli_progress *progress)
{
    if (progress->kind == CLI_PROGRESS_BAR)
        fputs("\r\033[K", stderr);
}
