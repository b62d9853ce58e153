"""Loading of scenes from files of any format."""

from __future__ import annotations

import os
from typing import Optional

from ._call import Call, Progress, format_named
from ._conversion import Animations, add_animations, load_scene
from ._facet import lib
from ._files import Input, Origin, Siblings, Source
from ._options import helpful, take
from .scene import Scene


@helpful
def load(src: Source, *, from_: Optional[str] = None, siblings: Siblings = None,
         name: Optional[str] = None, animations: Animations = (), images: bool = False,
         hull_prefix: Optional[str] = None, occluder_name: Optional[str] = None,
         variant: Optional[str] = None, cluster: Optional[int] = None,
         allow_external: bool = False, threads: int = 1, memory_limit: Optional[float] = None, growth_limit: Optional[int] = None,
         progress: Optional[Progress] = None, warn: bool = False, fps: Optional[float] = None
         ) -> Scene:
    """Read a file of any format as a scene. `src` is a path, bytes, or a binary file. A path may
    continue into archives ("Link.arc/bdl/cl.bdl"). Nothing is merged, reordered or triangulated.
    Raises FacetError if the file cannot be read.

    from_           format; None: detected by content
    siblings        files next to bytes: a mapping of names to bytes, a function, or a folder
    name            name of the bytes; its extension helps if the content does not show the format
    animations      J3D animations to add to the model: a list of files, or a folder or an archive,
                    from which fitting ones are added
    images          also load images that the file only names
    hull_prefix     objects whose names begin with it become hulls
    occluder_name   the object with this name becomes the occluder
    variant         name of the variant whose materials are used
    cluster         join vertices while reading, to at most so many: for an OBJ, PLY or STL that
                    is larger than memory
    allow_external  open named files outside the file's folder
    threads         number of threads; 0: one per processor
    memory_limit    maximum memory, in MiB
    growth_limit    limit for extracted data, as a factor of the input's size
    progress        called with the name of a step and its finished part (0 to 1); False cancels
    warn            also issue warnings as Python warnings
    fps             frames per second of animations

    >>> obj = b"mtllib m.mtl\\nusemtl red\\nv 0 0 0\\nv 1 0 0\\nv 0 1 0\\nf 1 2 3\\n"
    >>> scene = facet.load(obj, name="a.obj", siblings={"m.mtl": b"newmtl red\\nKd 1 0 0\\n"})
    >>> scene.materials["red"].base_color
    (1.0, 0.0, 0.0, 1.0)
    >>> scene.meshes[0].triangles.tolist()
    [[0, 1, 2]]
    """
    with Call(threads=threads, memory_limit=memory_limit, growth_limit=growth_limit, progress=progress, warn=warn) as call:
        call.apply("convert", take("convert", {"fps": fps}))
        with Input(call, src, siblings=siblings, name=name, allow_external=allow_external) as opened:
            scene = load_scene(call, opened, format_named(from_), {
                "hull_prefix": hull_prefix, "occluder_name": occluder_name,
                "variant": variant, "cluster": cluster}, images=images)
            try:
                add_animations(call, opened, scene, animations)
            except BaseException:
                lib.facet_scene_free(scene)
                raise
        made = Scene._of(scene, call.findings())
        path = os.path.abspath(os.fsdecode(src)) if isinstance(src, (str, os.PathLike)) else None
        if path is not None or siblings is not None:
            made._origin = Origin(path, siblings, allow_external)
        return made
