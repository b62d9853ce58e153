#include "support/support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* -- Real files --------------------------------------------------------- */

const char *test_corpus(const char *relative)
{
    static char path[4096];
    const char *corpus = getenv("FACET_CORPUS");
    if (!corpus || !*corpus)
        return NULL;
    snprintf(path, sizeof path, "%s/%s", corpus, relative);
    return path;
}

const char *test_path(const char *relative)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", FACET_TESTS_SOURCE, relative);
    return path;
}

static char temporary_directory[64];

static void remove_temporary_directory(void)
{
    DIR *directory = opendir(temporary_directory);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        if (entry->d_name[0] != '.' || entry->d_name[1] == 't')
            unlinkat(dirfd(directory), entry->d_name, 0);
    }
    if (directory)
        closedir(directory);
    rmdir(temporary_directory);
}

facet_source test_source_of(const facet_output *output, const char *name)
{
    return facet_source_from_memory(facet_output_data(output), (size_t)facet_output_size(output),
                                    name);
}

const char *test_temporary(const char *name)
{
    static char path[4096];
    if (!temporary_directory[0]) {
        strcpy(temporary_directory, "/tmp/facet-test-XXXXXX");
        if (!mkdtemp(temporary_directory))
            fail_msg("no temporary directory");
        atexit(remove_temporary_directory);
    }
    snprintf(path, sizeof path, "%s/%s", temporary_directory, name);
    return path;
}

const facet_finding *test_finding(const facet_report *report, const char *rule)
{
    return test_finding_saying(report, rule, "");
}

const facet_finding *test_finding_saying(const facet_report *report, const char *rule,
                                         const char *words)
{
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (strcmp(finding->rule, rule) == 0 && strstr(finding->message, words))
            return finding;
    }
    return NULL;
}

/* -- Failing allocations ------------------------------------------------ */

static void *count_allocate(void *user, size_t size)
{
    test_allocator *allocator = user;
    allocator->allocations++;
    if (allocator->fail_at && allocator->allocations >= allocator->fail_at)
        return NULL;
    void *block = malloc(size);
    allocator->live += block != NULL;
    return block;
}

static void count_release(void *user, void *pointer, size_t size)
{
    test_allocator *allocator = user;
    (void)size;
    allocator->live--;
    free(pointer);
}

void test_allocator_init(test_allocator *allocator, size_t fail_at)
{
    memset(allocator, 0, sizeof *allocator);
    allocator->allocator.allocate = count_allocate;
    allocator->allocator.release = count_release;
    allocator->allocator.user = allocator;
    allocator->fail_at = fail_at;
}

void test_every_allocation(facet_status (*attempt)(const facet_allocator *allocator, void *user),
                           void *user)
{
    for (size_t n = 1; n < 100000; n++) {
        test_allocator allocator;
        test_allocator_init(&allocator, n);
        facet_status status = attempt(&allocator.allocator, user);
        assert_int_equal(allocator.live, 0);
        if (allocator.allocations < n) {
            assert_int_equal(status, FACET_OK);
            return;
        }
        assert_int_equal(status, FACET_ERROR_MEMORY);
    }
    fail_msg("still failing after 100,000 allocations");
}

static void attempt_copy(const uint8_t *data, size_t size, size_t changed, int value,
                         void (*attempt)(const uint8_t *data, size_t size, void *user), void *user)
{
    uint8_t *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, data, size);
    if (value >= 0)
        copy[changed] = (uint8_t)value;
    attempt(copy, size, user);
    free(copy);
}

void test_every_mutation(const uint8_t *data, size_t size,
                         void (*attempt)(const uint8_t *data, size_t size, void *user), void *user)
{
    for (size_t prefix = 0; prefix < size; prefix++)
        attempt_copy(data, prefix, 0, -1, attempt, user);
    for (size_t i = 0; i < size; i++) {
        attempt_copy(data, size, i, 0, attempt, user);
        attempt_copy(data, size, i, 0xFF, attempt, user);
        for (int bit = 0; bit < 8; bit++)
            attempt_copy(data, size, i, data[i] ^ 1 << bit, attempt, user);
    }
}

bool test_is_built(const char *build_switch)
{
    for (size_t i = 0; i < facet_missing_feature_count(); i++) {
        if (strcmp(facet_missing_feature_get(i)->build_switch, build_switch) == 0)
            return false;
    }
    return true;
}
