/* tests/support/test.h - TEST(name) { ... } defines a test. It registers itself with the program
 * that it is linked to; support/runner.c has the main function. */
#ifndef FACET_TESTS_TEST_H
#define FACET_TESTS_TEST_H

typedef struct test_case {
    const char *file; /* file that was compiled, also if it includes the file with the test */
    int line;
    const char *name;
    void (*run)(void);
    struct test_case *next;
} test_case;

/* Add a test to those of the program. */
void test_register(test_case *test);

#define TEST(name)                                                                  \
    static void name##_run(void);                                                   \
    __attribute__((constructor)) static void name##_register(void)                  \
    {                                                                               \
        static test_case test = {__BASE_FILE__, __LINE__, #name, name##_run, NULL}; \
        test_register(&test);                                                       \
    }                                                                               \
    static void name##_run(void)

#endif
