"""Inputs and outputs: paths (also into archives), bytes, and file objects."""

from __future__ import annotations

import errno
import io
import os
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Callable, Dict, List, Mapping, Optional, Type, Union

import numpy as np

from ._call import Call, keep_raised, path_of
from ._facet import ffi, lib
from .errors import FILE_ERRORS, FacetError, FileError

Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, IO[bytes], Any]
"""An input: a path, bytes or another object with a buffer, or a binary file object."""

Destination = Union[str, "os.PathLike[str]", IO[bytes], None]
"""An output: a path, or a binary file object."""

Siblings = Union[Mapping[str, bytes], Callable[[str], Optional[bytes]], str, "os.PathLike[str]", None]
"""Files next to an input of bytes: a mapping of names to bytes, a function, or a folder."""


# -- Siblings --------------------------------------------------------------


def _opener(siblings: Siblings) -> Optional[Callable[[str], Any]]:
    if siblings is None or callable(siblings):
        return siblings
    if isinstance(siblings, Mapping):
        return siblings.get
    folder = Path(os.fsdecode(siblings))

    def read(name: str) -> Optional[bytes]:
        path = folder / name
        return path.read_bytes() if path.is_file() else None
    return read


@ffi.def_extern(name="facet_python_open_sibling", error=lib.FACET_ERROR_IO,
                onerror=keep_raised)  # type: ignore[misc]
def _open_sibling(source: Any, name: Any, sibling: Any, error: Any) -> int:
    opened = ffi.from_handle(source.user)
    data = opened.siblings(ffi.string(name).decode("utf-8", "surrogateescape"))
    if data is None:
        return int(lib.FACET_ERROR_IO)
    opened.fill(sibling, data, name)
    return int(lib.FACET_OK)


# -- Inputs ----------------------------------------------------------------


def _refuse_path(given: Any) -> None:
    """Refuse bytes that are a path. Bytes are the content of a file, so the path would be reported
    as a broken file. No mesh is one line that ends with the extension of a format."""
    if isinstance(given, bytes) and 0 < len(given) <= 1024 and not set(given) & set(b"\0\n\r") \
            and lib.facet_format_from_path(given):
        raise TypeError(f"{given!r} is a path, and bytes are the content of a file: give "
                        "os.fsdecode(path)")


class Input:
    """A source that is open while the context lasts."""

    def __init__(self, call: Call, given: Source, *, siblings: Siblings = None,
                 name: Optional[str] = None, allow_external: bool = False,
                 decompress: bool = False) -> None:
        self._input = ffi.NULL
        self._handle: Any = None
        self.call: Call = call
        self.given: Source = given
        self.siblings = _opener(siblings)
        self.decompress: bool = decompress
        self.allow_external: bool = allow_external
        self.source: Any = ffi.new("facet_source *")
        self.kept: List[Any] = []
        self.path: Optional[bytes] = path_of(given)
        self.name: str
        if self.path is not None and siblings is not None:
            raise TypeError("siblings go with bytes; those of a path are the files beside it")
        if self.path is None:
            name = name or getattr(given, "name", None)
            self.name = name if isinstance(name, str) else ""
        else:
            self.name = os.fsdecode(self.path)
        if call.path is None and self.name:
            call.path = self.name

    def fill(self, source: Any, data: Any, name: Any) -> None:
        """Point a source to bytes, which live as long as this input."""
        bytes_ = np.frombuffer(data, np.uint8)
        source.data, source.size = ffi.cast("uint8_t *", bytes_.ctypes.data), len(bytes_)
        source.name = name
        self.kept.append(bytes_)
        if self.siblings is not None:
            source.open_sibling, source.user = lib.facet_python_open_sibling, self._handle

    def __enter__(self) -> "Input":
        call = self.call
        if self.path is not None:
            opened = ffi.new("facet_input **")
            try:
                call.check(lib.facet_input_open(self.path, call.options, opened, call.error),
                           self.name)
            except FileError as error:
                raise of_system(error, self.path, of_reading(self.path)) from None
            self._input = opened[0]
            if self.decompress:
                call.check(lib.facet_input_decompress(self._input, self.source, call.error),
                           self.name)
            else:
                self.source[0] = lib.facet_input_source(self._input)
        else:
            _refuse_path(self.given)
            try:  # a mmap has a buffer and a read method: use the buffer
                data: Any = memoryview(self.given)  # type: ignore[arg-type]
            except TypeError:
                read = getattr(self.given, "read", None)
                if read is None:
                    bytes_ = "; save_bytes() gives the bytes of a scene" \
                        if hasattr(self.given, "save_bytes") else ""
                    raise TypeError("to read from, give a path, bytes or a binary file, not "
                                    f"{type(self.given).__name__}{bytes_}") from None
                data = read()
                if isinstance(data, str):
                    raise TypeError("to read from, give a binary file: open it with mode 'rb'") \
                        from None
            self._handle = ffi.new_handle(self)
            name = ffi.new("char[]", os.fsencode(self.name))
            self.kept.append(name)
            self.fill(self.source, data, name if self.name else ffi.NULL)
        self.source.allow_external = self.allow_external
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], raised: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    def finish(self) -> None:
        """Open no more siblings. The bytes stay until nothing refers to them."""
        self._handle = self.call = self.siblings = None  # type: ignore[assignment]

    def close(self) -> None:
        self.finish()
        lib.facet_input_close(self._input)
        self._input = ffi.NULL
        self.source.data, self.source.size = ffi.NULL, 0
        self.kept.clear()

    def __del__(self) -> None:
        lib.facet_input_close(self._input)


