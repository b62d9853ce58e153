/* facet/base.h - what every part of the library shares: status and error,
 * memory, options, reports, files, threads.
 *
 * Conventions of the whole library:
 *  - Functions that can fail return a facet_status and take a facet_error
 *    last, which may be NULL. On failure every output argument is untouched.
 *  - Options are structs; all zero means "the default", a NULL pointer too.
 *  - Any function may run on any thread, as long as no two threads use the same
 *    object. The library itself keeps no state; of those that it uses, glslang
 *    is started once and stays, and assimp does one thing at a time.
 *  - Strings are UTF-8 and NUL-terminated. Sizes are bytes, counts are items.
 *  - Structs of options begin with struct_size: sizeof the caller's struct, or 0
 *    for that of release 0.2. A size that the library does not know, which is that
 *    of a newer release, is FACET_ERROR_ARGUMENT (rule STRUCT-SIZE).
 *  - Every header says at its end of the introduction how far it can be relied
 *    on, and a declaration that differs from its header says so itself:
 *      Stability: stable - names, arguments, meaning and layout stay until the
 *        next major version, but structs that begin with struct_size may grow at
 *        their end;
 *      Stability: experimental - may change or go with the next minor version. Its
 *        functions are declared with FACET_EXPERIMENTAL_API.
 *    Within a minor version (0.2.0, 0.2.1 ...) nothing changes.
 *
 * Stability: stable, except facet_source_close, facet_file_open_descriptor,
 * facet_output_open_descriptor, facet_output_set_sync and facet_tree_find.
 */
#ifndef FACET_BASE_H
#define FACET_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Stands before every public function. Whoever builds the sources into a library of their
 * own defines it as nothing (-DFACET_API= -fvisibility=hidden), and exports none of them. */
#ifdef FACET_API
#elif defined(_WIN32) && defined(FACET_SHARED)
#ifdef FACET_BUILD
#define FACET_API __declspec(dllexport)
#else
#define FACET_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define FACET_API __attribute__((visibility("default")))
#else
#define FACET_API
#endif

/* Before experimental functions. Define FACET_EXPERIMENTAL before the first header of Facet, or by
 * -DFACET_EXPERIMENTAL, to use them: without it the compiler warns where you do. */
#define FACET_EXPERIMENTAL_TEXT \
    "experimental: it may change in the next minor version; define FACET_EXPERIMENTAL to use it"
#if defined(FACET_EXPERIMENTAL)
#define FACET_EXPERIMENTAL_API FACET_API
#elif defined(__GNUC__)
#define FACET_EXPERIMENTAL_API FACET_API __attribute__((deprecated(FACET_EXPERIMENTAL_TEXT)))
#elif defined(_MSC_VER)
#define FACET_EXPERIMENTAL_API FACET_API __declspec(deprecated(FACET_EXPERIMENTAL_TEXT))
#else
#define FACET_EXPERIMENTAL_API FACET_API
#endif

#if defined(__MINGW32__) && !defined(__clang__) /* printf is the compiler's, not Windows' */
#define FACET_PRINTF(format_index, first_argument) \
    __attribute__((format(gnu_printf, format_index, first_argument)))
#elif defined(__GNUC__)
#define FACET_PRINTF(format_index, first_argument) \
    __attribute__((format(printf, format_index, first_argument)))
#else
#define FACET_PRINTF(format_index, first_argument)
#endif

/* -- Version ------------------------------------------------------------ */

#define FACET_VERSION_MAJOR 0
#define FACET_VERSION_MINOR 2
#define FACET_VERSION_PATCH 0

/* Version of the linked library, "major.minor.patch"; in a release followed by "+" and a commit. */
FACET_API const char *facet_version(void);

/* -- Status and error --------------------------------------------------- */

/* The values are pinned and leave gaps; new ones may be added between. */
typedef enum facet_status {
    FACET_OK = 0,
    FACET_ERROR_ARGUMENT = 10,     /* the call is at fault, not the input */
    FACET_ERROR_UNSUPPORTED = 20,  /* well-formed, but not something we do */
    FACET_ERROR_MALFORMED = 30,    /* the input breaks a rule of its format */
    FACET_ERROR_LOSS = 40,         /* the target cannot hold it, and loss was forbidden */
    FACET_ERROR_LIMIT = 50,        /* a limit of the format */
    FACET_ERROR_MEMORY_LIMIT = 55, /* more than facet_options.memory_limit is needed */
    FACET_ERROR_MEMORY = 60,       /* the allocator or the system has none left */
    FACET_ERROR_IO = 70,           /* the system refused to read or write */
    FACET_ERROR_CANCELED = 80      /* the progress callback said stop */
} facet_status;

