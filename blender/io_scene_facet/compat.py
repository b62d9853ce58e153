"""Where versions of Blender differ."""

import bpy
import numpy as np

# What index arrays are taken as fast: 3.4 stores uint32, later versions int32.
INDEX = np.uint32 if bpy.app.version < (3, 5) else np.int32


def set_custom_normals(mesh, normals):
    """Normals of corners, unit length, (n, 3)."""
    if hasattr(mesh, "use_auto_smooth"):  # until 4.1
        mesh.use_auto_smooth = True
    mesh.normals_split_custom_set(normals)


def add_color(mesh, name, corners):
    """Colors of corners, (n, 4) floats, linear."""
    layer = mesh.color_attributes.new(name, "FLOAT_COLOR", "CORNER")
    layer.data.foreach_set("color", corners.reshape(-1))
