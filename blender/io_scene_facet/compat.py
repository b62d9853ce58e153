"""Differences between versions of Blender."""

import math

import bpy
import numpy as np

# The type of index arrays that is copied fast: 3.4 stores uint32, later versions int32.
INDEX = np.uint32 if bpy.app.version < (3, 5) else np.int32


# -- Meshes ------------------------------------------------------------------

def set_custom_normals(mesh, normals, of_vertices):
    """Set unit normals (n, 3) of vertices or corners. Blender converts them one by one, which takes
    most of the time of a large import. A mesh has fewer vertices than corners."""
    if hasattr(mesh, "use_auto_smooth"):  # before 4.1
        mesh.use_auto_smooth = True
    if of_vertices:
        mesh.normals_split_custom_set_from_vertices(normals)
    else:
        mesh.normals_split_custom_set(normals)


def set_sharp_edges(mesh, sharp, splits):
    """Mark the edges of a mask, or none, and let sharp edges and flat faces split normals."""
    if sharp is not None:
        mesh.edges.foreach_set("use_edge_sharp", sharp)
    if hasattr(mesh, "use_auto_smooth"):  # before 4.1; later, they always split
        mesh.use_auto_smooth = splits
        mesh.auto_smooth_angle = math.pi


def corner_normals(mesh):
    found = np.empty(len(mesh.loops) * 3, np.float32)
    if hasattr(mesh, "corner_normals"):  # from 4.1
        mesh.corner_normals.foreach_get("vector", found)
    else:
        mesh.calc_normals_split()
        mesh.loops.foreach_get("normal", found)
        mesh.free_normals_split()
    return found.reshape(-1, 3)


def add_color(mesh, name, corners):
    """Add linear colors of corners, (n, 4) floats."""
    layer = mesh.color_attributes.new(name, "FLOAT_COLOR", "CORNER")
    layer.data.foreach_set("color", np.ascontiguousarray(corners, np.float32).reshape(-1))


# -- Materials ---------------------------------------------------------------

def group_sockets(tree, inputs, outputs):
    """Create the sockets of a new node group: (kind, name, default) and (kind, name)."""
    for kind, name, default in inputs:
        if hasattr(tree, "interface"):  # from 4.0
            made = tree.interface.new_socket(name, in_out="INPUT", socket_type=kind)
        else:
            made = tree.inputs.new(kind, name)
        if default is not None:
            made.default_value = default
    for kind, name in outputs:
        if hasattr(tree, "interface"):
            tree.interface.new_socket(name, in_out="OUTPUT", socket_type=kind)
        else:
            tree.outputs.new(kind, name)


def set_alpha(material, mode, cutoff):
    """Set how Eevee shows alpha: OPAQUE, CLIP or BLEND."""
    if hasattr(material, "surface_render_method"):  # from 4.2; CLIP is done by the nodes
        material.surface_render_method = "BLENDED" if mode == "BLEND" else "DITHERED"
    else:
        material.blend_method = mode
        material.alpha_threshold = cutoff


def alpha_of(material):
    """(OPAQUE, CLIP or BLEND; threshold of CLIP). From 4.2, alpha is always visible."""
    if hasattr(material, "surface_render_method"):
        return "BLEND", 0.5
    mode = material.blend_method
    return "BLEND" if mode == "HASHED" else mode, material.alpha_threshold


# -- Animations --------------------------------------------------------------

def new_curve(action, datablock, path, index, group):
    """Add a curve for a member of a datablock to an action."""
    if not hasattr(action, "fcurve_ensure_for_datablock"):  # exists from 4.4, required from 5.0
        return action.fcurves.new(path, index=index, action_group=group)
    data = datablock.animation_data_create()
    before = data.action
    if before is not action:  # the action must be assigned for the call
        assign_action(datablock, action)
    try:
        return action.fcurve_ensure_for_datablock(datablock, path, index=index, group_name=group)
    except TypeError:  # 4.4 has no argument for groups
        return action.fcurve_ensure_for_datablock(datablock, path, index=index)
    finally:
        if before is not None and before is not action:
            assign_action(datablock, before)


def curves_of(action):
    if hasattr(action, "fcurves"):
        return list(action.fcurves)
    return [curve for layer in action.layers for strip in layer.strips
            for bag in strip.channelbags for curve in bag.fcurves]


def curve_paths(action):
    """The data paths of all curves."""
    return [curve.data_path for curve in curves_of(action)]


def assign_action(datablock, action):
    made = datablock.animation_data_create()
    made.action = action
    if action is not None and getattr(made, "action_slot", True) is None and action.slots:
        made.action_slot = action.slots[0]


def add_strip(data, action):
    """Let an action play in a new NLA track of animation data."""
    track = data.nla_tracks.new()
    track.name = action.name
    strip = track.strips.new(action.name, int(action.frame_range[0]), action)
    strip.use_sync_length = True  # the strip follows when keys are added
    if getattr(strip, "action_slot", True) is None and action.slots:  # from 4.4
        strip.action_slot = action.slots[0]


def assigned_action(datablock):
    """Return what restore_action() needs, (action, slot, use_nla), or None without animation data."""
    data = datablock.animation_data
    return data and (data.action, getattr(data, "action_slot", None), data.use_nla)


def restore_action(datablock, before):
    if before is None:
        datablock.animation_data_clear()
        return
    data = datablock.animation_data
    data.action, slot, data.use_nla = before
    if slot is not None:
        data.action_slot = slot
