/* facet/base.h - the parts that all of the library shares: status and error, memory, options,
 * reports, files, threads.
 *
 * Conventions of the whole library:
 *  - Functions that can fail return a facet_status. Their last argument is a facet_error, which may
 *    be NULL. On failure they do not change any other output argument.
 *  - Options are structs. A member that is zero has its default; a NULL pointer to a struct means
 *    all defaults.
 *  - Any function may run on any thread if no two threads use the same object at once. The library
 *    itself keeps no state. Two libraries that it uses do: glslang is started once and stays
 *    initialized; assimp runs one call at a time.
 *  - Strings are UTF-8 and NUL-terminated. Sizes are in bytes, counts in items.
 *  - Structs of options begin with struct_size: sizeof the caller's struct, or 0 for the struct of
 *    release 0.2. A size that the library does not know belongs to a newer release and is
 *    FACET_ERROR_ARGUMENT (rule STRUCT-SIZE).
 *  - Each header states its stability at the end of its introduction. A declaration with another
 *    stability states it in its own comment.
 *
 * "Stability: stable" means that names, arguments, meaning and layout do not change until the next
 * major version. Structs that begin with struct_size may grow at their end. "Stability:
 * experimental" means that it may change or be removed in the next minor version. Experimental
 * functions are declared with FACET_EXPERIMENTAL_API. Within a minor version (0.2.0, 0.2.1 ...)
 * nothing changes.
 *
 * Stability: stable, except facet_source_close, facet_file_open_descriptor,
 * facet_output_open_descriptor, facet_output_set_limit, facet_output_set_sync and facet_tree_find.
 */
#ifndef FACET_BASE_H
#define FACET_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Marks every public function. If you build the sources into your own library, define it as nothing
 * (-DFACET_API= -fvisibility=hidden): your library then exports none of them. */
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

/* Marks experimental functions. To use them, define FACET_EXPERIMENTAL before the first header of
 * Facet or with -DFACET_EXPERIMENTAL. Without it, the compiler warns at each use. */
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

#if defined(__MINGW32__) && !defined(__clang__) /* the compiler's printf, not that of Windows */
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

/* The values are fixed. They have gaps so that new ones can be added between them. */
typedef enum facet_status {
    FACET_OK = 0,
    FACET_ERROR_ARGUMENT = 10,     /* the call is wrong, not the input */
    FACET_ERROR_UNSUPPORTED = 20,  /* well-formed, but not supported */
    FACET_ERROR_MALFORMED = 30,    /* the input breaks a rule of its format */
    FACET_ERROR_LOSS = 40,         /* the target cannot store it, and loss was forbidden */
    FACET_ERROR_LIMIT = 50,        /* a limit of the format is exceeded */
    FACET_ERROR_MEMORY_LIMIT = 55, /* more than facet_options.memory_limit is needed */
    FACET_ERROR_MEMORY = 60,       /* the allocator or the system has no memory left */
    FACET_ERROR_IO = 70,           /* the system failed to read or write */
    FACET_ERROR_CANCELED = 80      /* the progress callback returned false */
} facet_status;

/* Name of a status: one or two words in lower case, such as "malformed input" or "canceled". */
FACET_API const char *facet_status_name(facet_status status);

/* No byte offset, in errors and findings. */
#define FACET_NO_OFFSET UINT64_MAX
/* No mesh, face or vertex, in findings. */
#define FACET_NO_INDEX UINT64_MAX

/* No index: a corner without this attribute, a face without material. */
#define FACET_NONE UINT32_MAX

/* Description of a failure, filled in by the function that failed. The caller owns it. It holds no
 * pointers, so it needs no release. */
typedef struct facet_error {
    facet_status status;
    uint64_t offset;   /* byte offset in the input, or FACET_NO_OFFSET */
    uint64_t line;     /* line of a text file, from 1; 0: no line */
    char rule[32];     /* id of the broken rule, for example "BSM-MAGIC", or "" */
    char message[400]; /* one sentence: the value found and the value expected */
    char file[256];    /* name of the source that offset and line refer to; "": no source, or one
                          without a name. A longer name is cut at its end. */
} facet_error;

