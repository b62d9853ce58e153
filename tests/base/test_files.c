/* Files: mapping, pipes, siblings, and outputs that appear completely or not at all. */
#include "base/error.h"
#include "base/file.h"
#include "base/listing.h"
#include "base/output.h"
#include "support/support.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static void assert_contents(const char *path, const char *text)
{
    facet_file *file = NULL;
    facet_error error;
    TEST_OK(facet_file_open(path, NULL, &file, &error), &error);
    assert_int_equal(facet_file_source(file).size, strlen(text));
    assert_memory_equal(facet_file_source(file).data, text, strlen(text));
    facet_file_close(file);
}

/* Number of files in the folder of `path`, without hidden ones. */
static int count_files(const char *path)
{
    char directory[4096];
    snprintf(directory, sizeof directory, "%s", path);
    *strrchr(directory, '/') = '\0';
    DIR *open = opendir(directory);
    assert_non_null(open);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(open));)
        count += entry->d_name[0] != '.';
    closedir(open);
    return count;
}

/* -- Input -------------------------------------------------------------- */

TEST(open_reports_the_reason)
{
    facet_file *file = NULL;
    facet_error error;
    assert_int_equal(facet_file_open(test_temporary("none"), NULL, &file, &error), FACET_ERROR_IO);
    assert_non_null(strstr(error.message, "No such file"));
    assert_int_equal(facet_file_open("/", NULL, &file, &error), FACET_ERROR_IO);
    assert_null(file);
}

/* A full disk is an error of the system. An unreadable file is not, unless too many files are
 * open. */
TEST(system_errors_are_not_errors_of_the_file)
{
    static const struct {
        int code;
        const char *verb;
        bool system;
    } cases[] = {{ENOSPC, "write", true},   {EIO, "write", true},    {EMFILE, "open", true},
                 {ENFILE, "open", true},    {EIO, "read", false},    {ENOENT, "open", false},
                 {EACCES, "create", false}, {EISDIR, "write", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_error error = {0};
        facet_fail_system(&error, cases[i].code, cases[i].verb, "a.obj");
        assert_int_equal(strcmp(error.rule, "SYSTEM-FAULT") == 0, cases[i].system);
    }
}

TEST(pipes_are_read)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "through a pipe", 14), 14);
    close(ends[1]);
    facet_file *file = NULL;
    facet_error error;
    TEST_OK(facet_file_open_descriptor(ends[0], "-", NULL, &file, &error), &error);
    assert_int_equal(facet_file_source(file).size, 14);
    assert_memory_equal(facet_file_source(file).data, "through a pipe", 14);
    facet_file_close(file);
    close(ends[0]);
}

TEST(siblings_stay_inside)
{
    char path[4096];
    snprintf(path, sizeof path, "%s", test_temporary("main.obj"));
    write_file(path, "main");
    write_file(test_temporary("beside.mtl"), "beside");
    facet_file *file = NULL;
    facet_source sibling = {0};
    facet_error error;
    TEST_OK(facet_file_open(path, NULL, &file, &error), &error);
    facet_source source = facet_file_source(file);

    TEST_OK(facet_source_open_sibling(&source, "beside.mtl", &sibling, &error), &error);
    assert_memory_equal(sibling.data, "beside", 6);
    facet_source_close(&sibling);
    TEST_OK(facet_source_open_sibling(&source, ".\\beside.mtl", &sibling, &error), &error);
    facet_source_close(&sibling);

    const char *const outside[] = {"../x", "/etc/hostname", "a/../../x", "..\\x", "C:\\x"};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        assert_int_equal(facet_source_open_sibling(&source, outside[i], &sibling, &error),
                         FACET_ERROR_IO);
        assert_string_equal(error.rule, "FILE-EXTERNAL");
    }
    source.allow_external = true;
    TEST_OK(facet_source_open_sibling(&source, test_temporary("beside.mtl"), &sibling, &error),
            &error);
    facet_source_close(&sibling);
    facet_file_close(file);

    facet_source memory = facet_source_from_memory("x", 1, "x.obj");
    assert_int_equal(facet_source_open_sibling(&memory, "beside.mtl", &sibling, &error),
                     FACET_ERROR_IO);
}

/* If no file has the exact name, one with another case of letters is found, also in folders, and
 * never outside of the folder. */
