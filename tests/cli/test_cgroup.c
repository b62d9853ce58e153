/* Memory limits of control groups: nested, of versions 1 and 2. */
#include "cli/cgroup.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Create folders and a file below a temporary folder. */
static void put(const char *root, const char *below, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", root, below);
    for (char *at = path + strlen(root) + 1; *at; at++) {
        if (*at == '/') {
            *at = '\0';
            mkdir(path, 0777);
            *at = '/';
        }
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static uint64_t limit_in(const char *root)
{
    char membership[512];
    snprintf(membership, sizeof membership, "%s/self", root);
    return cli_cgroup_limit(membership, root);
}

static void take_away(const char *root)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", root);
    assert_int_equal(system(command), 0);
}

TEST(cgroup_outer_limit_holds_for_inner_groups)
{
    char root[] = "/tmp/cgroup-XXXXXX";
    assert_non_null(mkdtemp(root));
    put(root, "self", "0::/slurm/job_1/step_0\n");
    put(root, "slurm/job_1/step_0/memory.max", "max\n");
    assert_int_equal(limit_in(root), 0);
    put(root, "slurm/memory.max", "8000000000\n");
    assert_int_equal(limit_in(root), 8000000000);
    put(root, "slurm/job_1/memory.max", "1000000000\n");
    assert_int_equal(limit_in(root), 1000000000);
    put(root, "slurm/job_1/step_0/memory.max", "2000000000\n");
    assert_int_equal(limit_in(root), 1000000000);
    take_away(root);
}

TEST(cgroup_of_version_1_is_read)
{
    char root[] = "/tmp/cgroup-XXXXXX";
    assert_non_null(mkdtemp(root));
    put(root, "self", "9:name=systemd:/\n4:cpu,memory:/docker/abc\n0::/\n");
    put(root, "memory/docker/abc/memory.limit_in_bytes", "9223372036854771712\n");
    put(root, "memory/docker/memory.limit_in_bytes", "500000000\n");
    assert_int_equal(limit_in(root), 500000000);
    take_away(root);
}

/* A container sees its own group as the root, but the path is that of the host. */
TEST(cgroup_limit_of_a_container_is_that_of_the_root)
{
    char root[] = "/tmp/cgroup-XXXXXX";
    assert_non_null(mkdtemp(root));
    put(root, "self", "0::/kubepods/pod1/container1\n");
    put(root, "memory.max", "300000000\n");
    assert_int_equal(limit_in(root), 300000000);
    take_away(root);
}