/* -- Memory ------------------------------------------------------------- */

/* A caller's allocator. `allocate` returns memory aligned to 16 bytes, or NULL. `release` gets the
 * size that was passed to `allocate`. Both run on the thread that calls the library (worker threads
 * never allocate). */
typedef struct facet_allocator {
    void *(*allocate)(void *user, size_t size);
    void (*release)(void *user, void *pointer, size_t size);
    void *user;
} facet_allocator;

/* Owner of everything that a document or a scene points to. One call frees it all. */
typedef struct facet_arena facet_arena;

/* -- Threads ------------------------------------------------------------ */

/* A way to run work on several threads. `run` must call task(argument, i) once for every i below
 * count, in any order, on any threads, and return when all calls have returned. Results never
 * depend on the number of threads. */
typedef struct facet_threads {
    void (*run)(void *user, void (*task)(void *argument, size_t index), void *argument,
                size_t count);
    void *user;
    unsigned count; /* threads that run at once; a hint for splitting the work */
} facet_threads;

/* Create a pool of `count` threads, which include the calling thread. If count is 0, there is one
 * thread per processor that the process may use. *threads is valid until facet_threads_free. */
FACET_API facet_status facet_threads_create(unsigned count, const facet_threads **threads,
                                            facet_error *error);
FACET_API void facet_threads_free(const facet_threads *threads);

/* -- Reports ------------------------------------------------------------ */

typedef enum facet_severity {
    FACET_SEVERITY_NOTE = 0,    /* information */
    FACET_SEVERITY_WARNING = 1, /* usable, but a rule is broken or something was lost */
    FACET_SEVERITY_ERROR = 2    /* unusable */
} facet_severity;

FACET_API const char *facet_severity_name(facet_severity severity);

/* One entry of a report, from a check, a reader, a pass or a writer. */
typedef struct facet_finding {
    const char *rule; /* id such as "BSM-TRI-WINDING"; never NULL; lives as long as the report */
    facet_severity severity;
    uint64_t offset;     /* of the first occurrence, or FACET_NO_OFFSET */
    uint64_t line;       /* of the first occurrence, or 0 */
    uint64_t count;      /* number of occurrences that this finding counts, at least 1 */
    const char *message; /* one sentence; lives as long as the report */
    const char *file;    /* file that offset and line refer to, if it is not the source (for example
                            a material library); NULL: the source. Lives as long as the report */
    /* Element of the first occurrence: indices in the file, or FACET_NO_INDEX. The face (triangle
     * or polygon) and vertex are counted within the mesh. If mesh is FACET_NO_INDEX, they are
     * counted through all meshes in the order of the file. */
    uint64_t mesh, face, vertex;
} facet_finding;

/* A list of findings in the order in which they were added. */
typedef struct facet_report facet_report;

/* Create an empty report. allocator may be NULL. Free with facet_report_free, which accepts NULL.
 */
FACET_API facet_status facet_report_create(const facet_allocator *allocator, facet_report **report,
                                           facet_error *error);
FACET_API void facet_report_free(facet_report *report);
/* Set a callback that runs for each finding when it is added, on the thread that called the
 * library; NULL removes it. The finding is valid during the call. The callback must not use the
 * report. */
typedef void (*facet_report_callback)(void *user, const facet_finding *finding);
FACET_API void facet_report_set_callback(facet_report *report, facet_report_callback callback,
                                         void *user);
FACET_API size_t facet_report_count(const facet_report *report);
/* The finding at `index`, which is below facet_report_count. Valid until the next finding is added.
 */
FACET_API const facet_finding *facet_report_get(const facet_report *report, size_t index);
/* Number of findings with this severity. */
FACET_API size_t facet_report_severity_count(const facet_report *report, facet_severity severity);

/* -- Options ------------------------------------------------------------ */