/* A status in a word or two, in lower case: "malformed input", "canceled". */
FACET_API const char *facet_status_name(facet_status status);

/* "There is no byte offset", in errors and findings. */
#define FACET_NO_OFFSET UINT64_MAX
/* No mesh, face or vertex of a finding. */
#define FACET_NO_INDEX UINT64_MAX

/* "No index": a corner without this attribute, a face without material. */
#define FACET_NONE UINT32_MAX

/* What went wrong, filled in by the function that failed. The caller owns it;
 * it holds no pointer and needs no release. */
typedef struct facet_error {
    facet_status status;
    uint64_t offset;   /* byte offset in the input, or FACET_NO_OFFSET */
    uint64_t line;     /* line of a text file, from 1; 0 when there is none */
    char rule[32];     /* id of the broken rule, for example "BSM-MAGIC", or "" */
    char message[400]; /* one sentence: what was found and what was expected */
    char file[256];    /* name of the source that offset and line are in; "" when there is none, or
                          it has no name. A longer name is cut at its end. */
} facet_error;

/* -- Memory ------------------------------------------------------------- */

/* A caller's allocator. `allocate` returns memory aligned to 16 bytes, or
 * NULL; `release` gets the size that was asked for. Both must be callable from
 * the thread that calls the library (worker threads never allocate). */
typedef struct facet_allocator {
    void *(*allocate)(void *user, size_t size);
    void (*release)(void *user, void *pointer, size_t size);
    void *user;
} facet_allocator;

/* Owns everything a document or a scene points to; one call frees it all. */
typedef struct facet_arena facet_arena;

/* -- Threads ------------------------------------------------------------ */

/* How the library may use several threads: `run` must call task(argument, i)
 * once for every i below count, in any order, on any threads, and return when
 * all are done. Results never depend on the number of threads. */
typedef struct facet_threads {
    void (*run)(void *user, void (*task)(void *argument, size_t index), void *argument,
                size_t count);
    void *user;
    unsigned count; /* threads that run at once; a hint for cutting the work */
} facet_threads;

/* A ready-made pool of `count` threads (0: one per processor that the process may use), the
 * calling thread among them. *threads stays valid until facet_threads_free. */
FACET_API facet_status facet_threads_create(unsigned count, const facet_threads **threads,
                                            facet_error *error);
FACET_API void facet_threads_free(const facet_threads *threads);

/* -- Reports ------------------------------------------------------------ */

typedef enum facet_severity {
    FACET_SEVERITY_NOTE = 0,    /* worth knowing */
    FACET_SEVERITY_WARNING = 1, /* usable, but a rule is broken or something was lost */
    FACET_SEVERITY_ERROR = 2    /* unusable */
} facet_severity;

FACET_API const char *facet_severity_name(facet_severity severity);

/* One thing that a check, a reader, a pass or a writer has to say. */
typedef struct facet_finding {
    const char *rule; /* "BSM-TRI-WINDING"; never NULL; lives as long as the report */
    facet_severity severity;
    uint64_t offset;     /* of the first occurrence, or FACET_NO_OFFSET */
    uint64_t line;       /* of the first occurrence, or 0 */
    uint64_t count;      /* occurrences this finding stands for, at least 1 */
    const char *message; /* one sentence; lives as long as the report */
    const char *file; /* the file that offset and line are in, when it is another than the source:
                         a material library; NULL: the source. Lives as long as the report */
    /* The element of the first occurrence: indices in the file, or FACET_NO_INDEX. A face (a
     * triangle or a polygon) and a vertex are those of the mesh; without a mesh, they are counted
     * through all meshes in the order of the file. */
    uint64_t mesh, face, vertex;
} facet_finding;

/* A list of findings in the order they were made. */
typedef struct facet_report facet_report;

/* allocator may be NULL. Free with facet_report_free (NULL is fine). */
FACET_API facet_status facet_report_create(const facet_allocator *allocator, facet_report **report,
                                           facet_error *error);
