/* formats/j3d/animation/json.h - shared declarations for writing and reading animation JSON. */
#ifndef FACET_J3D_ANIMATION_JSON_H
#define FACET_J3D_ANIMATION_JSON_H

#include "base/json.h"
#include "formats/j3d/animation/animation.h"

#define FACET_J3D_ANIMATION_JSON "facet-j3d-animation"

/* -- Names (json_names.c) ---------------------------------------------- */

/* Keys of the JSON that depend on the kind. */
const char *facet_j3d_json_entries(facet_j3d_animation_kind kind, uint32_t set); /* "joints" */
const char *facet_j3d_json_slot(facet_j3d_animation_kind kind);                  /* "map" */
/* The key of a track of an entry, for example "weight" or "R". */
const char *facet_j3d_json_track(facet_j3d_animation_kind kind, uint32_t track);
/* "scale", "rotation", "translation": arrays of three tracks. */
extern const char *const facet_j3d_json_components[3];
extern const char *const facet_j3d_json_loops[5];

/* The factor from elements of a rotation to degrees; 1 for other components. */
double facet_j3d_json_unit(const facet_j3d_animation *document, uint32_t component);
/* True if an element of a track is a time, which has no unit. */
static inline bool facet_j3d_json_is_time(const facet_j3d_animation_format *format,
                                          const facet_j3d_track *track, uint32_t element)
{
    return format->has_keys && track->count > 1 && element % facet_j3d_key_size(track) == 0;
}

/* The document as JSON, without the bytes of the file; NULL if out of memory. */
facet_json *facet_j3d_animation_json(const facet_j3d_animation *document);
/* Read a document from JSON; the result has no layout. Errors: those of
 * facet_j3d_animation_from_json. */
facet_status facet_j3d_animation_of_json(const facet_json *json, const facet_options *options,
                                         facet_j3d_animation **document, facet_error *error);

#endif
