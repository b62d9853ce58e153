"""Blender as a modder uses it: import a GLB, maybe move a vertex, export a GLB.

    blender -b --python pass_on.py -- IN.glb OUT.glb [plain] [move MESH]

plain: without custom properties. move: vertex 0 of a mesh, by 0.5 of what the file
counts in, upwards."""
import sys

import numpy

numpy.bool = bool  # Debian's NumPy has it no more, and Blender 3.4's exporter asks for it

import bpy

arguments = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=arguments[0])
if "move" in arguments:
    name = arguments[arguments.index("move") + 1]
    mesh = [mesh for mesh in bpy.data.meshes if mesh.name.startswith(name)][0]
    at = mesh.vertices[0].co.copy()
    # A place is as many vertices as it has normals and texture coordinates.
    for vertex in mesh.vertices:
        if (vertex.co - at).length < 1e-6:
            vertex.co.z += float(arguments[arguments.index("move") + 2])
bpy.ops.export_scene.gltf(filepath=arguments[1], export_format="GLB",
                          export_extras="plain" not in arguments)
