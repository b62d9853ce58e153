"""Where versions of Blender differ."""

import bpy
import numpy as np

# What index arrays are taken as fast: 3.4 stores uint32, later versions int32.
INDEX = np.uint32 if bpy.app.version < (3, 5) else np.int32


# -- Meshes ------------------------------------------------------------------

def set_custom_normals(mesh, normals, of_vertices):
    """Normals of vertices or corners, unit length, (n, 3). Blender takes them one by one, which is
    most of the time that a large import takes: those of vertices are fewer."""
    if hasattr(mesh, "use_auto_smooth"):  # until 4.1
        mesh.use_auto_smooth = True
    if of_vertices:
        mesh.normals_split_custom_set_from_vertices(normals)
    else:
        mesh.normals_split_custom_set(normals)


def corner_normals(mesh):
    found = np.empty(len(mesh.loops) * 3, np.float32)
    if hasattr(mesh, "corner_normals"):  # from 4.1
        mesh.corner_normals.foreach_get("vector", found)
    else:
        mesh.calc_normals_split()
        mesh.loops.foreach_get("normal", found)
    return found.reshape(-1, 3)


def add_color(mesh, name, corners):
    """Colors of corners, (n, 4) floats, linear."""
    layer = mesh.color_attributes.new(name, "FLOAT_COLOR", "CORNER")
    layer.data.foreach_set("color", np.ascontiguousarray(corners, np.float32).reshape(-1))


# -- Materials ---------------------------------------------------------------

def group_sockets(tree, inputs, outputs):
    """The sockets of a new node group: (kind, name, default), (kind, name)."""
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
    """How Eevee shows alpha: OPAQUE, CLIP, BLEND."""
    if hasattr(material, "surface_render_method"):  # from 4.2, where the nodes cut out
        material.surface_render_method = "BLENDED" if mode == "BLEND" else "DITHERED"
    else:
        material.blend_method = mode
        material.alpha_threshold = cutoff


def alpha_of(material):
    """How alpha is seen, and from where on it is: OPAQUE, CLIP, BLEND. From 4.2 on it is seen
    whenever there is some."""
    if hasattr(material, "surface_render_method"):
        return "BLEND", 0.5
    mode = material.blend_method
    return "BLEND" if mode == "HASHED" else mode, material.alpha_threshold


# -- Animations --------------------------------------------------------------

def new_curve(action, datablock, path, index, group):
    """A new curve of an action, which moves a member of a datablock."""
    if not hasattr(action, "fcurve_ensure_for_datablock"):  # from 4.4; the only way from 5.0
        return action.fcurves.new(path, index=index, action_group=group)
    data = datablock.animation_data_create()
    before = data.action
    if before is not action:  # it must be that of the datablock meanwhile
        assign_action(datablock, action)
    try:
        return action.fcurve_ensure_for_datablock(datablock, path, index=index, group_name=group)
    except TypeError:  # 4.4 has no groups here
        return action.fcurve_ensure_for_datablock(datablock, path, index=index)
    finally:
        if before is not None and before is not action:
            assign_action(datablock, before)


def curve_paths(action):
    """The paths of all curves."""
    if hasattr(action, "fcurves"):
        return [curve.data_path for curve in action.fcurves]
    return [curve.data_path for layer in action.layers for strip in layer.strips
            for bag in strip.channelbags for curve in bag.fcurves]


def assign_action(datablock, action):
    made = datablock.animation_data_create()
    made.action = action
    if action is not None and getattr(made, "action_slot", True) is None and action.slots:
        made.action_slot = action.slots[0]