/* Progress callback. Runs on the calling thread during long operations. `step` is the name of the
 * step ("index"); `fraction` is the part of it that is done, 0 to 1, and never decreases within a
 * step. Calls are spaced by amount of work: at most about 50 ms apart for a million triangles.
 * Exceptions are single calls of other libraries: simplification by meshoptimizer (650 ms for a
 * million triangles), compression of a BPX section by libdeflate (6 s), assimp (0.4 s). Return
 * false to cancel. */
typedef bool (*facet_progress)(void *user, const char *step, double fraction);

/* General options of every long-running function. Options of one family are a struct in the header
 * of that family; a pointer here refers to it. */
typedef struct facet_options {
    uint32_t struct_size;    /* sizeof(facet_options) of the caller, or 0: that of release 0.2. A
                                size above the library's is FACET_ERROR_ARGUMENT */
    uint32_t format_version; /* version of the target format to write; 0: its default */
    const facet_allocator *allocator; /* NULL: malloc, with huge pages for large blocks; on
                                         Linux, up to 32 MiB of these stay allocated for the next
                                         call */
    const facet_threads *threads;     /* NULL: only the calling thread */
    uint64_t memory_limit;            /* limit in bytes for one document or scene, and for a
                                         memory output; more is FACET_ERROR_MEMORY_LIMIT; 0: no
                                         limit */
    facet_progress progress;          /* NULL: no progress calls */
    void *progress_user;
    facet_report *report;                    /* receives warnings and notes; NULL: they are
                                                dropped */
    const struct facet_bga_options *bga;     /* facet/bga.h; NULL: its defaults */
    const struct facet_bpx_options *bpx;     /* facet/bpx.h; NULL: its defaults */
    const struct facet_j3d_options *j3d;     /* facet/j3d.h; NULL: its defaults */
    const struct facet_bti_options *bti;     /* facet/gx_bti.h; NULL: its defaults */
    const struct facet_ply_options *ply;     /* facet/ply.h; NULL: its defaults */
    const struct facet_stl_options *stl;     /* facet/stl.h; NULL: its defaults */
    const struct facet_gltf_options *gltf;   /* facet/gltf.h; NULL: its defaults */
    const struct facet_image_options *image; /* facet/image.h; NULL: its defaults */
    uint32_t growth_limit; /* limit for data created from parts of an input that are used
                              repeatedly, as a factor of the input's size. Examples: instances of
                              a mesh, files that share bytes, keys that tracks share. Exceeding
                              it is FACET_ERROR_LIMIT (GROWTH-LIMIT); 0: 16. It limits the work of
                              a picture also (RENDER-LIMIT), and raises the limit of
                              decompression, 1,032 (AR37) */
} facet_options;

/* -- Sources ------------------------------------------------------------ */

/* Input of a reader: bytes, a name, and a way to open siblings, which are other files in the same
 * place (an OBJ's MTL, a glTF's buffers). A plain struct that points to the bytes and does not own
 * them. For bytes without siblings, set data, size and name, and leave the rest 0. An engine's
 * archive sets the two callbacks. Files and memory have constructors below, which use only this
 * interface. */
typedef struct facet_source facet_source;
struct facet_source {
    const uint8_t *data;
    size_t size;
    const char *name;    /* path, for messages and to guess the format by extension; may be NULL */
    bool allow_external; /* siblings may be outside the source's own directory */

    /* Open the file that `source` refers to as `name`. Fill in *sibling, which is all zero; the
     * library closes it. `name` has / between its parts and stays inside the source's directory
     * unless allow_external is set. Return FACET_ERROR_IO if the file does not exist. *error
     * already has a sentence for that; you may leave it unchanged. NULL: no siblings. */
    facet_status (*open_sibling)(const facet_source *source, const char *name,
                                 facet_source *sibling, facet_error *error);
    /* Release what open_sibling created. NULL: nothing to release. */
    void (*close)(facet_source *source);
    void *user;
    const struct facet_file *file; /* private: the open file whose bytes are `data`; NULL: none */
};