TEST(siblings_are_found_in_any_case)
{
    char path[4096];
    facet_file *file = NULL;
    facet_source sibling = {0};
    facet_error error;
    snprintf(path, sizeof path, "%s", test_temporary("case.obj"));
    write_file(path, "main");
    mkdir(test_temporary("Maps"), 0700);
    write_file(test_temporary("Maps/Red.png"), "mixed");
    write_file(test_temporary("Maps/red.png"), "lower");
    write_file(test_temporary("Maps/Blue.PNG"), "blue");
    TEST_OK(facet_file_open(path, NULL, &file, &error), &error);
    facet_source source = facet_file_source(file);
    static const struct {
        const char *name, *expected;
    } cases[] = {{"Maps/Red.png", "mixed"},
                 {"maps\\RED.PNG", "mixed"}, /* the first: R is before r */
                 {"Maps/red.png", "lower"},
                 {"MAPS/blue.png", "blue"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TEST_OK(facet_source_open_sibling(&source, cases[i].name, &sibling, &error), &error);
        assert_int_equal(sibling.size, strlen(cases[i].expected));
        assert_memory_equal(sibling.data, cases[i].expected, sibling.size);
        facet_source_close(&sibling);
    }
    assert_int_equal(facet_source_open_sibling(&source, "maps/green.png", &sibling, &error),
                     FACET_ERROR_IO);
    assert_non_null(strstr(error.message, "No such file"));
    assert_int_equal(facet_source_open_sibling(&source, "../MAPS/red.png", &sibling, &error),
                     FACET_ERROR_IO);
    facet_file_close(file);

    const facet_memory_file files[] = {
        {"a.obj", "", 0}, {"Maps/Red.png", "mixed", 5}, {"maps/red.png", "lower", 5}};
    const facet_memory_folder folder = {files, 3};
    source = facet_source_from_folder(&folder, 0);
    TEST_OK(facet_source_open_sibling(&source, "maps/red.png", &sibling, &error), &error);
    assert_memory_equal(sibling.data, "lower", 5);
    TEST_OK(facet_source_open_sibling(&source, "MAPS/RED.png", &sibling, &error), &error);
    assert_memory_equal(sibling.data, "mixed", 5);
}

/* Each of many files may name a missing one, and each lists the folder. So a folder of more than
 * 4096 names is not searched, in whatever order the system lists them. */
TEST(large_folders_are_not_searched)
{
    enum { MOST = 4096 };
    char name[32], found[FACET_NAME_SPACE];
    mkdir(test_temporary("large"), 0700);
    for (int i = 0; i < MOST; i++) {
        snprintf(name, sizeof name, "large/%d.OBJ", i);
        write_file(test_temporary(name), "main");
    }
    assert_true(facet_listing_find(test_temporary("large"), "4095.obj", 8, found));
    assert_string_equal(found, "4095.OBJ");
    write_file(test_temporary("large/one-more"), "");
    for (int i = 0; i < MOST; i += 256) {
        int length = snprintf(name, sizeof name, "%d.obj", i);
        assert_false(facet_listing_find(test_temporary("large"), name, (size_t)length, found));
    }
}

static void *no_memory(void *user, size_t size)
{
    (void)user, (void)size;
    return NULL;
}

static void no_release(void *user, void *block, size_t size)
{
    (void)user, (void)block, (void)size;
}

/* A file that names many missing ones reads each folder once. */
TEST(folders_are_read_once_for_each_file)
{
    static const facet_allocator none = {.allocate = no_memory, .release = no_release};
    static const facet_allocator *const allocators[] = {NULL, &none};
    for (int i = 0; i < 2; i++) {
        facet_listings cache = {.stored = 0};
        char found[FACET_NAME_SPACE] = "", folder[4096];
        snprintf(folder, sizeof folder, "%s", test_temporary(i ? "once1" : "once0"));
        mkdir(folder, 0700);
        write_file(test_temporary(i ? "once1/b.Obj" : "once0/b.Obj"), "");
        write_file(test_temporary(i ? "once1/B.obj" : "once0/B.obj"), "");
        write_file(test_temporary(i ? "once1/c.obj" : "once0/c.obj"), "");
        assert_true(facet_listings_find(&cache, allocators[i], folder, "b.obj+", 5, found));
        assert_string_equal(found, "B.obj"); /* the first in the order of bytes */
        assert_false(facet_listings_find(&cache, allocators[i], folder, "a.obj", 5, found));
        assert_false(facet_listings_find(&cache, allocators[i], folder, "d.obj", 5, found));
        unlink(test_temporary(i ? "once1/c.obj" : "once0/c.obj"));
        /* Without memory, the folder is searched directly. */
        assert_int_equal(facet_listings_find(&cache, allocators[i], folder, "C.obj", 5, found),
                         i == 0);
        assert_false(
            facet_listings_find(&cache, allocators[i], test_temporary("large"), "1.obj", 5, found));
        assert_false(
            facet_listings_find(&cache, allocators[i], test_temporary("missing"), "1", 1, found));
        facet_listings_clear(&cache);
        assert_int_equal(facet_listings_find(&cache, allocators[i], folder, "C.obj", 5, found), 0);
        facet_listings_clear(&cache);
    }
}

/* -- Output ------------------------------------------------------------- */

static int count_names(const char *folder)
{
    int count = -2; /* . and .. */
    DIR *open = opendir(folder);
    assert_non_null(open);
    while (readdir(open))
        count++;
    closedir(open);
    return count;
}

/* Write 500 siblings, then append to each again, with 64 descriptors. */
TEST(many_siblings_need_few_descriptors)
{
    enum { COUNT = 500 };
    static facet_output *siblings[COUNT];
    char folder[4096], path[4200], name[32];
    struct rlimit before, few;
    snprintf(folder, sizeof folder, "%s", test_temporary("many"));
    snprintf(path, sizeof path, "%s/a.bin", folder);
    mkdir(folder, 0700);
    getrlimit(RLIMIT_NOFILE, &before);
    few = before;
    few.rlim_cur = 64;
    for (int committed = 0; committed < 2; committed++) {
        facet_output *output = NULL, *again = NULL;
        facet_error error;
        setrlimit(RLIMIT_NOFILE, &few);
        TEST_OK(facet_output_open(path, &output, &error), &error);
        for (int i = 0; i < COUNT; i++) {
            snprintf(name, sizeof name, "_%d.png", i);
            TEST_OK(facet_output_open_sibling(output, name, &siblings[i], &error), &error);
            facet_output_write(siblings[i], name, strlen(name));
        }
        for (int i = 0; i < COUNT; i++)
            facet_output_write(siblings[i], "+", 1);
        for (int i = 0; i < COUNT; i += 99) {
            snprintf(name, sizeof name, "_%d.PNG", i);
            facet_status status = facet_output_open_sibling(output, name, &again, &error);
            assert_int_equal(status, FACET_ERROR_ARGUMENT);
        }
        facet_output_set_sync(output, false);
        if (committed)
            TEST_OK(facet_output_commit(output, &error), &error);
        facet_output_free(output);
        setrlimit(RLIMIT_NOFILE, &before);
        assert_int_equal(count_names(folder), committed ? COUNT + 1 : 0);
    }
    for (int i = 0; i < COUNT; i++) {
        char expected[32], found[32] = "";
        snprintf(path, sizeof path, "%s/a_%d.png", folder, i);
        snprintf(expected, sizeof expected, "_%d.png+", i);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        assert_int_equal(fread(found, 1, sizeof found - 1, file), strlen(expected));
        assert_string_equal(found, expected);
        fclose(file);
    }
}

TEST(output_appears_on_commit_only)
{
    char path[4096];
    snprintf(path, sizeof path, "%s", test_temporary("out.bin"));
    write_file(path, "old");
    assert_int_equal(chmod(path, 0640), 0);
    int before = count_files(path);
    facet_output *output = NULL;
    facet_error error;

    TEST_OK(facet_output_open(path, &output, &error), &error);
    facet_output_write(output, "new contents", 12);
    assert_contents(path, "old");
    facet_output_free(output); /* freed without commit: no trace */
    assert_contents(path, "old");
    assert_int_equal(count_files(path), before);

    TEST_OK(facet_output_open(path, &output, &error), &error);
    facet_output_write(output, "new ", 4);
    facet_output_write(output, "contents", 8);
    assert_int_equal(facet_output_size(output), 12);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_output_free(output);
    assert_contents(path, "new contents");
    assert_int_equal(count_files(path), before);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
}

TEST(large_writes_keep_their_order)
{
    char path[4096];
    snprintf(path, sizeof path, "%s", test_temporary("large.bin"));
    facet_output *output = NULL;
    facet_error error;
    TEST_OK(facet_output_open(path, &output, &error), &error);
    /* Lengths around the size of the buffer, to use every branch. */
    static char block[1600000];
    size_t total = 0;
    for (size_t length = 1; length < sizeof block; length = length * 3 + 1) {
        for (size_t i = 0; i < length; i++)
            block[i] = (char)((total + i) * 31 >> 3);
        facet_output_write(output, block, length);
        total += length;
    }
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_output_free(output);
    facet_file *file = NULL;
    TEST_OK(facet_file_open(path, NULL, &file, &error), &error);
    assert_int_equal(facet_file_source(file).size, total);
    for (size_t i = 0; i < total; i++)
        assert_int_equal(facet_file_source(file).data[i], (uint8_t)(char)(i * 31 >> 3));
    facet_file_close(file);
}

/* Bytes of a mapping that are in memory for this process; SIZE_MAX if the system does not report
 * it. */
static size_t count_resident(const uint8_t *data, size_t size)
{
    char line[256];
    unsigned long first, last, resident = 0;
    FILE *maps = fopen("/proc/self/smaps", "rb");
    bool inside = false;
    while (maps && fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%lx-%lx ", &first, &last) == 2 && strchr(line, '-') < line + 17)
            inside = first == (uintptr_t)data && last >= first + size;
        if (inside && sscanf(line, "Rss: %lu kB", &resident) == 1)
            break;
    }
    if (maps)
        fclose(maps);
    return inside ? resident * 1024 : SIZE_MAX;
}

/* Forgotten pages of a mapped file leave the memory, and have the same content when read again.
 * This also holds if the caller opens the siblings, as the program does to record them. Other
 * sources keep their bytes. */
TEST(forgotten_bytes_come_back)
{
    enum { SIZE = 1 << 20 };
    char path[4096];
    static char text[SIZE + 1];
    for (size_t i = 0; i < SIZE; i++)
        text[i] = (char)('a' + i % 23);
    snprintf(path, sizeof path, "%s", test_temporary("forgotten.bin"));
    write_file(path, text);
    facet_file *file = NULL;
    facet_error error;
    TEST_OK(facet_file_open(path, NULL, &file, &error), &error);
    facet_source source = facet_file_source(file);
    assert_memory_equal(source.data, text, SIZE);
    size_t before = count_resident(source.data, SIZE);
    source.open_sibling = NULL;
    source.user = NULL;
    facet_source_forget(&source, source.data, source.data + SIZE);
    if (before != SIZE_MAX) { /* if the system reports it */
        assert_int_equal(before, SIZE);
        assert_int_equal(count_resident(source.data, SIZE), 0);
    }
    assert_memory_equal(source.data, text, SIZE);
    facet_source_forget(&source, source.data + 1, source.data + 1);
    facet_file_close(file);
    source = facet_source_from_memory(text, SIZE, "text");
    facet_source_forget(&source, source.data, source.data + SIZE);
    assert_int_equal(source.data[SIZE - 1], 'a' + (SIZE - 1) % 23);
}

/* Bytes that nobody reads again are also released if the file was read into memory. */
TEST(discarded_bytes_free_their_memory)
{
    enum { SIZE = 1 << 20 };
    char path[4096];
    static char text[SIZE + 1];
    memset(text, 'a', SIZE);
    snprintf(path, sizeof path, "%s", test_temporary("discarded.bin"));
    write_file(path, text);
    facet_file *file = NULL;
    facet_error error;
    TEST_OK(facet_file_open_steady(path, NULL, &file, &error), &error);
    facet_source source = facet_file_source(file);
    facet_source_forget(&source, source.data, source.data + SIZE);
    assert_memory_equal(source.data, text, SIZE); /* it cannot be read again from the file */
    facet_source_discard(&source, source.data, source.data + SIZE);
#ifdef __linux__ /* a released page is filled with zeros when it is read */
    assert_int_equal(source.data[SIZE / 2], 0);
#endif
    facet_file_close(file);
}

/* A file that appears at the path meanwhile is replaced, like one that was there before. */
TEST(output_replaces_a_file_that_appeared)
{
    char path[4096];
    snprintf(path, sizeof path, "%s", test_temporary("appeared.bin"));
    facet_output *output = NULL;
    facet_error error;
    TEST_OK(facet_output_open(path, &output, &error), &error);
    facet_output_write(output, "new", 3);
    write_file(path, "another program's");
    int before = count_files(path);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_output_free(output);
    assert_contents(path, "new");
    assert_int_equal(count_files(path), before);
    assert_int_equal(remove(path), 0);
}

/* Outputs that are committed together appear all or not at all, and leave no other files. Some
 * replace a file, which comes back if the commit fails. */
TEST(many_outputs_commit_together)
{
    enum { COUNT = 40 };
    facet_output *outputs[COUNT] = {NULL};
    char paths[COUNT][4096], blocked[4096], text[16];
    facet_error error;
    for (int fails = 1; fails >= 0; fails--) {
        int before = 0;
        for (int i = 0; i < COUNT; i++) {
            snprintf(text, sizeof text, "many-%d", i);
            snprintf(paths[i], sizeof *paths, "%s", test_temporary(text));
            remove(paths[i]);
            if (i % 10 == 0)
                write_file(paths[i], "old");
            TEST_OK(facet_output_open(paths[i], &outputs[i], &error), &error);
            facet_output_write(outputs[i], text, strlen(text));
        }
        snprintf(blocked, sizeof blocked, "%s", paths[COUNT - 1]);
        if (fails) /* a folder cannot be replaced by a file */
            assert_int_equal(mkdir(blocked, 0777), 0);
        before = count_files(paths[0]);
        facet_status status = facet_outputs_commit(outputs, COUNT, &error);
        assert_int_equal(status, fails ? FACET_ERROR_IO : FACET_OK);
        for (int i = 0; i < COUNT; i++) {
            facet_output_free(outputs[i]);
            snprintf(text, sizeof text, "many-%d", i);
            if (!fails || i % 10 == 0)
                assert_contents(paths[i], fails ? "old" : text);
            else
                assert_true(i == COUNT - 1 || access(paths[i], F_OK) != 0);
        }
        assert_int_equal(count_files(paths[0]), before + (fails ? 0 : COUNT - COUNT / 10));
        if (fails)
            assert_int_equal(rmdir(blocked), 0);
    }
    for (int i = 0; i < COUNT; i++)
        remove(paths[i]);
}

TEST(siblings_commit_together)
{
    char path[4096];
    snprintf(path, sizeof path, "%s", test_temporary("pair.obj"));
    facet_output *output = NULL, *sibling = NULL;
    facet_error error;
    TEST_OK(facet_output_open(path, &output, &error), &error);
    TEST_OK(facet_output_open_sibling(output, ".mtl", &sibling, &error), &error);
    assert_string_equal(facet_output_name(sibling), "pair.mtl");
    facet_output_write(output, "one", 3);
    facet_output_write(sibling, "two", 3);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_output_free(output);
    assert_contents(path, "one");
    assert_contents(test_temporary("pair.mtl"), "two");
}

TEST(output_reports_a_path_that_cannot_be_written)
{
    facet_output *output = NULL;
    facet_error error;
    assert_int_equal(facet_output_open(test_temporary("no/such/folder"), &output, &error),
                     FACET_ERROR_IO);
    assert_null(output);
    /* A device is written in place. Every write to /dev/full fails. */
    TEST_OK(facet_output_open("/dev/full", &output, &error), &error);
    facet_output_write(output, "x", 1);
    assert_int_equal(facet_output_commit(output, &error), FACET_ERROR_IO);
    facet_output_free(output);
}

/* 1 MB does not fit into the memory of this allocator, neither in an output nor in its sibling. */
TEST(failed_write_marks_the_output)
{
    for (int i = 0; i < 2; i++) {
        facet_output *output = NULL, *sibling = NULL;
        facet_error error;
        test_allocator allocator;
        test_allocator_init(&allocator, SIZE_MAX);
        TEST_OK(facet_output_open_memory(&allocator.allocator, &output, &error), &error);
        TEST_OK(facet_output_open_sibling(output, ".mtl", &sibling, &error), &error);
        assert_false(facet_output_failed(output));
        allocator.fail_at = allocator.allocations + 1;
        uint8_t *zeros = calloc(1000000, 1);
        facet_output_write(i ? sibling : output, zeros, 1000000);
        free(zeros);
        assert_true(facet_output_failed(output));
        facet_output_free(output);
    }
}

static facet_status write_memory(const facet_allocator *allocator, void *user)
{
    (void)user;
    facet_output *output, *sibling;
    facet_error error;
    facet_status status = facet_output_open_memory(allocator, &output, &error);
    if (status)
        return status;
    status = facet_output_open_sibling(output, ".mtl", &sibling, &error);
    for (int i = 0; i < 10000; i++)
        facet_output_write(output, "ten bytes.", 10);
    if (!status)
        status = facet_output_commit(output, &error);
    if (!status)
        assert_memory_equal(facet_output_data(output) + 99990, "ten bytes.", 10);
    facet_output_free(output);
    return status;
}

TEST(memory_output_reports_failed_allocations)
{
    test_every_allocation(write_memory, NULL);
}
