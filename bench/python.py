#!/usr/bin/env python3
"""python.py [TRIANGLES]: OBJ and GLB to NumPy, beside pyassimp and trimesh, where they are
installed. PYTHONPATH=python finds facet. Each job runs in a process of its own, three times
around, in turn; the medians' ratios count.

What each has to give: an array of positions, one of triangles, and normals.
  load     the file's own vertices, or what the peer makes of them when told to leave them
  weld     one index for all: facet.load and prepare without optimization; pyassimp with
           triangulate and join, trimesh with its usual processing
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
    """A ball with texture coordinates and normals, as OBJ and GLB."""
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


# -- One job, in a process of its own --------------------------------------

def by_facet(path, weld):
    import facet
    began = time.perf_counter()
    scene = facet.load(path)
    if weld:
        scene.prepare(no_optimize=True)
    mesh = scene.meshes[0]
    arrays = mesh.positions, mesh.triangles, mesh.normals
    return time.perf_counter() - began, arrays


def by_pyassimp(path, weld):
    import pyassimp
    from pyassimp import postprocess
    how = postprocess.aiProcess_Triangulate
    if weld:
        how |= postprocess.aiProcess_JoinIdenticalVertices
    began = time.perf_counter()
    with pyassimp.load(path, processing=how) as scene:
        mesh = scene.meshes[0]
        arrays = mesh.vertices, mesh.faces, mesh.normals
        return time.perf_counter() - began, arrays


def by_trimesh(path, weld):
    import trimesh
    began = time.perf_counter()
    mesh = trimesh.load(path, force="mesh", process=weld)
    arrays = mesh.vertices, mesh.faces, mesh.vertex_normals
    return time.perf_counter() - began, arrays


PEERS = {"facet": by_facet, "pyassimp": by_pyassimp, "trimesh": by_trimesh}


def job(name, path, weld):
    seconds, arrays = PEERS[name](path, weld == "weld")
    print(json.dumps({"seconds": seconds, "shapes": [list(one.shape) for one in arrays]}))


# -- All of them -----------------------------------------------------------

def main():
    triangles = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    there = [name for name in PEERS if importlib.util.find_spec(name)]
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