/* Release a source that the library opened. Does nothing for other sources. */
FACET_EXPERIMENTAL_API void facet_source_close(facet_source *source);

/* Create a source from bytes, without siblings. `name` may be NULL. Nothing is copied: bytes and
 * name must outlive the source. */
FACET_API facet_source facet_source_from_memory(const void *data, size_t size, const char *name);

/* Files in memory that form a folder. Names have / between their parts. */
typedef struct facet_memory_file {
    const char *name;
    const void *data;
    size_t size;
} facet_memory_file;
typedef struct facet_memory_folder {
    const facet_memory_file *files;
    size_t count;
} facet_memory_folder;

/* Create a source from file `index` of a folder. It finds its siblings in the same folder, by names
 * relative to its own. If two files have one name, the first is used. Nothing is copied: folder,
 * names and bytes must outlive the source. Each sibling takes time linear in the folder. */
FACET_API facet_source facet_source_from_folder(const facet_memory_folder *folder, size_t index);

/* -- Files in ----------------------------------------------------------- */

/* A whole file in memory. It is mapped read-only if possible, otherwise read into memory (pipes,
 * sockets). No other process may change a file while it is mapped. If the file is truncated, the
 * next access ends the process (SIGBUS). If it is rewritten, a checked count may change before it
 * is used. For this reason, facet_load_path and facet_input_open read files up to 64 MiB instead,
 * if that is at most an eighth of the memory limit. */
typedef struct facet_file facet_file;

/* Open `path`. Close *file with facet_file_close. A file that cannot be mapped is read into memory
 * from the allocator of `options` (NULL: the defaults), up to its memory limit. Without a limit, an
 * endless pipe uses all memory of the machine. Errors: FACET_ERROR_IO, FACET_ERROR_MEMORY_LIMIT,
 * FACET_ERROR_MEMORY, FACET_ERROR_ARGUMENT (rule STRUCT-SIZE). */
FACET_API facet_status facet_file_open(const char *path, const facet_options *options,
                                       facet_file **file, facet_error *error);
/* Open a file from an open descriptor (0 is standard input), which stays open. Otherwise like
 * facet_file_open. */
FACET_EXPERIMENTAL_API facet_status facet_file_open_descriptor(int descriptor, const char *name,
                                                               const facet_options *options,
                                                               facet_file **file,
                                                               facet_error *error);
/* The file as a source: its bytes and name, and the files of its directory as siblings. Valid until
 * the file is closed. */
FACET_API facet_source facet_file_source(const facet_file *file);
/* Close a file. NULL is allowed. */
FACET_API void facet_file_close(facet_file *file);

/* -- Outputs ------------------------------------------------------------ */

/* A destination: a file, a descriptor, memory, or callbacks. A file appears complete or not at all:
 * it is written under a temporary name in the same directory, then synced and renamed by
 * facet_output_commit. The same applies to siblings opened on it. */
typedef struct facet_output facet_output;

/* Open a file for writing. An existing file at `path` is replaced on commit. */
FACET_API facet_status facet_output_open(const char *path, facet_output **output,
                                         facet_error *error);
/* Write to an open descriptor (1 is standard output), which stays open. */
FACET_EXPERIMENTAL_API facet_status facet_output_open_descriptor(int descriptor,
                                                                 facet_output **output,
                                                                 facet_error *error);
/* Write to memory from `allocator` (NULL: the C library's). */
FACET_API facet_status facet_output_open_memory(const facet_allocator *allocator,
                                                facet_output **output, facet_error *error);

/* A caller's destination, such as an engine's file system or a network stream. If a callback
 * returns a status other than FACET_OK, writing ends and facet_output_commit returns that status.
 * *error already has a sentence; you may leave it unchanged. */