def of_reading(path: bytes) -> Optional[int]:
    """The errno for a path that cannot be read, or None if it can."""
    if not os.path.exists(path):
        return errno.ENOENT
    if os.path.isdir(path):
        return errno.EISDIR
    return None if os.access(path, os.R_OK) else errno.EACCES


def _is_archive(path: bytes) -> bool:
    opened, source = ffi.new("facet_input **"), ffi.new("facet_source *")
    if lib.facet_input_open(path, ffi.NULL, opened, ffi.NULL):
        return False
    try:
        return not lib.facet_input_decompress(opened[0], source, ffi.NULL) and \
            bool(lib.facet_format_is_folder(lib.facet_format_probe(source)))
    finally:
        lib.facet_input_close(opened[0])


def of_writing(path: bytes) -> Optional[int]:
    """The errno for a path that cannot be written, or None if it can. Files are replaced, so the
    folder's permissions count."""
    folder = os.path.dirname(path) or b"."
    if os.path.isdir(path):
        return errno.EISDIR
    if os.path.isfile(folder):
        return None if _is_archive(folder) else errno.ENOTDIR
    if not os.path.isdir(folder):
        return errno.ENOENT
    return None if os.access(folder, os.W_OK) else errno.EACCES


def of_system(error: FacetError, path: bytes, number: Optional[int]) -> FacetError:
    """The same error with an errno and a file name, as the matching subclass of OSError."""
    if error.rule == "ARCHIVE-MEMBER":
        number = errno.ENOENT
    if number is None:  # the reason is the system's own text, at the end of the message
        number = next((one for one in errno.errorcode if error.message.endswith(
            f": {os.strerror(one)}")), None)
    made = FILE_ERRORS.get(number, FileError)(
        error.message, status=error.status, rule=error.rule, offset=error.offset, line=error.line,
        path=error.path)
    made.filename, made.strerror = os.fsdecode(path), error.message
    if number is not None:
        made.errno = number
    return made


@dataclass(frozen=True)
class Origin:
    """The place of a scene's source. It opens files that the scene names, after the scene was
    read."""

    path: Optional[str]
    """Absolute path; None for bytes."""
    siblings: Siblings = None
    allow_external: bool = False

    def open(self, call: Call) -> Input:
        """An input with the siblings of the file. The file itself may be deleted by now."""
        siblings = self.siblings
        if self.path is not None:
            try:
                return Input(call, self.path, allow_external=self.allow_external).__enter__()
            except FileError:
                siblings = os.path.dirname(self.path)
        return Input(call, b"", siblings=siblings, name=self.path,
                     allow_external=self.allow_external).__enter__()


def names_files(scene: Any) -> bool:
    """True if images or textures of a scene have paths."""
    images = (scene.images[i].path for i in range(scene.image_count))
    maps = (one.path for i in range(scene.material_count) for one in scene.materials[i].maps if one)
    return any(path and path[0] != b"\0" for paths in (images, maps) for path in paths)


def forget_files(scene: Any, index: Optional[int] = None) -> None:
    """Remove the file names of an image and of textures with it; without an index, of all images.
    The names would be those of other files: the picture or the folder has changed."""
    empty = lib.facet_scene_string(scene, b"")
    if not empty:
        raise MemoryError
    for i in range(scene.image_count) if index is None else [index]:
        scene.images[i].path = empty
    for i in range(scene.material_count):
        for texture in scene.materials[i].maps:
            if texture and texture.has_image and index in (None, texture.image):
                texture.path = empty


# -- Outputs ---------------------------------------------------------------

_EFFORTS = {"official": lib.FACET_COMPRESSION_OFFICIAL, "fast": lib.FACET_COMPRESSION_FAST,
            "best": lib.FACET_COMPRESSION_BEST}


