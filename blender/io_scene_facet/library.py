"""The library by ctypes: Blender has no cffi. declarations.py is made of the public headers by
tools/bindings."""

import ctypes
import os
from pathlib import Path

NO_OFFSET = 2**64 - 1
_library = None


class FacetError(Exception):
    """One sentence: which file, where, what was found and what was expected."""


def facet():
    """The library, loaded at first use. FACET_LIBRARY names another one."""
    global _library
    if _library is None:
        from . import declarations
        path = os.environ.get("FACET_LIBRARY") or \
            str(Path(__file__).parent / "lib" / "libfacet-python.so")
        try:
            _library = declarations.bind(ctypes.CDLL(path))
        except (OSError, AttributeError) as error:
            raise FacetError(f"the library cannot be loaded: {error}") from None
        wanted = ".".join(str(declarations.CONSTANTS[f"FACET_VERSION_{part}"])
                          for part in ("MAJOR", "MINOR", "PATCH"))
        if _library.facet_version().decode() != wanted:
            raise FacetError(f"{path} is {_library.facet_version().decode()}, not {wanted}")
    return _library


def check(status, error, path):
    if status:
        place = f"line {error.line}: " if error.line else \
            f"offset {error.offset}: " if error.offset != NO_OFFSET else ""
        rule = f" [{error.rule.decode()}]" if error.rule else ""
        raise FacetError(f"{path}: {place}{error.message.decode('utf-8', 'replace')}{rule}")


class Loaded:
    """A scene for as long as the context lasts: `scene` is a facet_scene."""

    def __init__(self, path, format_):
        self.path, self.format = path, format_

    def __enter__(self):
        from . import declarations as d
        library, error = facet(), d.facet_error()
        self._report = ctypes.POINTER(d.facet_report)()
        self._input = ctypes.POINTER(d.facet_input)()
        self._scene = ctypes.POINTER(d.facet_scene)()
        try:
            check(library.facet_report_create(None, self._report, error), error, self.path)
            options = d.facet_options(struct_size=ctypes.sizeof(d.facet_options),
                                      report=self._report)
            check(library.facet_input_open(os.fsencode(self.path), options, self._input, error),
                  error, self.path)
            source = library.facet_input_source(self._input)
            check(library.facet_load(source, library.facet_format_named(self.format.encode()), None,
                                     options, self._scene, error), error, self.path)
        except FacetError:
            self.__exit__()
            raise
        return self

    @property
    def scene(self):
        return self._scene.contents

    def findings(self):
        """What the reader had to say, as Blender sorts it."""
        library = facet()
        for i in range(library.facet_report_count(self._report)):
            found = library.facet_report_get(self._report, i).contents
            yield ("INFO", "WARNING", "ERROR")[found.severity], \
                found.message.decode("utf-8", "replace")

    def __exit__(self, *ignored):
        library = facet()
        library.facet_scene_free(self._scene)
        library.facet_input_close(self._input)
        library.facet_report_free(self._report)


def load(path, format_):
    return Loaded(path, format_)


def hull_triangles(points):
    """The surface of a convex hull: indices of points, (n, 3); of what is flat none."""
    import numpy as np

    from . import declarations as d
    library, hull, error = facet(), ctypes.POINTER(d.facet_convex_hull)(), d.facet_error()
    points = np.ascontiguousarray(points, np.float32)
    if library.facet_convex_hull_compute(
            points.ctypes.data_as(ctypes.POINTER(ctypes.c_float)), len(points), None, hull, error):
        return np.empty((0, 3), np.uint32)
    found = array(hull.contents.triangles, hull.contents.triangle_count, 3, np.uint32).copy()
    library.facet_convex_hull_free(hull)
    return found


def array(pointer, count, width, dtype):
    """Memory of the library as an array, valid as long as what it is part of: (count, width)."""
    import numpy as np
    dtype = np.dtype(dtype)
    if not pointer or not count:
        return np.empty((0, width), dtype)
    address = pointer if isinstance(pointer, int) else ctypes.cast(pointer, ctypes.c_void_p).value
    buffer = (ctypes.c_char * (count * width * dtype.itemsize)).from_address(address)
    return np.frombuffer(buffer, dtype).reshape(count, width)