typedef struct facet_output_callbacks {
    /* Append bytes, in order. A call has up to 256 KiB, occasionally more. */
    facet_status (*write)(void *user, const void *data, size_t size, facet_error *error);
    /* Open a sibling: a second destination with this name, next to the first. The library calls its
     * `close` when the output is freed. NULL: no siblings. */
    facet_status (*open_sibling)(void *user, const char *name,
                                 struct facet_output_callbacks *sibling, facet_error *error);
    /* Make the output visible; all bytes are written. Siblings are committed first. NULL: nothing
     * to do. */
    facet_status (*commit)(void *user, facet_error *error);
    /* Release the output. If it was not committed, it must leave no trace. NULL: nothing to do. */
    void (*close)(void *user);
    void *user;
} facet_output_callbacks;

/* Write to callbacks. `name` is the base name that facet_output_name returns. The name and the
 * callbacks are copied. */
FACET_API facet_status facet_output_open_callbacks(const facet_output_callbacks *callbacks,
                                                   const char *name, facet_output **output,
                                                   facet_error *error);

/* Append bytes. facet_output_commit returns the first failure, so a writer need not check each
 * call. */
FACET_API void facet_output_write(facet_output *output, const void *data, size_t size);
/* Number of bytes written so far. */
FACET_API uint64_t facet_output_size(const facet_output *output);
/* Base name of the output without directory, used to name siblings. "" for a memory output without
 * a name. */
FACET_API const char *facet_output_name(const facet_output *output);
/* Name a memory output, before anything is written. `name` is copied. Other outputs already have
 * names: FACET_ERROR_ARGUMENT. */
FACET_API facet_status facet_output_set_name(facet_output *output, const char *name,
                                             facet_error *error);
/* The next sibling of an open or committed output, or NULL after the last. The first is
 * facet_output_next_sibling(output). */
FACET_API const facet_output *facet_output_next_sibling(const facet_output *output);
/* Bytes of a memory output, valid until it is written to, taken or freed. NULL for others. */
FACET_API const uint8_t *facet_output_data(const facet_output *output);
/* Limit the bytes that a memory output and its siblings hold together. If more are written,
 * facet_output_commit returns FACET_ERROR_MEMORY_LIMIT (rule MEMORY-LIMIT). 0, the initial value,
 * means no limit. facet_save and facet_copy set it to facet_options.memory_limit if that is not 0.
 * Other outputs ignore it. Call it on the output itself, not on a sibling. */
FACET_EXPERIMENTAL_API void facet_output_set_limit(facet_output *output, uint64_t bytes);

/* Bytes taken from an output. */
typedef struct facet_bytes {
    uint8_t *data;             /* NULL: no bytes */
    size_t size;               /* bytes written */
    size_t capacity;           /* size of the allocated block */
    facet_allocator allocator; /* the allocator that owns the block */
} facet_bytes;

/* Take the bytes of a memory output or of a sibling without a copy; the output is empty afterwards.
 * The bytes outlive the output. Free them with facet_bytes_free, or pass `data` and `capacity` to
 * allocator.release. If a write failed, returns the first failure. FACET_ERROR_ARGUMENT for other
 * outputs. */
FACET_API facet_status facet_output_take(facet_output *output, facet_bytes *bytes,
                                         facet_error *error);
/* Free the bytes and set the struct to zero. NULL and empty structs are allowed. */
FACET_API void facet_bytes_free(facet_bytes *bytes);
/* Set whether facet_output_commit waits until the bytes are on the disk before it makes them
 * visible; the default is true. Siblings do the same. Set false if you commit many files and sync
 * them together afterwards. */
FACET_EXPERIMENTAL_API void facet_output_set_sync(facet_output *output, bool sync);
/* Make the output visible. Returns the first failure of any write. */
FACET_API facet_status facet_output_commit(facet_output *output, facet_error *error);
/* Free an output. If it was not committed, it leaves no trace. NULL is allowed. */
FACET_API void facet_output_free(facet_output *output);

/* -- Trees -------------------------------------------------------------- */

/* A tree of ordered objects and arrays, strings and numbers, as facet_describe returns it. */
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
    int64_t integer; /* also of booleans: 0 or 1 */
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
