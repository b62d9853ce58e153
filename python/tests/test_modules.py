"""Modules that the library loads when a file needs them, from the package's folder."""

import zipfile
from pathlib import Path

import facet

MODULES = Path(facet.__file__).parent / f"_lib/lib/facet-{facet.version()}"

# A tetrahedron in Geomview's format, which assimp reads.
OFF = b"""OFF
4 4 6
0 0 0
1 0 0
0 2 0
0 0 3
3 0 2 1
3 0 1 3
3 1 2 3
3 0 3 2
"""


def opened(name):
    return str(MODULES / f"facet-{name}.so") in Path("/proc/self/maps").read_text()


def test_zip_archives(model):
    path = model.parent / "models.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(model, "house/model.obj")
        archive.write(model.with_suffix(".mtl"), "house/model.mtl")
    scene = facet.load(path / "house/model.obj")
    assert scene.meshes[0].face_count == 4 and len(scene.materials) == 2
    assert opened("zip")


def test_formats_of_assimp(tmp_path):
    (tmp_path / "model.off").write_bytes(OFF)
    assert facet.load(tmp_path / "model.off").bounds().tolist() == [[0, 0, 0], [1, 2, 3]]
    assert opened("assimp")