FACET_API void facet_report_free(facet_report *report);
/* Call `callback` for each finding when it is added, on the thread that called the library. The
 * finding is valid during the call. NULL: no longer. The callback must not use the report. */
typedef void (*facet_report_callback)(void *user, const facet_finding *finding);
FACET_API void facet_report_set_callback(facet_report *report, facet_report_callback callback,
                                         void *user);
FACET_API size_t facet_report_count(const facet_report *report);
/* The finding at `index` (below facet_report_count), valid until the next
 * finding is added. */
FACET_API const facet_finding *facet_report_get(const facet_report *report, size_t index);
/* How many findings have this severity. */
FACET_API size_t facet_report_severity_count(const facet_report *report, facet_severity severity);

/* -- Options ------------------------------------------------------------ */

/* Called during long work, on the thread that called the library, with the name of the
 * step ("index") and how much of it is done, 0 to 1; fractions of one step do not fall.
 * By amounts of work, so that a million triangles are silent for some 50 ms at most, but
 * for what libraries by others do in one call: meshoptimizer's simplification (650 ms for
 * a million triangles), libdeflate's packing of a section of BPX (6 s), assimp (0.4 s).
 * Return false to cancel. */
typedef bool (*facet_progress)(void *user, const char *step, double fraction);

/* What every long-running function takes. What belongs to one family alone is
 * a struct of that family's header, reached from here. */
typedef struct facet_options {
    uint32_t struct_size;    /* sizeof(facet_options) of the caller, or 0: that of release 0.2; a
                                larger one than the library's is FACET_ERROR_ARGUMENT */
    uint32_t format_version; /* version of the target format to write; 0: its default */
    const facet_allocator *allocator; /* NULL: malloc, huge pages for large blocks; of these
                                         32 MiB stay for the next call on Linux */
    const facet_threads *threads;     /* NULL: the calling thread alone */
    uint64_t memory_limit;            /* bytes one document or scene may own, and what is written to
                                         memory; more is FACET_ERROR_MEMORY_LIMIT; 0: none */
    facet_progress progress;          /* NULL: none */
    void *progress_user;
    facet_report *report;                    /* where warnings and notes go; NULL: dropped */
    const struct facet_bga_options *bga;     /* facet/bga.h; NULL: its defaults */
    const struct facet_bpx_options *bpx;     /* facet/bpx.h; NULL: its defaults */
    const struct facet_j3d_options *j3d;     /* facet/j3d.h; NULL: its defaults */
    const struct facet_bti_options *bti;     /* facet/gx_bti.h; NULL: its defaults */
    const struct facet_ply_options *ply;     /* facet/ply.h; NULL: its defaults */
    const struct facet_stl_options *stl;     /* facet/stl.h; NULL: its defaults */
    const struct facet_gltf_options *gltf;   /* facet/gltf.h; NULL: its defaults */
    const struct facet_image_options *image; /* facet/image.h; NULL: its defaults */
    uint32_t growth_limit; /* what is made of parts of an input more than once (instances of a
                              mesh, files that share bytes, keys that tracks share) may be so
                              many times its size; more is FACET_ERROR_LIMIT (GROWTH-LIMIT);
                              0: 16 */
} facet_options;

/* -- Sources ------------------------------------------------------------ */

/* What a reader reads: bytes, a name, and a way to open what stands beside it
 * (an OBJ's MTL, a glTF's buffers). A plain struct that points to the bytes and
 * does not own them: for plain bytes without siblings set data, size and name,
 * and leave the rest 0. An engine's archive fills in the two callbacks; files
 * and memory have constructors below, and the library uses nothing else. */
typedef struct facet_source facet_source;
struct facet_source {
    const uint8_t *data;
    size_t size;
    const char *name;    /* path, for messages and for guessing by extension; may be NULL */
    bool allow_external; /* siblings may lie outside the source's own directory */

    /* Open what `source` calls `name`: fill in *sibling, which is all zero, and
     * which the library closes. `name` has / between its parts, and does not
     * climb out of the source's directory unless allow_external is set. A
     * status when it is not there (FACET_ERROR_IO); *error has a sentence
     * already, and need not be touched. NULL: there are no siblings. */
    facet_status (*open_sibling)(const facet_source *source, const char *name,
                                 facet_source *sibling, facet_error *error);
    /* Release what open_sibling made; NULL: nothing to release. */
    void (*close)(facet_source *source);
    void *user;
};

