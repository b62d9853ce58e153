"""Run inside of Blender, after install.py: import real files by the operators, and hold what
Blender has against what the Python package says of the same files.

blender -b --factory-startup ... --python import_files.py -- RESULT CORPUS PACKAGE
"""

import json
import sys
import traceback
from pathlib import Path

import bpy
import numpy as np

RESULT, CORPUS, PACKAGE = sys.argv[sys.argv.index("--") + 1:]
sys.path.insert(0, PACKAGE)
import facet  # noqa: E402

FILES = ["bsm/test.bsm", "bga/teapot.v1.bga", "bga/teapot.v2.bga", "bga/fish.big-endian.v2.bga"]
FILES += [str(path.relative_to(CORPUS)) for path in sorted(Path(CORPUS).rglob("*.binarymesh"))]


def turned(points):
    """+Y up, right-handed to Blender's axes."""
    return points[:, [0, 2, 1]] * [1, -1, 1]


def check(name):
    """Counts, the box, areas and texture coordinates of one file."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    before = set(bpy.data.objects)
    operator = getattr(bpy.ops.import_scene, name.rpartition(".")[2])
    assert operator(filepath=str(Path(CORPUS) / name)) == {"FINISHED"}
    made = [one for one in bpy.data.objects if one not in before]
    scene = facet.load(Path(CORPUS) / name)
    frame = scene.frame
    assert (frame.up, frame.left_handed) == ("y", False), "the comparison below is for these"
    # bpy.data has them by name, a collection as they were linked: as the file has them.
    meshes = [one for one in bpy.context.collection.objects
              if one in made and one.display_type != "WIRE"]
    assert len(meshes) == len(scene.meshes)
    for shown, mesh in zip(meshes, scene.meshes):
        data = shown.data
        points = np.empty(len(data.vertices) * 3, np.float32)
        data.vertices.foreach_get("co", points)
        assert np.allclose(points.reshape(-1, 3), turned(mesh.positions), atol=1e-5)
        # Faces that stand there twice are left out by Blender.
        assert 0 <= mesh.face_count - len(data.polygons) <= mesh.face_count * 0.01
        if len(data.polygons) == mesh.face_count:
            index = np.empty(len(data.loops), np.uint32)
            data.loops.foreach_get("vertex_index", index)
            assert (index == mesh.indices).all()
            if mesh.texcoords is not None:
                uv = np.empty(len(data.loops) * 2, np.float32)
                data.uv_layers[0].data.foreach_get("uv", uv)
                wanted = mesh.streams["texcoord"].corners.copy()
                wanted[:, 1] = 1 - wanted[:, 1] if frame.uv_origin_top else wanted[:, 1]
                assert np.allclose(uv.reshape(-1, 2), wanted, atol=1e-6)
            if mesh.normals is not None and mesh.is_triangles:
                data.calc_normals_split()
                normals = np.empty(len(data.loops) * 3, np.float32)
                data.loops.foreach_get("normal", normals)
                wanted = turned(mesh.streams["normal"].corners)
                # Blender keeps 16 bits of each angle.
                close = (normals.reshape(-1, 3) * wanted).sum(1) > 0.999
                assert close.mean() > 0.99, close.mean()
    hulls = [one for one in made if " hull " in one.name]
    assert len(hulls) == len(scene.hulls)
    return len(meshes), sum(len(one.data.polygons) for one in meshes)


def million():
    """Time to build a mesh of a million triangles, from a file, in this process."""
    import time
    side = 708
    u, v = np.meshgrid(np.linspace(0, 1, side + 1), np.linspace(0, 1, side + 1))
    corner = (np.arange(side)[:, None] * (side + 1) + np.arange(side)).reshape(-1)
    faces = np.concatenate([np.stack([corner, corner + 1, corner + side + 2], -1),
                            np.stack([corner, corner + side + 2, corner + side + 1], -1)])
    scene = facet.Scene()
    scene.add_mesh(np.stack([u, v, u * v], -1).reshape(-1, 3), faces,
                   texcoord=np.stack([u, v], -1).reshape(-1, 2))
    path = str(Path(RESULT).with_suffix(".bga"))
    scene.save(path)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    began = time.perf_counter()
    bpy.ops.import_scene.bga(filepath=path, custom_normals=False)
    return time.perf_counter() - began


def main():
    found = {name: check(name) for name in FILES}
    broken = str(Path(RESULT).with_suffix(".bsm"))
    Path(broken).write_bytes(b"BINARYSTATICMESH")
    try:
        bpy.ops.import_scene.bsm(filepath=broken)
        raise AssertionError("a broken file was imported")
    except RuntimeError as error:
        assert "BSM-SIZE-HEADER" in str(error), error
    return {"files": found, "million": million()}


try:
    Path(RESULT).write_text(json.dumps(main()))
except BaseException:
    traceback.print_exc()
    sys.exit(1)
