/* batch/lines.h - the lines of a long text, parsed by several threads and taken in order. */
#ifndef FACET_BATCH_LINES_H
#define FACET_BATCH_LINES_H

#include <facet/base.h>

typedef struct cli_line_steps {
    size_t size; /* size of a record, the result of `parse` */
    /* Parse one line; called by any thread. It may be empty. */
    void (*parse)(void *record, const char *line, size_t length);
    /* Take one record and free what it owns; called by one thread, in the order of the lines. After
     * it returned false, it is called for at most some hundred more lines, to free them. */
    bool (*take)(void *user, void *record, const char *line, size_t length);
    void *user;
    bool once; /* nobody reads the lines again */
} cli_line_steps;

/* Run the steps for each line of a source from a byte on, and release the pages of lines that were
 * taken. `threads`: their number, 0 for one per processor. False if `take` returned false, or, with
 * *lacks set, if out of memory. */
bool cli_each_line(const facet_source *source, size_t first, unsigned threads,
                   const cli_line_steps *steps, bool *lacks);

#endif
