"""The library by ctypes: Blender has no cffi. declarations.py is made of the public headers by
tools/bindings."""

import ctypes
import os
from contextlib import ExitStack
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


# -- Calls -------------------------------------------------------------------

class Call:
    """Options, an error and a report, and what is to be released at the end."""

    def __init__(self, path):
        from . import declarations as d
        self.path, self.library, self.stack = path, facet(), ExitStack()
        self.error = d.facet_error()
        self.report = ctypes.POINTER(d.facet_report)()
        check(self.library.facet_report_create(None, self.report, self.error), self.error, path)
        self.stack.callback(self.library.facet_report_free, self.report)
        self.options = d.facet_options(struct_size=ctypes.sizeof(d.facet_options),
                                       report=self.report)

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        self.stack.close()

    def check(self, status, path=None):
        check(status, self.error, path or self.path)

    def source(self, path):
        """What a path leads to, which may run through archives, decompressed."""
        from . import declarations as d
        opened, source = ctypes.POINTER(d.facet_input)(), d.facet_source()
        self.check(self.library.facet_input_open(os.fsencode(path), self.options, opened,
                                                 self.error), path)
        self.stack.callback(self.library.facet_input_close, opened)
        self.check(self.library.facet_input_decompress(opened, source, self.error), path)
        return source

    def findings(self):
        """What the library had to say, as Blender sorts it; warnings before notes."""
        found = []
        for i in range(self.library.facet_report_count(self.report)):
            one = self.library.facet_report_get(self.report, i).contents
            found.append((("INFO", "WARNING", "ERROR")[one.severity],
                          one.message.decode("utf-8", "replace")))
        return sorted(found, key=lambda one: one[0] == "INFO")


def format_of(path):
    """The name of the format that a file's content says; "" when none knows it."""
    with Call(path) as call:
        source = call.source(path)
        return (call.library.facet_format_name(call.library.facet_format_probe(source))
                or b"").decode()


def can_add(name):
    """The format holds an animation without its model."""
    library = facet()
    return library.facet_format_can_load_animation(library.facet_format_named(name.encode()))


class Loaded(Call):
    """A scene for as long as the context lasts: `scene` is a facet_scene."""

    def __init__(self, path, format_=None, animations=()):
        super().__init__(path)
        from . import declarations as d
        self._scene = ctypes.POINTER(d.facet_scene)()
        library = self.library
        try:
            source = self.source(path)
            named = library.facet_format_named(format_.encode()) if format_ else None
            self.check(library.facet_load(source, named, None, self.options, self._scene,
                                          self.error))
            self.stack.callback(library.facet_scene_free, self._scene)
            for one in animations:
                self.check(library.facet_load_animation(self.source(one), None, source, self.options,
                                             self._scene, self.error), one)
        except BaseException:
            self.stack.close()
            raise

    @property
    def scene(self):
        return self._scene.contents


def load(path, format_=None, animations=()):
    return Loaded(path, format_, animations)


def members(path):
    """The files in an archive, by path from its root."""
    from . import declarations as d
    with Call(path) as call:
        archive = ctypes.POINTER(d.facet_archive)()
        source = call.source(path)
        call.check(call.library.facet_archive_read(source, call.options, archive, call.error))
        call.stack.callback(call.library.facet_archive_free, archive)
        found, place = [], ctypes.create_string_buffer(4096)
        for i in range(archive.contents.member_count):
            if archive.contents.members[i].flags & d.FACET_ARCHIVE_FILE and \
                    call.library.facet_archive_path(archive, i, place, len(place)) < len(place):
                found.append(os.fsdecode(place.value))
        return found


# -- Writing -------------------------------------------------------------------

class Saved(Call):
    """An empty scene to fill and to write: `scene` is a facet_scene."""

    def __init__(self, path):
        super().__init__(path)
        from . import declarations as d
        self._scene = ctypes.POINTER(d.facet_scene)()
        self.check(self.library.facet_scene_create(self.options, self._scene, self.error))
        self.stack.callback(self.library.facet_scene_free, self._scene)

    @property
    def scene(self):
        return self._scene.contents

    def string(self, value):
        """A copy of a string in the scene's memory: bytes of Python's would go with their owner."""
        import numpy as np
        data = np.frombuffer(value.encode("utf-8", "replace") + b"\0", np.uint8)
        return ctypes.cast(self.keep(data, ctypes.c_char), ctypes.c_char_p)

    def keep(self, values, pointer):
        """A copy of an array in the scene's memory."""
        import numpy as np
        values = np.ascontiguousarray(values)
        place = self.library.facet_scene_allocate(self._scene, max(values.nbytes, 1), 1)
        if not place:
            raise FacetError(f"{self.path}: there is not enough memory")
        ctypes.memmove(place, values.ctypes.data, values.nbytes)
        return ctypes.cast(place, ctypes.POINTER(pointer))

    def write(self, format_, like=None, clip=None, rate=0.0):
        """Check, prepare and write the scene; the file appears whole or not at all. `like` is the
        original of a J3D model, or the model of an animation."""
        from . import declarations as d
        library, named = self.library, self.library.facet_format_named(format_.encode())
        families = d.facet_j3d_options(rate=rate)
        if clip:
            families.clip = clip.encode()
        if like:
            original = self.source(like)
            families.like = ctypes.pointer(original)
        self.options.j3d = ctypes.cast(ctypes.pointer(families),
                                       type(self.options.j3d))
        if rate:
            shown = d.facet_bpx_options(frame_rate=rate)
            self.options.bpx = ctypes.cast(ctypes.pointer(shown), type(self.options.bpx))
        self.check(library.facet_scene_check(self._scene, self.options, self.error))
        self.check(library.facet_prepare(self._scene, named, None, self.options, None, self.error))
        output = ctypes.POINTER(d.facet_output)()
        how = d.facet_archive_output_options(add=True)
        self.check(library.facet_archive_open_output(os.fsencode(self.path), how, self.options,
                                                     output, self.error))
        try:
            self.check(library.facet_save(self._scene, named, self.options, output, self.error))
            self.check(library.facet_output_commit(output, self.error))
        finally:
            library.facet_output_free(output)


# -- Arrays --------------------------------------------------------------------

def baked(scene, number, rate):
    """Where the nodes stand in their parents, `rate` times a second: (frames, nodes, 16)."""
    import numpy as np

    from . import declarations as d
    library, found, error = facet(), d.facet_baked(), d.facet_error()
    check(library.facet_animation_bake(scene, number, rate, None, found, error), error, "")
    count, nodes = found.frame_count, found.node_count
    made = array(found.local, count * nodes, 16, np.float32).reshape(count, nodes, 16).copy()
    library.facet_baked_free(found)
    return made


def array(pointer, count, width, dtype):
    """Memory of the library as an array, valid as long as what it is part of: (count, width)."""
    import numpy as np
    dtype = np.dtype(dtype)
    if not pointer or not count:
        return np.empty((0, width), dtype)
    address = pointer if isinstance(pointer, int) else ctypes.cast(pointer, ctypes.c_void_p).value
    buffer = (ctypes.c_char * (count * width * dtype.itemsize)).from_address(address)
    return np.frombuffer(buffer, dtype).reshape(count, width)
