/* cli/lost_input_posix.c - a mapped input that another process truncates. The system sends a signal
 * when the program reads a page beyond the new end. */
#include "base/atomic.h"
#include "cli/stop.h"

#include "base/output.h"
#include "base/text.h"
#include "cli/cli.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* Handlers must not allocate, lock or format. */

static atomic_flag is_told = ATOMIC_FLAG_INIT;
static int lost_status = EXIT_SYSTEM;

/* -- Find the file of an address --------------------------------------- */

/* Lines of /proc/self/maps, each "begin-end modes offset device inode path". */
typedef struct line_reader {
    int descriptor;
    size_t used, next;
    char bytes[2048];
} line_reader;

static bool next_line(line_reader *r, char *line, size_t space)
{
    for (size_t length = 0;;) {
        if (r->next == r->used) {
            ssize_t got = read(r->descriptor, r->bytes, sizeof r->bytes);
            if (got <= 0)
                return false;
            r->used = (size_t)got;
            r->next = 0;
        }
        char byte = r->bytes[r->next++];
        if (byte == '\n') {
            line[length] = '\0';
            return true;
        }
        if (length + 1 < space)
            line[length++] = byte;
    }
}

static const char *read_hexadecimal(const char *text, uintptr_t *value)
{
    *value = 0;
    for (;; text++) {
        bool is_digit = *text >= '0' && *text <= '9', is_letter = *text >= 'a' && *text <= 'f';
        if (!is_digit && !is_letter)
            return text;
        *value = *value << 4 | (uintptr_t)(is_digit ? *text - '0' : *text - 'a' + 10);
    }
}

/* The path of the file whose mapping has the address, or NULL. */
static const char *find_mapped_file(uintptr_t address)
{
    static line_reader reader;
    static char line[4096 + 128];
    reader.descriptor = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    const char *found = NULL;
    while (reader.descriptor >= 0 && !found && next_line(&reader, line, sizeof line)) {
        uintptr_t begin, end;
        const char *at = read_hexadecimal(line, &begin);
        at = read_hexadecimal(at + (*at == '-'), &end);
        if (address >= begin && address < end)
            found = strchr(at, '/');
    }
    if (reader.descriptor >= 0)
        close(reader.descriptor);
    return found;
}

/* -- The message --------------------------------------------------------- */

typedef struct message {
    char text[4096 + 512];
    size_t used;
} message;

static void append(message *m, const char *text, size_t length)
{
    length = length < sizeof m->text - m->used ? length : sizeof m->text - m->used;
    memcpy(m->text + m->used, text, length);
    m->used += length;
}

/* Append a name, with control characters escaped. */
static void append_name(message *m, const char *name)
{
    for (size_t left = strlen(name), taken; left > 0; name += taken, left -= taken) {
        taken = facet_utf8_sequence(name, left);
        bool is_plain = taken > 0 && !facet_steers_terminal(facet_utf8_code_point(name, taken));
        taken = taken > 0 ? taken : 1;
        append(m, is_plain ? name : "?", is_plain ? taken : 1);
    }
}

static void print_lost(const char *path)
{
    static message m;
    static const char begin[] = "facet: ",
                      end[] = ": error [FILE-CHANGED]: the file became shorter, or its disk "
                              "failed, while it was read\n";
    append(&m, begin, sizeof begin - 1);
    append_name(&m, path);
    append(&m, end, sizeof end - 1);
    if (write(STDERR_FILENO, m.text, m.used) < 0)
        return;
}

static void on_lost_page(int number, siginfo_t *info, void *context)
{
    (void)context;
    bool may_be_page = info->si_code == BUS_ADRERR;
    if (may_be_page && atomic_flag_test_and_set(&is_told)) {
        for (;;) /* another thread ends the process */
            pause();
    }
    const char *path = may_be_page ? find_mapped_file((uintptr_t)info->si_addr) : NULL;
    facet_outputs_abandon();
    if (!path) { /* an error of the program itself: do not hide it */
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    print_lost(path);
    _exit(lost_status);
}

void cli_stop_for_lost_inputs(int status)
{
    struct sigaction action = {0};
    lost_status = status;
    action.sa_sigaction = on_lost_page;
    action.sa_flags = SA_SIGINFO;
    sigfillset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}
