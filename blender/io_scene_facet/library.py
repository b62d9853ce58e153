"""Bindings to the library with ctypes, because Blender has no cffi. tools/bindings generates
declarations.py from the public headers."""

import ctypes
import os
import platform
from contextlib import ExitStack
from pathlib import Path

NO_OFFSET = 2**64 - 1
_library = None


class FacetError(Exception):
    """One sentence: file, location, value found and value expected."""


def included():
    """The path of the library for this machine. The add-on may hold one for each of several."""
    machine = platform.machine().lower().replace("amd64", "x86_64").replace("arm64", "aarch64")
    system = platform.system().lower()
    name = "libfacet-python.dll" if system == "windows" else "libfacet-python.so"
    return Path(__file__).parent / "lib" / f"{system}-{machine}" / name


def facet():
    """The library, loaded at first use. The variable FACET_LIBRARY can name another file."""
    global _library
    if _library is None:
        from . import declarations
        path = os.environ.get("FACET_LIBRARY") or str(included())
        try:
            _library = declarations.bind(ctypes.CDLL(path))
        except (OSError, AttributeError) as error:
            raise FacetError(f"the library cannot be loaded: {error}") from None
        wanted = ".".join(str(declarations.CONSTANTS[f"FACET_VERSION_{part}"])
                          for part in ("MAJOR", "MINOR", "PATCH"))
        if _library.facet_version().decode().partition("+")[0] != wanted:
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
    """Options, an error and a report. Everything is freed at the end of the context."""

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
        """Open a path, which may continue into archives, and decompress the file."""
        from . import declarations as d
        opened, source = ctypes.POINTER(d.facet_input)(), d.facet_source()
        self.check(self.library.facet_input_open(os.fsencode(path), self.options, opened,
                                                 self.error), path)
        self.stack.callback(self.library.facet_input_close, opened)
        self.check(self.library.facet_input_decompress(opened, source, self.error), path)
        return source

    def findings(self):
        """Findings with Blender's severities. Warnings go before notes."""
        found = []
        for i in range(self.library.facet_report_count(self.report)):
            one = self.library.facet_report_get(self.report, i).contents
            found.append((("INFO", "WARNING", "ERROR")[one.severity],
                          one.message.decode("utf-8", "replace")))
        return sorted(found, key=lambda one: one[0] == "INFO")


def format_of(path):
    """The name of the format, detected by content; "" if it is unknown."""
    with Call(path) as call:
        source = call.source(path)
        return (call.library.facet_format_name(call.library.facet_format_probe(source))
                or b"").decode()


def can_add(name):
    """True if the format stores animations without a model."""
    library = facet()
    return library.facet_format_can_load_animation(library.facet_format_named(name.encode()))


def fitting(path, animations):
    """The animation files that move a part of a J3D model."""
    from . import declarations as d
    with Call(path) as call:
        model = ctypes.POINTER(d.facet_j3d)()
        call.check(call.library.facet_j3d_read(call.source(path), call.options, model, call.error))
        call.stack.callback(call.library.facet_j3d_free, model)
        return [one for one in animations if _fits(model, one)]


def _fits(model, path):
    from . import declarations as d
    with Call(path) as call:
        library, made, fits = call.library, ctypes.POINTER(d.facet_j3d_animation)(), ctypes.c_bool()
        try:
            call.check(library.facet_j3d_animation_read(call.source(path), call.options, made,
                                                        call.error))
        except FacetError:
            return False
        call.stack.callback(library.facet_j3d_animation_free, made)
        call.check(library.facet_j3d_animation_check_fit(made, model, call.options, None, fits,
                                                         call.error))
        return fits.value


