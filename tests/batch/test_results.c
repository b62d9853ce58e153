/* After a failed write nothing more is written. Otherwise a line could refer to bytes after the
 * readable part of the tar. */
#include "base/json.h"
#include "batch/batch.h"
#include "support/support.h"

#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void add(cli_results *results, const char *id, size_t size)
{
    static uint8_t bytes[8 * CLI_TAR_BLOCK];
    cli_tar_bytes packed = {bytes, size, 0};
    facet_json *line = facet_json_object();
    facet_json_set(line, "id", facet_json_string(id));
    facet_json_set(line, "status", facet_json_string("ok"));
    facet_json_set(line, "out", facet_json_string(id));
    cli_results_add(results, line, &packed);
    cli_results_flush(results);
}

TEST(results_end_at_the_first_failed_write)
{
    cli_results results;
    cli_tar tar;
    struct rlimit before, small;
    struct stat info;
    char path[4096], tar_path[4096];
    strcpy(path, test_temporary("ended.jsonl"));
    strcpy(tar_path, test_temporary("ended.tar"));
    assert_int_equal(cli_results_open(&results, path, false), EXIT_DONE);
    assert_int_equal(cli_tar_open(&tar, tar_path, false, false), EXIT_DONE);
    assert_true(cli_tar_continue(&tar));
    results.tar = tar;
    /* A file that may not grow simulates a disk that is full for a while. */
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){CLI_TAR_BLOCK, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    add(&results, "a", 8 * CLI_TAR_BLOCK);
    setrlimit(RLIMIT_FSIZE, &before);
    add(&results, "b", CLI_TAR_BLOCK);
    assert_true(!cli_results_close(&results));
    assert_true(stat(path, &info) == 0 && info.st_size == 0);
}