/* Release a source that the library opened; others stay as they
 * are. */
FACET_EXPERIMENTAL_API void facet_source_close(facet_source *source);

/* Plain bytes as a source, without siblings. `name` may be NULL. Nothing is
 * copied: bytes and name outlive the source. */
FACET_API facet_source facet_source_from_memory(const void *data, size_t size, const char *name);

/* Files in memory that stand beside one another. Names have / between their
 * parts. */
typedef struct facet_memory_file {
    const char *name;
    const void *data;
    size_t size;
} facet_memory_file;
typedef struct facet_memory_folder {
    const facet_memory_file *files;
    size_t count;
} facet_memory_folder;

/* The file `index` of a folder as a source that finds its siblings in the same
 * folder, by name relative to its own; of two of one name the first. Nothing is
 * copied: folder, names and bytes outlive the source. Linear in the folder for
 * each sibling. */
FACET_API facet_source facet_source_from_folder(const facet_memory_folder *folder, size_t index);

/* -- Files in ----------------------------------------------------------- */

/* A whole file in memory: mapped read-only where the system can, read into
 * memory otherwise (pipes, sockets). No other process may change a file while
 * it is mapped: a truncated one ends the process at the next look (SIGBUS),
 * and in one that is rewritten a count that was checked is another one when it
 * is used. facet_load_path and facet_input_open read files up to 64 MiB
 * instead, if that is at most an eighth of the memory limit. */
typedef struct facet_file facet_file;

/* Open `path`. Close *file with facet_file_close. The allocator of `options` (NULL: the defaults)
 * gives the memory of what cannot be mapped, its memory limit bounds that memory: without a limit,
 * an endless pipe ends with the machine's memory. Errors: FACET_ERROR_IO,
 * FACET_ERROR_MEMORY_LIMIT, FACET_ERROR_MEMORY, FACET_ERROR_ARGUMENT (rule STRUCT-SIZE). */
FACET_API facet_status facet_file_open(const char *path, const facet_options *options,
                                       facet_file **file, facet_error *error);
/* The same from an open descriptor (0 is standard input), which stays open. */
FACET_EXPERIMENTAL_API facet_status facet_file_open_descriptor(int descriptor, const char *name,
                                                               const facet_options *options,
                                                               facet_file **file,
                                                               facet_error *error);
FACET_API const uint8_t *facet_file_data(const facet_file *file);
FACET_API size_t facet_file_size(const facet_file *file);
/* The file as a source, whose siblings are the files of its directory; valid
 * until the file is closed. */
FACET_API facet_source facet_file_source(const facet_file *file);
/* NULL is fine. */
FACET_API void facet_file_close(facet_file *file);

/* -- Outputs ------------------------------------------------------------ */

/* A place to write to: a file, a descriptor, memory, or callbacks. A file
 * appears whole or not at all: it is written beside its place under a temporary
 * name, synced and renamed by facet_output_commit; so are the siblings opened
 * on it. */
typedef struct facet_output facet_output;

/* `path` is replaced on commit. */
FACET_API facet_status facet_output_open(const char *path, facet_output **output,
                                         facet_error *error);
/* To an open descriptor (1 is standard output); it stays open. */
FACET_EXPERIMENTAL_API facet_status facet_output_open_descriptor(int descriptor,
                                                                 facet_output **output,
                                                                 facet_error *error);
/* To memory, allocated from allocator (NULL: the C library's). */
FACET_API facet_status facet_output_open_memory(const facet_allocator *allocator,
                                                facet_output **output, facet_error *error);

/* A caller's place to write to: an engine's file system, a network stream. A
 * status that is not FACET_OK ends the writing, and facet_output_commit returns
 * it; *error has a sentence already, and need not be touched. */
typedef struct facet_output_callbacks {
    /* Append bytes: in order, up to 256 KiB at a time and now and then more. */
    facet_status (*write)(void *user, const void *data, size_t size, facet_error *error);
    /* Open a second place with this name beside the first; NULL: there is none. Its `close`
     * is called when the output is freed. */
    facet_status (*open_sibling)(void *user, const char *name,
                                 struct facet_output_callbacks *sibling, facet_error *error);
    /* All bytes are written: make them visible. Siblings come first. NULL: nothing to do. */
    facet_status (*commit)(void *user, facet_error *error);
    /* Release; what was not committed is to leave no trace. NULL: nothing to do. */
    void (*close)(void *user);
    void *user;
} facet_output_callbacks;

