"""Functions shared by the tests inside Blender: an empty file, arrays of Blender, real files."""

import os
import sys
from pathlib import Path

import bpy
import numpy as np

WORK, PACKAGE = sys.argv[sys.argv.index("--") + 1:][:2]
WORK, CORPUS = Path(WORK), Path(os.environ["FACET_CORPUS"])
sys.path.insert(0, PACKAGE)
import facet  # noqa: E402

# Tolerances as shares of a model's diagonal: rotated floats, and integers with 16 bits of J3D.
CLOSE, SIXTEEN_BITS = 1e-6, 1e-4


def empty():
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def take(path, name=None, **options):
    """Import a file into an empty scene."""
    empty()
    name = name or {"bdl": "bmd"}.get(Path(path).suffix[1:], Path(path).suffix[1:])
    operator = getattr(bpy.ops.import_scene, f"facet_{name}")
    assert operator(filepath=str(path), **options) == {"FINISHED"}
    return bpy.data.objects


def give(path, name=None, **options):
    operator = getattr(bpy.ops.export_scene, f"facet_{name or Path(path).suffix[1:]}")
    assert operator(filepath=str(path), **options) == {"FINISHED"}
    return path


def turned(points):
    """Convert points from +Y up, right-handed, to Blender's axes."""
    return np.asarray(points)[:, [0, 2, 1]] * [1, -1, 1]


def diagonal(scene):
    return float(np.linalg.norm(np.ptp(scene.bounds(), axis=0)))


def array(items, member, width):
    found = np.empty(len(items) * width, np.float32)
    items.foreach_get(member, found)
    return found.reshape(-1, width)


def refused(call, *parts):
    """Expect that the operator reports an error as a sentence."""
    try:
        call()
    except RuntimeError as error:
        said = str(error)
        assert "Traceback" not in said and all(part in said for part in parts), said
        return
    raise AssertionError("there was no error")


def said_of(name, **options):
    """Export a file of this name. Returns its path, and pairs of severity and sentence."""
    from io_scene_facet import export, library
    said, build, findings = [], export.build_scene, library.Saved.findings

    def build_scene(*given):
        def say(severity, sentence):
            said.append((severity, sentence))
            given[-1](severity, sentence)
        build(*given[:-1], say)

    def found(saved):
        said.extend(findings(saved))
        return findings(saved)
    export.build_scene, library.Saved.findings = build_scene, found
    try:
        path = give(WORK / name, **options)
    finally:
        export.build_scene, library.Saved.findings = build, findings
    return path, said


def warnings_of(name, **options):
    """The path and the sentences of the warnings."""
    path, said = said_of(name, **options)
    return path, [sentence for severity, sentence in said if severity == "WARNING"]


def notes_of(name, **options):
    path, said = said_of(name, **options)
    return path, [sentence for severity, sentence in said if severity == "INFO"]
