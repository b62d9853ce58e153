/* tests/support/runner.c - the main function of every test program. It runs the registered tests in
 * the order of files and lines.
 *
 *   tests_FOLDER            all tests
 *   tests_FOLDER NAME...    tests of files with this name, and tests with this name
 *   tests_FOLDER --list     print the file and the name of each
 *
 * Exit status: 0 passed, 1 failed, 2 a NAME that no test has, 77 all were skipped. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>

static test_case *registered;
static size_t registered_count;
static size_t finished; /* number of tests that neither failed nor were skipped */

void test_register(test_case *test)
{
    test->next = registered;
    registered = test;
    registered_count++;
}

static int compare_cases(const void *a, const void *b)
{
    const test_case *x = *(const test_case *const *)a, *y = *(const test_case *const *)b;
    int order = strcmp(x->file, y->file);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* True if the name is that of the test, or of its file without the extension. */
static bool is_named(const test_case *test, const char *name)
{
    const char *file = base_name(test->file);
    size_t length = strcspn(file, ".");
    return strcmp(test->name, name) == 0 ||
           (strlen(name) == length && memcmp(file, name, length) == 0);
}

/* Move the named tests to the front. Returns their number; 0 if a name is unknown. */
static size_t select_cases(test_case **cases, size_t count, char **names, int name_count)
{
    size_t selected = 0;
    for (int n = 0; n < name_count; n++) {
        bool found = false;
        for (size_t i = 0; i < count; i++)
            found = found || is_named(cases[i], names[n]);
        if (!found) {
            fprintf(stderr, "no test is named %s\n", names[n]);
            return 0;
        }
    }
    for (size_t i = 0; i < count; i++) {
        bool found = name_count == 0;
        for (int n = 0; n < name_count; n++)
            found = found || is_named(cases[i], names[n]);
        if (found)
            cases[selected++] = cases[i];
    }
    return selected;
}

static void run_case(void **state)
{
    const test_case *test = *state;
    test->run();
    finished++;
}

/* Run the tests of one file. True if all passed or were skipped. */
static bool run_file(test_case *const *cases, size_t count)
{
    struct CMUnitTest *tests = calloc(count, sizeof *tests);
    if (!tests)
        return false;
    for (size_t i = 0; i < count; i++)
        tests[i] = (struct CMUnitTest){cases[i]->name, run_case, NULL, NULL, cases[i]};
    int failed = _cmocka_run_group_tests(base_name(cases[0]->file), tests, count, NULL, NULL);
    free(tests);
    return failed == 0;
}

int main(int argc, char **argv)
{
    test_case **cases = calloc(registered_count + 1, sizeof *cases);
    if (!cases)
        return 1;
    size_t count = 0;
    for (test_case *test = registered; test; test = test->next)
        cases[count++] = test;
    qsort(cases, count, sizeof *cases, compare_cases);
    bool list = argc == 2 && strcmp(argv[1], "--list") == 0, passed = true;
    if (!list)
        count = select_cases(cases, count, argv + 1, argc - 1);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && strcmp(cases[end]->file, cases[i]->file) == 0; end++) {
            if (list)
                printf("%s %s\n", base_name(cases[end]->file), cases[end]->name);
        }
        if (!list)
            passed &= run_file(cases + i, end - i);
    }
    free(cases);
    if (count == 0)
        return 2;
    if (!passed)
        return 1;
    return list || finished > 0 ? 0 : 77;
}
