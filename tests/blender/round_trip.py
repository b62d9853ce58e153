# Run inside Blender: read a glTF or COLLADA and write the same with all animations.
#
#     blender -b --python round_trip.py -- IN OUT
import sys

import bpy
import numpy

# Blender 3.4 uses a name that NumPy has removed.
numpy.bool = bool

source, target = sys.argv[sys.argv.index('--') + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = 30
if source.endswith('.dae'):
    bpy.ops.wm.collada_import(filepath=source)
    scene.frame_start, scene.frame_end = map(int, bpy.data.actions[0].frame_range)
    bpy.ops.wm.collada_export(filepath=target, keep_flat_curves=True)
else:
    # Keep the axes of the joints; other heuristics rotate bones for display.
    bpy.ops.import_scene.gltf(filepath=source, bone_heuristic='BLENDER')
    bpy.ops.export_scene.gltf(filepath=target, export_format='GLB', export_extras=True,
                              export_force_sampling=True, export_optimize_animation_size=False)
