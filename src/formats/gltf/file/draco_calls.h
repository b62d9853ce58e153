/* formats/gltf/file/draco_calls.h - the functions of libdraco that Facet uses, with a C interface.
 * They are in a module, which is opened when a file needs it. */
#ifndef FACET_GLTF_FILE_DRACO_CALLS_H
#define FACET_GLTF_FILE_DRACO_CALLS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum facet_draco_result {
    FACET_DRACO_OK,
    FACET_DRACO_DAMAGED, /* or not a mesh */
    FACET_DRACO_NO_MEMORY
} facet_draco_result;

typedef struct facet_draco_calls {
    /* Release *mesh after use. */
    facet_draco_result (*decode)(const uint8_t *data, size_t size, void **mesh,
                                 uint32_t *point_count, uint32_t *face_count);
    void (*release)(void *mesh);
    /* Copy three indices per face. */
    void (*copy_indices)(const void *mesh, uint32_t *indices);
    /* Test for an attribute by its number, and copy its values: `components` numbers of a glTF type
     * per point. */
    int (*has_attribute)(const void *mesh, uint32_t number);
    facet_draco_result (*copy_attribute)(const void *mesh, uint32_t number, uint32_t type,
                                         uint32_t components, void *values);
} facet_draco_calls;

#ifdef __cplusplus
}
#endif

#endif
