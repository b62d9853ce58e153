/* formats/assimp/file/module.cpp - the module of assimp: the functions that Facet calls. Some of
 * them throw if assimp is out of memory; no exception leaves this file. */
#define FACET_IS_MODULE
#include "formats/assimp/file/calls.h"

#include <atomic>
#include <exception>
#include <new>

namespace
{

/* True if the last import threw. One import runs at a time (library.c). */
bool import_threw;

template <typename Result, typename Call> Result guard(Result otherwise, Call call) noexcept
{
    try {
        return call();
    } catch (...) {
        return otherwise;
    }
}

aiPropertyStore *create_property_store()
{
    return guard(static_cast<aiPropertyStore *>(nullptr), [] { return aiCreatePropertyStore(); });
}

void set_integer(aiPropertyStore *store, const char *name, int value)
{
    guard(0, [=] { return aiSetImportPropertyInteger(store, name, value), 0; });
}

const aiScene *import_file(const char *name, unsigned flags, aiFileIO *io,
                           const aiPropertyStore *properties)
{
    import_threw = true;
    /* The first exception of a thread allocates. Without memory, that ends the process: do it now.
     * Without volatile, the compiler drops the call. */
    volatile int exceptions = std::uncaught_exceptions();
    static_cast<void>(exceptions);
    return guard(static_cast<const aiScene *>(nullptr), [=] {
        const aiScene *scene = aiImportFileExWithProperties(name, flags, io, properties);
        import_threw = false;
        return scene;
    });
}

const char *error_string()
{
    return import_threw ? "std::bad_alloc" : aiGetErrorString();
}

/* True if an allocation has failed. Exporters write into standard streams, which catch the
 * exception and continue without the bytes: such an export has failed. */
std::atomic<bool> memory_lacked;

[[noreturn]] void note_lack()
{
    memory_lacked = true;
    throw std::bad_alloc();
}

aiReturn export_scene(const aiScene *scene, const char *format, const char *name, aiFileIO *io,
                      unsigned steps)
{
    memory_lacked = false;
    std::new_handler before = std::set_new_handler(note_lack);
    aiReturn result = guard(aiReturn_OUTOFMEMORY,
                            [=] { return aiExportSceneEx(scene, format, name, io, steps); });
    std::set_new_handler(before);
    return memory_lacked ? aiReturn_OUTOFMEMORY : result;
}

facet_assimp_calls make_table()
{
    facet_assimp_calls table = {};
#define CALL(name) table.name = ai##name;
    FACET_ASSIMP_CALLS(CALL)
#undef CALL
    table.CreatePropertyStore = create_property_store;
    table.SetImportPropertyInteger = set_integer;
    table.ImportFileExWithProperties = import_file;
    table.GetErrorString = error_string;
    table.ExportSceneEx = export_scene;
    return table;
}

} // namespace

extern "C" __attribute__((visibility("default"))) const facet_assimp_calls facet_assimp_table;
extern "C" const facet_assimp_calls facet_assimp_table = make_table();
