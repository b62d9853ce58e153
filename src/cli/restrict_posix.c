/* cli/restrict_posix.c - restriction of a process by Landlock (files, TCP) and seccomp (system
 * calls). Does nothing on systems without them: not Linux, older kernels, some containers. */
#define _GNU_SOURCE /* O_PATH, syscall */
#include "cli/restrict.h"

#if defined(__linux__)
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <errno.h>

/* LeakSanitizer uses ptrace on the process. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#endif

/* -- Landlock ------------------------------------------------------------ */

/* From the kernel's documentation of its interface (userspace-api/landlock): headers of an older
 * system lack a part of it. The numbers are the same on every machine. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { ASK_VERSION = 1, BENEATH_PATH = 1 };

#define RIGHT(bit) ((uint64_t)1 << (bit))
#define EXECUTE RIGHT(0)
#define WRITE_FILE RIGHT(1)
#define READ_FILE RIGHT(2)
#define READ_FOLDER RIGHT(3)
#define REMOVE (RIGHT(4) | RIGHT(5))
#define MAKE_FOLDER RIGHT(7)
#define MAKE_FILE RIGHT(8)
#define MAKE_OTHER (RIGHT(6) | RIGHT(9) | RIGHT(10) | RIGHT(11) | RIGHT(12))
#define MOVE RIGHT(13)            /* version 2 */
#define TRUNCATE RIGHT(14)        /* version 3 */
#define TCP (RIGHT(0) | RIGHT(1)) /* version 4: bind, connect */

#define OF_FILES (EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE)
#define TO_READ (READ_FILE | READ_FOLDER)
#define TO_WRITE (WRITE_FILE | REMOVE | MAKE_FOLDER | MAKE_FILE | MOVE | TRUNCATE)

typedef struct ruleset {
    uint64_t files, network;
} ruleset;

typedef struct __attribute__((packed)) rule {
    uint64_t allowed;
    int32_t parent;
} rule;

static uint64_t known_rights(long version)
{
    uint64_t rights = EXECUTE | TO_READ | TO_WRITE | MAKE_OTHER;
    if (version < 3)
        rights &= ~TRUNCATE;
    if (version < 2)
        rights &= ~MOVE;
    return rights;
}

static void allow(int set, const char *path, uint64_t rights)
{
    struct stat info;
    rule given = {rights, open(path, O_PATH | O_CLOEXEC)};
    if (given.parent < 0)
        return;
    if (fstat(given.parent, &info) == 0 && !S_ISDIR(info.st_mode))
        given.allowed &= OF_FILES;
    if (given.allowed)
        syscall(ADD_RULE, set, BENEATH_PATH, &given, 0);
    close(given.parent);
}

static void allow_all_of(int set, const cli_allowed *allowed, uint64_t rights)
{
    if (allowed->all)
        allow(set, "/", rights);
    for (size_t i = 0; i < allowed->count; i++)
        allow(set, allowed->paths[i], rights);
}

static void restrict_files(const cli_allowed *read, const cli_allowed *write)
{
    long version = syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
    if (version < 1)
        return;
    uint64_t known = known_rights(version);
    const ruleset handled = {known, version >= 4 ? TCP : 0};
    int set = (int)syscall(CREATE_RULESET, &handled,
                           version >= 4 ? sizeof handled : sizeof handled.files, 0);
    if (set < 0)
        return;
    allow_all_of(set, read, TO_READ & known);
    allow_all_of(set, write, (TO_READ | TO_WRITE) & known);
    syscall(RESTRICT_SELF, set, 0);
    close(set);
}

/* -- seccomp ------------------------------------------------------------- */

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64 && defined(AUDIT_ARCH_RISCV64)
#define MACHINE AUDIT_ARCH_RISCV64
#endif

#ifdef MACHINE
/* Neither Facet nor its libraries need these calls. Calls that older headers do not define have the
 * same numbers on every machine. */
static const unsigned refused[] = {
    SYS_execve,
    SYS_execveat,
    SYS_socket,
    SYS_connect,
    SYS_bind,
    SYS_sendto,
    SYS_sendmsg,
#ifndef SANITIZED
    SYS_ptrace,
#endif
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    SYS_init_module,
    SYS_delete_module,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_perf_event_open,
    SYS_bpf,
    SYS_open_by_handle_at,
    SYS_reboot,
    424, /* pidfd_send_signal */
    425, /* io_uring_setup */
    428, /* open_tree */
    429, /* move_mount */
    430, /* fsopen */
    434, /* pidfd_open */
    438, /* pidfd_getfd */
};
#define REFUSED (sizeof refused / sizeof *refused)

static void restrict_calls(void)
{
    struct sock_filter code[REFUSED + 6];
    unsigned short used = 0;
    const struct sock_filter refuse =
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (EPERM & SECCOMP_RET_DATA));
    /* Reject calls of another architecture, whose numbers differ. */
    code[used++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    code[used++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 0,
                                                (unsigned char)(REFUSED + 3));
    code[used++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    /* Reject the calls of x32, which have the architecture of x86-64 and these numbers. */
    code[used++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000,
                                                (unsigned char)(REFUSED + 1), 0);
    for (size_t i = 0; i < REFUSED; i++)
        code[used++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, refused[i],
                                                    (unsigned char)(REFUSED - i), 0);
    code[used++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    code[used++] = refuse;
    const struct sock_fprog program = {used, code};
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#else
static void restrict_calls(void)
{
}
#endif

void cli_restrict(const cli_allowed *read, const cli_allowed *write)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return;
    restrict_files(read, write);
    restrict_calls();
}

#else

void cli_restrict(const cli_allowed *read, const cli_allowed *write)
{
    (void)read;
    (void)write;
}
#endif
