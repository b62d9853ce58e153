"""Facet reads, checks, writes and converts mesh files. Mesh data are NumPy arrays.

>>> scene = facet.load(model)
>>> mesh = scene.meshes[0]
>>> mesh.positions.dtype, mesh.positions.shape
(dtype('float32'), (4, 3))
>>> scene.save(folder / "model.glb").passes
('index',)

The C library libfacet does the work. Arrays are views of its memory and keep it alive. For a guide,
see docs/reference/python.md.
"""

from ._library import library_path, version

from .archives import Archive, Member, compress, decompress
from .batching import BatchResult, BatchStopped, batch
from .documents import BGA, BSM, Animation, Document, Record, documents, open_bga, open_bsm, read
from .errors import ArgumentError, CanceledError, DeniedFileError, FacetError, FacetWarning, FileError, \
    Finding, Findings, FolderError, LimitError, LossError, MalformedError, MemoryLimitError, \
    MissingFileError, NoFolderError, OutOfMemoryError, UnsupportedError
from .loading import load
from .mesh import Mesh, Stream
from .parts import Axes, Channel, Hull, Image, Maps, Material, Node, Pose, Skin, Texture
from .pictures import Camera, Picture, render
from .report import Report
from .scene import Scene
from .tools import Comparison, Format, Info, check, compare, convert, extract, formats, info, probe

__version__ = version()

__all__ = [
    "Animation", "Archive", "ArgumentError", "BGA", "BSM", "BatchResult", "BatchStopped", "Camera", "CanceledError",
    "Channel",
    "Comparison", "DeniedFileError", "Document", "FacetError", "FacetWarning", "FileError",
    "Finding", "Findings", "FolderError", "Format", "Axes", "Hull", "Image", "Info", "LimitError", "LossError", "MalformedError",
    "Maps", "Material", "Member", "MemoryLimitError", "Mesh", "MissingFileError", "NoFolderError",
    "Node",    "OutOfMemoryError", "Picture", "Pose",
    "Record", "Report", "Scene", "Skin", "Stream", "Texture", "UnsupportedError", "batch", "check",
    "compare", "compress", "convert", "decompress", "documents", "extract", "formats", "info",
    "library_path", "load", "open_bga", "open_bsm", "probe", "read", "render",
    "version",
]
