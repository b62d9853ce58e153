# Runs inside Blender: a glTF in, a GLB out, with all that moves.
#
#   blender -b --python round_trip.py -- IN OUT
import sys

import bpy
import numpy

# Blender 3.4 asks for a name that NumPy no longer has.
numpy.bool = bool

source, target = sys.argv[sys.argv.index('--') + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.context.scene.render.fps = 30
# Bones keep the axes of their joints: the other ways turn them to look better.
bpy.ops.import_scene.gltf(filepath=source, bone_heuristic='BLENDER')
bpy.ops.export_scene.gltf(filepath=target, export_format='GLB', export_extras=True,
                          export_force_sampling=True, export_optimize_animation_size=False)
