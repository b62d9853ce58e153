/* formats/assimp/file/calls.h - a table of assimp's functions. They are in a module that is opened
 * when a file needs it; none of them throws. Files that include this header use assimp's names.
 * facet_assimp_import and facet_assimp_export open the module. */
#ifndef FACET_ASSIMP_FILE_CALLS_H
#define FACET_ASSIMP_FILE_CALLS_H

#include <assimp/cexport.h>
#include <assimp/cimport.h>
#include <assimp/material.h>

#define FACET_ASSIMP_CALLS(CALL)     \
    CALL(CreatePropertyStore)        \
    CALL(ExportSceneEx)              \
    CALL(GetErrorString)             \
    CALL(GetMaterialFloatArray)      \
    CALL(GetMaterialIntegerArray)    \
    CALL(GetMaterialString)          \
    CALL(GetMaterialTexture)         \
    CALL(GetMaterialTextureCount)    \
    CALL(GetMaterialUVTransform)     \
    CALL(ImportFileExWithProperties) \
    CALL(ReleaseImport)              \
    CALL(ReleasePropertyStore)       \
    CALL(SetImportPropertyInteger)

typedef struct facet_assimp_calls {
#define CALL(name) __typeof__(&ai##name) name;
    FACET_ASSIMP_CALLS(CALL)
#undef CALL
} facet_assimp_calls;

#ifndef FACET_IS_MODULE
/* library.c */
const facet_assimp_calls *facet_assimp_table_now(void);
#define aiCreatePropertyStore facet_assimp_table_now()->CreatePropertyStore
#define aiExportSceneEx facet_assimp_table_now()->ExportSceneEx
#define aiGetErrorString facet_assimp_table_now()->GetErrorString
#define aiGetMaterialFloatArray facet_assimp_table_now()->GetMaterialFloatArray
#define aiGetMaterialIntegerArray facet_assimp_table_now()->GetMaterialIntegerArray
#define aiGetMaterialString facet_assimp_table_now()->GetMaterialString
#define aiGetMaterialTexture facet_assimp_table_now()->GetMaterialTexture
#define aiGetMaterialTextureCount facet_assimp_table_now()->GetMaterialTextureCount
#define aiGetMaterialUVTransform facet_assimp_table_now()->GetMaterialUVTransform
#define aiImportFileExWithProperties facet_assimp_table_now()->ImportFileExWithProperties
#define aiReleaseImport facet_assimp_table_now()->ReleaseImport
#define aiReleasePropertyStore facet_assimp_table_now()->ReleasePropertyStore
#define aiSetImportPropertyInteger facet_assimp_table_now()->SetImportPropertyInteger
#endif

#endif