/* To callbacks. `name` is the base name that facet_output_name answers; it and
 * the callbacks are copied. */
FACET_API facet_status facet_output_open_callbacks(const facet_output_callbacks *callbacks,
                                                   const char *name, facet_output **output,
                                                   facet_error *error);

/* Append. Failures are remembered and returned by facet_output_commit, so a
 * writer may write on and ask once. */
FACET_API void facet_output_write(facet_output *output, const void *data, size_t size);
/* Bytes written so far. */
FACET_API uint64_t facet_output_size(const facet_output *output);
/* Base name of the output without directory, "" in memory unless it was set:
 * what a file writes when it names its sibling. */
FACET_API const char *facet_output_name(const facet_output *output);
/* Give a memory output a name, before anything is written: `name` is copied.
 * Other outputs have theirs: FACET_ERROR_ARGUMENT. */
FACET_API facet_status facet_output_set_name(facet_output *output, const char *name,
                                             facet_error *error);
/* The next sibling of a committed or open output; NULL after the last. The
 * first is facet_output_next_sibling(output). */
FACET_API const facet_output *facet_output_next_sibling(const facet_output *output);
/* Bytes of a memory output; valid until it is written to, taken or freed. NULL for others. */
FACET_API const uint8_t *facet_output_data(const facet_output *output);
/* How many bytes a memory output and its siblings may hold together; more are
 * FACET_ERROR_MEMORY_LIMIT (rule MEMORY-LIMIT), as every failure told by facet_output_commit.
 * 0, as it is at first: any number. facet_save and facet_copy set it to
 * facet_options.memory_limit when that is not 0. Others ignore it. Not for siblings. */
FACET_API void facet_output_set_limit(facet_output *output, uint64_t bytes);

/* Bytes that were taken from an output. */
typedef struct facet_bytes {
    uint8_t *data;             /* NULL when there are none */
    size_t size;               /* bytes that were written */
    size_t capacity;           /* of the block, as the allocator gave it */
    facet_allocator allocator; /* what it came from, and goes back to */
} facet_bytes;

/* Take the bytes of a memory output, or of a sibling, without a copy: it is empty afterwards.
 * Free them with facet_bytes_free, or give `data` and `capacity` to allocator.release;
 * they outlive the output. FACET_ERROR_ARGUMENT for other outputs; the first failure of any
 * write, if there was one. */
FACET_API facet_status facet_output_take(facet_output *output, facet_bytes *bytes,
                                         facet_error *error);
/* Free, and set to zero. NULL and empty ones are fine. */
FACET_API void facet_bytes_free(facet_bytes *bytes);
/* Whether facet_output_commit waits until the bytes are on the disk before it makes
 * them visible, as outputs do unless told otherwise; its siblings do the same. Who
 * commits many files and syncs them together afterwards says false. */
FACET_EXPERIMENTAL_API void facet_output_set_sync(facet_output *output, bool sync);
/* Make the output visible. Fails with the first failure of any write. */
FACET_API facet_status facet_output_commit(facet_output *output, facet_error *error);
/* Free; what was not committed leaves no trace. NULL is fine. */
FACET_API void facet_output_free(facet_output *output);

/* -- Trees -------------------------------------------------------------- */

/* What `describe` returns: ordered objects and arrays, strings, numbers. */
typedef enum facet_tree_kind {
    FACET_TREE_OBJECT,
    FACET_TREE_ARRAY,
    FACET_TREE_STRING,
    FACET_TREE_INTEGER,
    FACET_TREE_REAL,
    FACET_TREE_BOOLEAN
} facet_tree_kind;

typedef struct facet_tree {
    facet_tree_kind kind;
    const char *key; /* name inside an object, NULL inside an array and at the root */
    const char *string;
    int64_t integer; /* booleans too: 0 or 1 */
    double real;
    struct facet_tree *first, *last; /* children of objects and arrays, in order */
    struct facet_tree *next;         /* next sibling */
} facet_tree;

/* The child of an object with this key, or NULL. Linear in the children. */
FACET_EXPERIMENTAL_API const facet_tree *facet_tree_find(const facet_tree *object, const char *key);

#ifdef __cplusplus
}
#endif
#endif
