/* scene/check_streams.h - the part of facet_scene_check that compares streams. */
#ifndef FACET_SCENE_CHECK_STREAMS_H
#define FACET_SCENE_CHECK_STREAMS_H

#include <facet/scene.h>

/* Check that no mesh has two streams of one semantic and set. Check that joints with a weight are
 * below the joint count of each skin that moves the mesh. Nodes, skins and each stream must be
 * valid. Sorts the streams of each mesh; linear in the corners. */
facet_status facet_scene_check_streams(const facet_scene *scene, const facet_options *options,
                                       facet_error *error);

#endif
