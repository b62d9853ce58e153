/* bench/bench_start.c - benchmark of the program's start, compared with an empty program and with
 * assimp.
 *
 *   bench_start FOLDER FACET */
#include "support/bench.h"

#include <stdio.h>
#include <string.h>

#define ROUNDS 101

int main(int count, char **words)
{
    if (count < 3) {
        fprintf(stderr, "usage: bench_start FOLDER FACET\n");
        return 2;
    }
    char empty[4096];
    const char *slash = strrchr(words[0], '/');
    int folder = slash ? (int)(slash - words[0]) : 1;
    snprintf(empty, sizeof empty, "%.*s/empty_program", folder, slash ? words[0] : ".");
    const char *nothing[] = {empty, NULL};
    const char *version[] = {words[2], "--version", NULL};
    const char *formats[] = {words[2], "formats", NULL};
    const char *assimp[] = {"assimp", "version", NULL};
    bench_job jobs[] = {{.name = "facet --version", .command = version},
                        {.name = "a program that does nothing", .command = nothing},
                        {.name = "facet formats", .command = formats},
                        {.name = "assimp version", .command = assimp}};
    bench_compare("Starting", jobs, sizeof jobs / sizeof *jobs, ROUNDS, 0);
    printf("facet --version: %.2f ms beyond a program that does nothing\n",
           (jobs[0].median - jobs[1].median) * 1e3);
    return 0;
}