class Loaded(Call):
    """A loaded scene. It lives as long as the context; `scene` is a facet_scene."""

    def __init__(self, path, format_=None, animations=()):
        super().__init__(path)
        from . import declarations as d
        self._scene = ctypes.POINTER(d.facet_scene)()
        library = self.library
        try:
            source = self._source = self.source(path)
            named = library.facet_format_named(format_.encode()) if format_ else None
            self.check(library.facet_load(source, named, None, self.options, self._scene,
                                          self.error))
            self.stack.callback(library.facet_scene_free, self._scene)
            for one in animations:
                self.check(library.facet_load_animation(self.source(one), None, source, self.options,
                                             self._scene, self.error), one)
            self.check(library.facet_scene_print_extras(self._scene, self.error))
        except BaseException:
            self.stack.close()
            raise

    @property
    def scene(self):
        return self._scene.contents

    @property
    def is_big_endian(self):
        """True if the header of a BGA states big-endian."""
        header = ctypes.string_at(self._source.data, min(self._source.size, 4096))
        return header.splitlines()[1:2] == [b"big endian"]


def load(path, format_=None, animations=()):
    return Loaded(path, format_, animations)


def members(path):
    """Paths of the files in an archive, from its root."""
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
    """An empty scene for writing; `scene` is a facet_scene."""

    def __init__(self, path):
        super().__init__(path)
        from . import declarations as d
        self._families, self._values = {}, {}
        self._scene = ctypes.POINTER(d.facet_scene)()
        self.check(self.library.facet_scene_create(self.options, self._scene, self.error))
        self.stack.callback(self.library.facet_scene_free, self._scene)

    @property
    def scene(self):
        return self._scene.contents

    def string(self, value):
        """A copy of a string in the scene's memory. Python would free its own bytes too early."""
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

    # -- Options

    def family(self, name):
        """The struct with a family's options, created and linked at first use."""
        from . import declarations as d
        if name not in self._families:
            self._families[name] = made = getattr(d, f"facet_{name}_options")()
            setattr(self.options, name,
                    ctypes.cast(ctypes.pointer(made), type(getattr(self.options, name))))
        return self._families[name]

    def set_option(self, option, value):
        """Set the members of facet_options and its families that belong to an option. Other options
        are used by write()."""
        for field in option["fields"] or ():
            struct, member = field.split(".")
            name = struct[len("facet_"):-len("_options")]
            if struct == "facet_options":
                setattr(self.options, member, value)
            elif hasattr(self.options, name):
                self._set_member(self.family(name), member, option, value)
        self._values[option["name"]] = value

    @staticmethod
    def _set_member(struct, member, option, value):
        kind = dict(struct._fields_)[member]
        if option["kind"] == "word" and kind is not ctypes.c_char_p:
            value = option["words"].index(value) + option["firstWord"]
        elif isinstance(value, str):
            value = value.encode()
        setattr(struct, member, value % 2**32 if kind is ctypes.c_uint32 else value)

    def _reduction(self):
        """Options for reducing meshes, or None."""
        from . import declarations as d
        values, share = self._values, self._values.get("simplify", 0)
        if not share and not values.get("max-vertices"):
            return None
        return d.facet_reduce_options(
            struct_size=ctypes.sizeof(d.facet_reduce_options), ratio=share if share <= 1 else 0,
            max_triangles=int(share) if share > 1 else 0,
            max_vertices=values.get("max-vertices", 0), max_error=values.get("simplify-error", 0))

    def _prepare(self, named):
        from . import declarations as d
        values, reduction = self._values, self._reduction()
        how = d.facet_prepare_options(
            struct_size=ctypes.sizeof(d.facet_prepare_options),
            weld_distance=values.get("merge", 0), keep_vertices="keep-vertices" in values,
            skip=d.FACET_NEED_OPTIMIZED if "no-optimize" in values else 0)
        if "hulls" in values or "occluder" in values:
            how.extra = d.FACET_NEED_FLAT | d.FACET_NEED_ONE_MESH | d.FACET_NEED_TRIANGLES
        if reduction:
            how.reduce = ctypes.pointer(reduction)
        self.check(self.library.facet_prepare(self._scene, named, how, self.options, None,
                                              self.error))

    def _resize(self, named):
        """Resize images to powers of two, within the limit of the format."""
        from . import declarations as d
        library, most = self.library, self.library.facet_format_max_texture_side(named)
        for i in range(self.scene.image_count if most else 0):
            image = self.scene.images[i].contents
            if not image.data and not image.pixels:
                continue
            self.check(library.facet_image_decode(self.scene.arena, image, self.options, self.error))
            width, height = (max(2, min(library.facet_image_nearest_power_of_two(side), most))
                             for side in (image.width, image.height))
            self.check(library.facet_image_resize(self.scene.arena, image, width, height, True,
                                                  self.error))

    def _add_collision(self):
        from . import declarations as d
        values, scene = self._values, self.scene
        if "hulls" in values:
            how = d.facet_hulls_options(struct_size=ctypes.sizeof(d.facet_hulls_options),
                                        max_hulls=values["hulls"],
                                        max_vertices=values.get("hull-vertices", 0))
            scene.hull_count = 0
            for i in range(scene.mesh_count):
                self.check(self.library.facet_mesh_hulls(scene.meshes[i], how, self.options,
                                                         self._scene, None, self.error))
        if "occluder" in values and scene.mesh_count:
            simplify = d.facet_simplify_options(
                struct_size=ctypes.sizeof(d.facet_simplify_options), ratio=values["occluder"])
            how = d.facet_occluder_options(struct_size=ctypes.sizeof(d.facet_occluder_options),
                                           simplify=ctypes.pointer(simplify))
            scene.occluder = None
            self.check(self.library.facet_mesh_occluder(scene.meshes[0], how, self.options,
                                                        self._scene, None, self.error))

    # -- Files written

    def write(self, format_, like=None, rate=0.0, given=(), clips=()):
        """Check, prepare and write the scene. Files appear complete or not at all.

        `like` is the path of the original J3D model, or of the model of an animation. `given` are
        pairs (option of the table, value). `clips` are pairs (path, animation) that are written
        instead of the whole scene.
        """
        from . import declarations as d
        library, named = self.library, self.library.facet_format_named(format_.encode())
        for option, value in given:
            self.set_option(option, value)
        if like:
            original = self.source(like)
            self.family("j3d").like = ctypes.pointer(original)
        if rate and "fps" not in self._values:
            self.family("j3d").rate = self.family("bpx").frame_rate = rate
        self.check(library.facet_scene_check(self._scene, self.options, self.error))
        if "scale" in self._values:
            library.facet_scene_scale(self._scene, self._values["scale"])
        if "resize" in self._values:
            self._resize(named)
        self._prepare(named)
        self._add_collision()
        with ExitStack() as outputs:  # all are written before the first appears
            written = []
            for path, clip in clips or [(self.path, None)]:
                output = ctypes.POINTER(d.facet_output)()
                how = d.facet_archive_output_options(add=True)
                self.check(library.facet_archive_open_output(os.fsencode(path), how, self.options,
                                                             output, self.error), path)
                outputs.callback(library.facet_output_free, output)
                if clip is not None:
                    self.family("j3d").clip = clip.encode()
                self.check(library.facet_save(self._scene, named, self.options, output, self.error),
                           path)
                written.append((output, path))
            for output, path in written:
                self.check(library.facet_output_commit(output, self.error), path)


# -- Arrays --------------------------------------------------------------------

def baked(scene, number, rate):
    """Node transforms relative to the parent, `rate` times per second: (frames, nodes, 16)."""
    import numpy as np

    from . import declarations as d
    library, found, error = facet(), d.facet_baked(), d.facet_error()
    check(library.facet_animation_bake(scene, number, rate, None, found, error), error, "")
    count, nodes = found.frame_count, found.node_count
    made = array(found.local, count * nodes, 16, np.float32).reshape(count, nodes, 16).copy()
    library.facet_baked_free(found)
    return made


def array(pointer, count, width, dtype):
    """A view of library memory (count, width). It is valid as long as the owner of the memory."""
    import numpy as np
    dtype = np.dtype(dtype)
    if not pointer or not count:
        return np.empty((0, width), dtype)
    address = pointer if isinstance(pointer, int) else ctypes.cast(pointer, ctypes.c_void_p).value
    buffer = (ctypes.c_char * (count * width * dtype.itemsize)).from_address(address)
    return np.frombuffer(buffer, dtype).reshape(count, width)
