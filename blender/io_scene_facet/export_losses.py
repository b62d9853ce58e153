"""Warnings about visible parts of a scene that an export leaves out."""

from . import compat, library
from . import declarations as d
from .export_motion import strips_of
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


# Modifiers that move no vertex and change no weight.
STILL = {"TRIANGULATE", "EDGE_SPLIT", "WEIGHTED_NORMAL", "NORMAL_EDIT", "UV_PROJECT", "UV_WARP",
         "COLLISION", "SURFACE", "PARTICLE_SYSTEM"}


def warn_order_of_modifiers(one, applied, say):
    """Modifiers after the armature: in a file, bones deform the result of all modifiers."""
    bends = [i for i, modifier in enumerate(one.modifiers)
             if modifier.type == "ARMATURE" and modifier.object and modifier.show_viewport]
    later = [modifier.name for modifier in list(one.modifiers)[bends[0]:]
             if modifier in applied and modifier.type not in STILL] if bends else []
    if later:
        say("WARNING", f"{one.name}: Blender applies {', '.join(later)} after the armature, and in "
                       "the file bones deform the result: bent parts differ; move the armature "
                       "modifier to the end to see them")


def warn_skin(one, armatures, applied, say):
    """Properties of an armature modifier that a skin cannot store. `applied` are the modifiers that
    become part of the mesh."""
    warn_order_of_modifiers(one, applied, say)
    left_out = []
    if len(armatures) > 1:
        left_out.append(f"the armature {armatures[1].name}: a skin has one armature")
    used = [modifier for modifier in one.modifiers
            if modifier.type == "ARMATURE" and modifier.object == armatures[0]]
    for modifier in used[:1]:
        if not modifier.show_viewport:
            left_out.append(f"that the modifier {modifier.name} is disabled")
        if not modifier.use_vertex_groups:
            left_out.append(f"that the modifier {modifier.name} ignores vertex groups")
        if modifier.use_bone_envelopes:
            left_out.append(f"the bone envelopes of the modifier {modifier.name}")
        if modifier.use_deform_preserve_volume:
            left_out.append(f"the volume preservation of the modifier {modifier.name}")
    for what in left_out:
        say("WARNING", f"{one.name}: left out: {what}")


def warn_unit(scene, say):
    """A unit other than the meter. Files get Blender's numbers as meters, like an import."""
    units = scene.unit_settings
    if units.system != "NONE" and abs(units.scale_length - 1) > 1e-6:
        say("WARNING", f"the Unit Scale {units.scale_length:g} of the scene is not applied: a length "
                       f"of 1 is written as a meter; set Scale to {units.scale_length:g} to apply it")


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
    `images` has pairs (image, change) as keys."""
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
                say("WARNING", f"{text(mesh.name)}: the shape keeps the number of layers of "
                               f"{LAYERS[semantic]} of the original: {before}, not {count}")
    for image in sorted({image for image, _ in images}, key=lambda image: image.name_full):
        before = image.get("facet_name")
        if before is not None and kept_name(image) != before:
            say("WARNING", f"{image.name}: the image keeps the name {before} of the original, unless its "
                           "pixels are changed")


# -- Motion ----------------------------------------------------------------------

TRANSFORMS = ("location", "rotation", "scale", "delta_")


def paths_of(data):
    """The data paths that animation data moves: by its action, its drivers and its NLA strips."""
    if data is None:
        return set()
    actions = [data.action, *(strip.action for strip in strips_of(data))]
    found = {path for action in actions if action for path in compat.curve_paths(action)}
    return found | {driver.data_path for driver in data.drivers}


def moves_shape(one):
    """True if shape keys of an object's mesh are animated."""
    keys = getattr(one.data, "shape_keys", None)
    return keys is not None and any(path.startswith(("key_blocks", "eval_time"))
                                    for path in paths_of(keys.animation_data))


def warn_motion(objects, materials, others, say):
    """Animations other than those of armatures: they have no place in the file. `others` names
    the formats of the other animations, if the file is one of several that move a model; else it is
    None."""
    if others:
        say("INFO", f"an animation file has one kind of animation: also export {', '.join(others)}")
    if others is not None:
        materials = ()
    for one in objects:
        paths = paths_of(one.animation_data)
        if one.type != "ARMATURE" and any(path.startswith(TRANSFORMS) for path in paths):
            say("WARNING", f"{one.name}: the animation of the object is left out: use a bone")
        if any(path.startswith("hide_") for path in paths) and others is None:
            say("WARNING", f"{one.name}: the animation of its visibility is left out")
        if moves_shape(one):
            say("WARNING", f"{one.name}: the animation of shape keys is left out")
    for one in materials:
        if paths_of(one.animation_data) or \
                one.node_tree and paths_of(one.node_tree.animation_data):
            say("WARNING", f"{one.name}: the animation of the material is left out")


def note_motion(objects, materials, format_, say):
    """The same, in one sentence, for formats without animations."""
    moved = [one.name for one in objects
             if one.animation_data and paths_of(one.animation_data) or moves_shape(one)]
    moved += [one.name for one in materials if paths_of(one.animation_data)
              or one.node_tree and paths_of(one.node_tree.animation_data)]
    if moved:
        names = ", ".join(moved[:5]) + (f" and {len(moved) - 5} more" if len(moved) > 5 else "")
        other = "; export them as BCK, BTK, BTP, BRK, BPK or BVA" if format_ in ("bmd", "bdl") else ""
        say("INFO", f"{format_.upper()} has no animations: those of {names} are left out{other}")