def archive_options(call: Call, compress: Optional[str], into: bool) -> Any:
    how = ffi.new("facet_archive_output_options *")
    how.struct_size = ffi.sizeof("facet_archive_output_options")
    how.add = into
    if compress == "none":
        how.compression = lib.FACET_COMPRESS_NEVER
    elif compress is not None:
        if compress not in _EFFORTS:
            raise ValueError(f"compress is official, best, fast or none, not {compress!r}")
        how.compression, how.effort = lib.FACET_COMPRESS_ALWAYS, _EFFORTS[compress]
    call.kept.append(how)
    return how


@ffi.def_extern(name="facet_python_write", error=lib.FACET_ERROR_IO,
                onerror=keep_raised)  # type: ignore[misc]
def _write(user: Any, data: Any, size: int, error: Any) -> int:
    output = ffi.from_handle(user)
    limit = output.call.options.memory_limit
    if limit and len(output.stream) + size > limit:
        return int(lib.FACET_ERROR_MEMORY_LIMIT)
    output.stream += ffi.buffer(data, size)
    return int(lib.FACET_OK)


def check_destination(given: Destination) -> None:
    if not (given is None or isinstance(given, (str, os.PathLike)) or hasattr(given, "write")):
        raise TypeError(f"to write to, give a path or a binary file, not {type(given).__name__}")


class Output:
    """An output. Nothing appears before commit(). A file object is a stream and cannot have
    siblings. Without a path and a file object, the output is in memory."""

    def __init__(self, call: Call, given: Destination, *, compress: Optional[str] = None,
                 into: bool = False, name: Optional[str] = None) -> None:
        self.call, self.given, self.name = call, given, name
        self.path = path_of(given)
        if self.path is None and (compress is not None or into):
            raise TypeError("compress and into go with a path")
        check_destination(given)
        self._how = archive_options(call, compress, into)
        self.output = ffi.NULL
        self.stream = bytearray()

    def __enter__(self) -> "Output":
        call, made = self.call, ffi.new("facet_output **")
        if self.path is not None:
            name = os.fsdecode(self.path)
            try:
                call.check(lib.facet_archive_open_output(
                    self.path, self._how, call.options, made, call.error), name)
            except FileError as error:
                raise of_system(error, self.path, of_writing(self.path)) from None
        elif self.given is not None:
            self._handle = ffi.new_handle(self)
            callbacks = ffi.new("facet_output_callbacks *", {
                "write": lib.facet_python_write, "user": self._handle})
            call.check(lib.facet_output_open_callbacks(callbacks, os.fsencode(self.name or ""), made,
                                                       call.error))
        else:
            call.check(lib.facet_output_open_memory(ffi.NULL, made, call.error))
        self.output = made[0]
        if self.path is None and self.given is None and self.name:
            call.check(lib.facet_output_set_name(self.output, os.fsencode(self.name), call.error))
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], raised: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        lib.facet_output_free(self.output)
        self.output, self._handle = ffi.NULL, None

    def commit(self) -> int:
        """Make the output visible, and return its size in bytes."""
        where = os.fsdecode(self.path) if self.path is not None else self.name
        try:
            self.call.check(lib.facet_output_commit(self.output, self.call.error), where)
        except FileError as error:
            if self.path is None:
                raise
            raise of_system(error, self.path, of_writing(self.path)) from None
        if self.path is None and self.given is not None:
            write_all(self.given, bytes(self.stream))
        if self.path is not None and os.path.isfile(self.path):  # may be compressed
            return os.path.getsize(self.path)
        return int(lib.facet_output_size(self.output))

    def data(self) -> bytes:
        """The bytes of an output in memory."""
        return _bytes(self.output)

    def files(self) -> Dict[str, bytes]:
        """The bytes of an output in memory and of its siblings, by name."""
        found, at = {}, self.output
        while at:
            found[ffi.string(lib.facet_output_name(at)).decode()] = _bytes(at)
            at = lib.facet_output_next_sibling(at)
        return found


def write_all(file: Any, data: bytes) -> None:
    """Write bytes to a file object. A raw file may write a part of them at a time. A write() that
    returns None has written everything, except that of a raw file, which would block."""
    rest: Any = data
    while len(rest):
        count = file.write(rest)
        if count is None and not isinstance(file, io.RawIOBase):
            return
        if not isinstance(count, int) or not 0 < count <= len(rest):
            done = len(data) - len(rest)
            raise OSError(errno.EIO, f"write() returned {count!r} for {len(rest)} bytes, after "
                                     f"{done} of {len(data)} bytes were written")
        rest = memoryview(rest)[count:]


def _bytes(output: Any) -> bytes:
    size = lib.facet_output_size(output)
    return bytes(ffi.buffer(lib.facet_output_data(output), size)) if size else b""
