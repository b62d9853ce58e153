"""Archives (folders in one file), and compression."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Iterator, List, Mapping, Optional

import numpy as np

from ._arrays import address
from ._call import Call
from ._conversion import NONE, refuse_losses
from ._facet import ffi, lib
from ._files import _EFFORTS, Destination, Input, Output, Source
from .record import number, words
from .report import Report


@dataclass(frozen=True)
class Member:
    """A file or a folder in an archive."""

    path: str
    is_folder: bool
    size: int
    """Number of bytes as stored, which may be compressed."""
    is_compressed: bool


class Archive(Mapping[str, bytes]):
    """A RARC, U8, ZIP or tar archive as a mapping from paths to bytes. Reading a file decompresses
    it. ZIP and tar archives are read-only.

    >>> archive = facet.Archive.new("rarc", "stage")
    >>> archive["bdl/cl.bdl"] = b"J3D2bdl4"
    >>> archive.save(folder / "stage.szs").size > 0
    True
    >>> archive = facet.Archive(folder / "stage.szs")
    >>> list(archive), archive["bdl/cl.bdl"]
    (['bdl/cl.bdl'], b'J3D2bdl4')
    >>> del archive["bdl/cl.bdl"]
    >>> len(archive)
    0
    """

    def __init__(self, src: Source, *, memory_limit: Optional[float] = None) -> None:
        with Call(memory_limit=memory_limit) as call:
            opened = Input(call, src, decompress=True).__enter__()
            made = ffi.new("facet_archive **")
            source = opened.source
            if opened.path is None:
                source = self._decompressed(call, opened)
            try:
                call.check(lib.facet_archive_read(source, call.options, made, call.error))
            except BaseException:
                opened.close()
                raise
        opened.finish()
        self._opened = opened
        self._adopt(made[0])

    @staticmethod
    def _decompressed(call: Call, opened: Input) -> Any:
        source = opened.source
        if lib.facet_get_compression(source.data, source.size) != lib.FACET_COMPRESSION_NONE:
            opened.fill(source, decompress(opened.kept[-1]), source.name)
        return source

    def _adopt(self, pointer: Any) -> None:
        self._archive = ffi.gc(pointer, lib.facet_archive_free)
        self._kept: List[Any] = []  # bytes that the archive points to

    @classmethod
    def new(cls, kind: str, name: str = "") -> "Archive":
        """An archive without members. `kind` is "rarc" or "u8"."""
        call, made = Call(), ffi.new("facet_archive **")
        call.check(lib.facet_archive_create(number("facet_archive_kind", kind), name.encode(),
                                            ffi.NULL, made, call.error))
        archive = cls.__new__(cls)
        archive._adopt(made[0])
        return archive

    @property
    def kind(self) -> str:
        """ "rarc", "u8", "zip" or "tar"."""
        return words("facet_archive_kind")[self._archive.kind]

    def _path(self, member: int) -> str:
        size = lib.facet_archive_path(self._archive, member, ffi.NULL, 0)
        space = ffi.new("char[]", size + 1)
        lib.facet_archive_path(self._archive, member, space, size + 1)
        return str(ffi.string(space).decode("utf-8", "surrogateescape"))

    @property
    def members(self) -> List[Member]:
        """All files and folders, in the order of the archive."""
        found = []
        for i in range(self._archive.member_count):
            member = self._archive.members[i]
            found.append(Member(self._path(i), bool(member.flags & lib.FACET_ARCHIVE_FOLDER),
                                int(member.size),
                                bool(member.flags & lib.FACET_ARCHIVE_COMPRESSED)))
        return found

    def _find(self, path: str) -> int:
        found = int(lib.facet_archive_find(self._archive, NONE, os.fsencode(path)))
        if found == NONE:
            raise KeyError(path)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter([member.path for member in self.members if not member.is_folder])

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and \
            lib.facet_archive_find(self._archive, NONE, os.fsencode(path)) != NONE

    def __getitem__(self, path: str) -> bytes:
        return self.read(path)

    def read(self, path: str, *, decompress: bool = True) -> bytes:
        """The bytes of a file. With decompress=False, the bytes as stored."""
        with Call() as call:
            member = self._find(path)
            if not decompress:
                data, size = ffi.new("const uint8_t **"), ffi.new("size_t *")
                call.check(lib.facet_archive_get(self._archive, member, data, size, call.error),
                           path)
                return bytes(ffi.buffer(data[0], size[0])) if size[0] else b""
            source = ffi.new("facet_source *")
            call.check(lib.facet_archive_open(self._archive, member, ffi.NULL, call.options, source,
                                              call.error), path)
            try:
                return bytes(ffi.buffer(source.data, source.size)) if source.size else b""
            finally:
                lib.facet_source_close(source)

    def __setitem__(self, path: str, data: Any) -> None:
        """Replace a file, or add it and the folders of its path."""
        call, kept = Call(), ffi.from_buffer(bytes(data))
        self._kept.append(kept)
        if path in self:
            call.check(lib.facet_archive_replace(self._archive, self._find(path), kept, len(kept),
                                                 call.error), path)
        else:
            call.check(lib.facet_archive_add(self._archive, os.fsencode(path), kept, len(kept),
                                             ffi.NULL, call.error), path)

    def __delitem__(self, path: str) -> None:
        """Remove a file, or a folder with all its content."""
        call = Call()
        call.check(lib.facet_archive_remove(self._archive, self._find(path), call.error), path)

    def save(self, path: Destination, *, compress: Optional[str] = None, strict: bool = False
             ) -> Report:
        """Write the archive to a path or a binary file. A path that ends in .szs or .szp is
        compressed. `compress` is "official", "best", "fast" or "none"."""
        where = os.fsdecode(path) if isinstance(path, (str, os.PathLike)) else None
        with Call(where) as call, Output(call, path, compress=compress) as output:
            call.check(lib.facet_archive_write(self._archive, call.options, output.output,
                                               call.error))
            refuse_losses(call, strict)
            size = output.commit()
            return Report((), call.findings(), size)

    def save_bytes(self) -> bytes:
        """The archive as bytes, not compressed."""
        with Call() as call, Output(call, None) as output:
            call.check(lib.facet_archive_write(self._archive, call.options, output.output,
                                               call.error))
            output.commit()
            return output.data()

    def __repr__(self) -> str:
        return f"<Archive {self.kind} of {len(self)} files>"


# -- Compression -----------------------------------------------------------


def decompress(data: Any) -> bytes:
    """Decompress a Yaz0 or Yay0 stream.

    >>> facet.decompress(facet.compress(b"ab" * 100)) == b"ab" * 100
    True
    """
    packed, call, size = np.frombuffer(data, np.uint8), Call(), ffi.new("size_t *")
    begin = address(packed, "uint8_t *")
    call.check(lib.facet_decompressed_size(begin, len(packed), size, call.error))
    out = np.empty(size[0], np.uint8)
    call.check(lib.facet_decompress(begin, len(packed), address(out, "uint8_t *"), len(out),
                                    call.error))
    return out.tobytes()


def compress(data: Any, kind: str = "yaz0", *, effort: str = "official",
             alignment: int = 0) -> bytes:
    """Compress bytes to a Yaz0 or Yay0 stream. `effort` is "official" (the same bytes as the
    console maker's encoder), "best" (the smallest result) or "fast"."""
    if effort not in _EFFORTS:
        raise ValueError(f"effort is official, best or fast, not {effort!r}")
    array = np.frombuffer(data, np.uint8)
    with Call() as call, Output(call, None) as output:
        call.check(lib.facet_compress(address(array, "uint8_t *"), len(array), number("facet_compression", kind),
                                      _EFFORTS[effort], alignment, call.options, output.output,
                                      call.error))
        output.commit()
        return output.data()
