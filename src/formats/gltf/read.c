/* formats/gltf/read.c - reader of glTF files, text and binary, to a scene. */
#include "formats/gltf/format.h"
#include "formats/gltf/to_scene/to_scene.h"

#include "base/error.h"

#include <facet/gltf.h>

facet_status facet_gltf_read(const facet_source *source, const facet_load_options *load,
                             const facet_options *options, facet_scene **scene, facet_error *error)
{
    facet_gltf_file file;
    TRY(facet_gltf_file_open(source, options, &file, error));
    file.skip = load ? load->skip : 0;
    facet_scene *made = NULL;
    facet_status status = facet_gltf_to_scene(&file, &made, error);
    facet_gltf_file_close(&file);
    if (!status && !(file.skip & FACET_SKIP_GEOMETRY))
        status = facet_gltf_extract_collision(made, load, options, error);
    if (status)
        facet_scene_free(made);
    else
        *scene = made;
    return status;
}
