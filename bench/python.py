#!/usr/bin/env python3
"""python.py [TRIANGLES]: read OBJ and GLB to NumPy arrays, compared with assimp and trimesh.

PYTHONPATH=python finds facet. Each job runs in a separate process, three times, in turn. Compare
the ratios of the medians.

Each job returns an array of positions, one of triangles, and normals.

  load     Vertices as in the file. The peers process as little as they can.
  weld     One index for all. Facet: facet.load and prepare without optimization. assimp:
           triangulate and join. trimesh: its default processing.
"""

import importlib.util
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def make(folder, triangles):
    """Write a sphere with texture coordinates and normals, as OBJ and GLB."""
    import numpy as np

    import facet
    side = max(2, int((triangles / 2) ** 0.5))
    u, v = np.meshgrid(np.linspace(0, 1, side + 1), np.linspace(0, 1, side + 1))
    a, b = u * 2 * np.pi, v * np.pi
    normal = np.stack([np.sin(b) * np.cos(a), np.cos(b), np.sin(b) * np.sin(a)], -1).reshape(-1, 3)
    corner = (np.arange(side)[:, None] * (side + 1) + np.arange(side)).reshape(-1)
    faces = np.concatenate([np.stack([corner, corner + 1, corner + side + 2], -1),
                            np.stack([corner, corner + side + 2, corner + side + 1], -1)])
    scene = facet.Scene()
    scene.add_mesh(normal * 3, faces, normal=normal, texcoord=np.stack([u, v], -1).reshape(-1, 2))
    for name in ("ball.obj", "ball.glb"):
        scene.save(folder / name, no_optimize=True)


# -- One job, in a separate process ----------------------------------------

def by_facet(path, weld):
    import facet
    began = time.perf_counter()
    scene = facet.load(path)
    if weld:
        scene.prepare(no_optimize=True)
    mesh = scene.meshes[0]
    arrays = mesh.positions, mesh.triangles, mesh.normals
    return time.perf_counter() - began, arrays


def by_assimp(path, weld):
    """Load with assimp's library.

    pyassimp of Debian 12 declares a different aiScene than its library has, and crashes on every
    file. This function uses the declarations that still match, and does less work than pyassimp:
    positions and normals are not copied. Only faces are read one by one, because each has a
    separate array."""
    import ctypes

    import numpy as np
    from pyassimp import postprocess, structs
    library = ctypes.CDLL("libassimp.so.5")
    library.aiImportFile.restype = ctypes.POINTER(structs.Scene)
    how = postprocess.aiProcess_Triangulate
    if weld:
        how |= postprocess.aiProcess_JoinIdenticalVertices
    began = time.perf_counter()
    mesh = library.aiImportFile(str(path).encode(), how).contents.mMeshes[0].contents

    def floats(pointer):
        flat = ctypes.cast(pointer, ctypes.POINTER(ctypes.c_float))
        return np.ctypeslib.as_array(flat, (mesh.mNumVertices, 3))
    faces = np.array([mesh.mFaces[i].mIndices[:3] for i in range(mesh.mNumFaces)], np.uint32)
    arrays = floats(mesh.mVertices), faces, floats(mesh.mNormals)
    return time.perf_counter() - began, arrays


def by_trimesh(path, weld):
    import trimesh
    began = time.perf_counter()
    mesh = trimesh.load(path, force="mesh", process=weld)
    arrays = mesh.vertices, mesh.faces, mesh.vertex_normals
    return time.perf_counter() - began, arrays


# Name: the function and the package that it needs.
PEERS = {"facet": (by_facet, "facet"), "assimp": (by_assimp, "pyassimp"),
         "trimesh": (by_trimesh, "trimesh")}


def job(name, path, weld):
    seconds, arrays = PEERS[name][0](path, weld == "weld")
    print(json.dumps({"seconds": seconds, "shapes": [list(one.shape) for one in arrays]}))


# -- All jobs --------------------------------------------------------------

def main():
    triangles = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    there = [name for name, (_, needed) in PEERS.items() if importlib.util.find_spec(needed)]
    for name in set(PEERS) - set(there):
        print(f"without {name}, which is not installed")
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder), triangles)
        for file in ("ball.obj", "ball.glb"):
            for weld in ("load", "weld"):
                times = {name: [] for name in there}
                shapes = {}
                for _ in range(3):
                    for name in there:
                        done = subprocess.run([sys.executable, __file__, "--job", name,
                                               str(Path(folder) / file), weld],
                                              check=True, capture_output=True, text=True)
                        found = json.loads(done.stdout.splitlines()[-1])
                        times[name].append(found["seconds"])
                        shapes[name] = found["shapes"]
                ours = statistics.median(times["facet"])
                for name in there:
                    median = statistics.median(times[name])
                    print(f"{file} {weld:5} {name:9} {median * 1000:9.1f} ms "
                          f"{median / ours:7.1f} times ours  {shapes[name]}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--job"]:
        job(*sys.argv[2:])
    else:
        main()
