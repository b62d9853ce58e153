"""Warnings about visible parts of a scene that an export leaves out."""

import bpy

from . import compat, library
from . import declarations as d
from .export_motion import has_strips
from .names import kept_name, text

# Types of objects without triangles.
UNKNOWN = {"GPENCIL", "GREASEPENCIL", "VOLUME", "CURVES", "POINTCLOUD"}


def warn_unwritten(objects, say):
    """Objects, and parts of objects, without triangles."""
    for one in objects:
        if one.type in UNKNOWN:
            say("WARNING", f"{one.name}: of a {one.type.lower()} nothing is written")
        elif one.type == "EMPTY" and one.parent and one.parent.type == "ARMATURE" and \
                one.parent_type == "BONE":
            say("WARNING", f"{one.name}: the empty on the bone {one.parent_bone} is left out: add a "
                           "bone instead")
        for system in getattr(one, "particle_systems", ()):
            if system.settings.type == "HAIR" and system.settings.render_type == "PATH":
                say("WARNING", f"{one.name}: the hair {system.name} is left out: convert it to a "
                               "mesh")


def warn_skin(one, armatures, say):
    """Properties of an armature modifier that a skin cannot store."""
    left_out = []
    if len(armatures) > 1:
        left_out.append(f"the armature {armatures[1].name}: a skin has one armature")
    used = [modifier for modifier in one.modifiers
            if modifier.type == "ARMATURE" and modifier.object == armatures[0]]
    for modifier in used[:1]:
        if not modifier.show_viewport:
            left_out.append(f"that the modifier {modifier.name} is disabled")
        if modifier.vertex_group:
            left_out.append(f"the vertex group of the modifier {modifier.name}")
        if not modifier.use_vertex_groups:
            left_out.append(f"that the modifier {modifier.name} ignores vertex groups")
        if modifier.use_bone_envelopes:
            left_out.append(f"the bone envelopes of the modifier {modifier.name}")
        if modifier.use_deform_preserve_volume:
            left_out.append(f"the volume preservation of the modifier {modifier.name}")
    for what in left_out:
        say("WARNING", f"{one.name}: left out: {what}")


# -- The imported file -----------------------------------------------------------

def warn_order(objects, say):
    if any(one.get("facet_endian") == "big" for one in objects):
        say("WARNING", "the imported file is big-endian, and little-endian is written: set Endian")


LAYERS = {d.FACET_TEXCOORD: "texture coordinates", d.FACET_COLOR: "colors"}


def layers_of(mesh):
    """The number of layers of a mesh, by semantic."""
    found = [mesh.streams[i].semantic for i in range(mesh.stream_count)]
    return {semantic: found.count(semantic) for semantic in LAYERS}


def warn_kept(scene, like, images, say):
    """Changes that an export with the original ignores: added layers, and names of images.
    `images` has pairs (name in Blender, change) as keys."""
    with library.load(like) as loaded:
        original = loaded.scene
        known = {}
        for i in range(original.node_count):
            node = original.nodes[i].contents
            if node.mesh < original.mesh_count:
                known[text(node.name)] = layers_of(original.meshes[node.mesh].contents)
    for i in range(scene.mesh_count):
        mesh = scene.meshes[i].contents
        for semantic, count in layers_of(mesh).items():
            before = known.get(text(mesh.name), {}).get(semantic, count)
            if count > before:
                say("WARNING", f"{text(mesh.name)}: the shape keeps the {before} layers of "
                               f"{LAYERS[semantic]} of the original; {count - before} are left out")
    for name in sorted({name for name, _ in images}):
        image = bpy.data.images[name]
        before = image.get("facet_name")
        if before is not None and kept_name(image) != before:
            say("WARNING", f"{name}: the image keeps the name {before} of the original, unless its "
                           "pixels are changed")


# -- Motion ----------------------------------------------------------------------

TRANSFORMS = ("location", "rotation", "scale", "delta_")


def moves(data):
    """True if animation data moves its object, or the object's shape keys."""
    if data is None:
        return False
    paths = compat.curve_paths(data.action) if data.action else []
    paths += [driver.data_path for driver in data.drivers]
    return has_strips(data) or any(path.startswith((*TRANSFORMS, "key_blocks")) for path in paths)


def warn_motion(objects, say):
    """Animations of objects and shape keys: only armatures keep their motion."""
    for one in objects:
        if one.type != "ARMATURE" and moves(one.animation_data):
            say("WARNING", f"{one.name}: the animation of the object is left out: use a bone")
        keys = getattr(one.data, "shape_keys", None)
        if keys and moves(keys.animation_data):
            say("WARNING", f"{one.name}: the animation of shape keys is left out")
