"""Use Blender like a modder: import a GLB or DAE, optionally move a vertex, export the same kind.

    blender -b --python pass_on.py -- IN OUT [plain] [bones] [move MESH HOW_FAR]
            [lift BONE HOW_FAR]

- plain: without custom properties
- bones: like the option "Bone Dir: Blender", at 30 frames a second
- move: move vertex 0 of a mesh upward, in units of the file
- lift: move a bone in all keys of its action, along its y axis
"""
import sys

import numpy

numpy.bool = bool  # Debian's NumPy lacks it, and Blender 3.4's exporter needs it

import bpy

arguments = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
if "bones" in arguments:
    bpy.context.scene.render.fps = 30
is_dae = arguments[0].endswith(".dae")
if is_dae:
    bpy.ops.wm.collada_import(filepath=arguments[0])
else:
    bpy.ops.import_scene.gltf(filepath=arguments[0],
                              bone_heuristic="BLENDER" if "bones" in arguments else "TEMPERANCE")
if "move" in arguments:
    name = arguments[arguments.index("move") + 1]
    mesh = [mesh for mesh in bpy.data.meshes if mesh.name.startswith(name)][0]
    at = mesh.vertices[0].co.copy()
    # A position needs one vertex per normal and texture coordinate.
    for vertex in mesh.vertices:
        if (vertex.co - at).length < 1e-6:
            vertex.co.z += float(arguments[arguments.index("move") + 2])
if "lift" in arguments:
    at = arguments.index("lift")
    path = 'pose.bones["%s"].location' % arguments[at + 1]
    curve = [c for action in bpy.data.actions for c in action.fcurves
             if c.data_path == path and c.array_index == 1][0]
    for key in curve.keyframe_points:
        for point in (key.co, key.handle_left, key.handle_right):
            point[1] += float(arguments[at + 2])
if is_dae:
    bpy.ops.wm.collada_export(filepath=arguments[1])
else:
    bpy.ops.export_scene.gltf(filepath=arguments[1], export_format="GLB",
                              export_extras="plain" not in arguments)
