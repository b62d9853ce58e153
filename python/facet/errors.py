"""What goes wrong, and what is worth saying short of that."""

from __future__ import annotations

import errno
import os
import sys
import warnings as _warnings
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Type

from ._facet import ffi, lib

NO_OFFSET = 2**64 - 1
NO_INDEX = 2**64 - 1
_HERE = os.path.dirname(__file__)


def text(pointer: Any) -> str:
    """A C string as str. Bytes that are no UTF-8 come through, and back, as they are."""
    return str(ffi.string(pointer).decode("utf-8", "surrogateescape")) if pointer else ""


# -- Exceptions ------------------------------------------------------------


class FacetError(Exception):
    """The library refused. What it says is in the attributes, too.

    >>> try:
    ...     facet.load(b"not a mesh")
    ... except facet.FacetError as error:
    ...     print(type(error).__name__, error.rule, error.status)
    UnsupportedError FORMAT-UNKNOWN not supported
    """

    status: str
    """A status in a word or two: "malformed input"."""
    rule: str
    """Id of the broken rule, "BSM-MAGIC", or ""."""
    offset: Optional[int]
    """Byte offset in the input, where there is one."""
    line: Optional[int]
    """Line of a text file, from 1, where there is one."""
    path: Optional[str]
    """The file at fault, where there is one."""
    message: str
    """One sentence: what was found and what was expected."""

    def __init__(self, message: str = "", *, status: str = "", rule: str = "",
                 offset: Optional[int] = None, line: Optional[int] = None,
                 path: Optional[str] = None) -> None:
        super().__init__(message)
        self.message, self.status, self.rule = message, status, rule
        self.offset, self.line, self.path = offset, line, path

    def __str__(self) -> str:
        place = f"line {self.line}: " if self.line else \
            f"offset {self.offset}: " if self.offset is not None else ""
        head = f"{self.path}: " if self.path else ""
        return f"{head}{place}{self.message}" + (f" [{self.rule}]" if self.rule else "")


class ArgumentError(FacetError, ValueError):
    """The call is at fault, not the input."""


class UnsupportedError(FacetError):
    """Well-formed, but not something that the library does."""


class MalformedError(FacetError, ValueError):
    """The input breaks a rule of its format."""


class LossError(FacetError):
    """The target cannot hold it, and strict=True forbade loss."""


class LimitError(FacetError):
    """A limit of the format."""


class OutOfMemoryError(FacetError, MemoryError):
    """An allocation failed, or memory_limit is used up."""


class MemoryLimitError(OutOfMemoryError, LimitError):
    """memory_limit is used up."""


class FileError(FacetError, OSError):
    """The system refused to read or write. `errno` and `filename` are those of OSError where the
    reason is known."""

    def __reduce__(self) -> Any:
        known = {name: getattr(self, name) for name in ("errno", "filename", "strerror")}
        return type(self), self.args, {**vars(self), **known}


class MissingFileError(FileError, FileNotFoundError):
    """There is no such file, or no such member of an archive."""


class DeniedFileError(FileError, PermissionError):
    """The file, or the folder that is written to, may not be used."""


class FolderError(FileError, IsADirectoryError):
    """The path is that of a folder."""


class NoFolderError(FileError, NotADirectoryError):
    """A part of the path is a file and no archive."""


FILE_ERRORS: Dict[Optional[int], Type[FileError]] = {
    errno.ENOENT: MissingFileError, errno.EACCES: DeniedFileError, errno.EISDIR: FolderError,
    errno.ENOTDIR: NoFolderError}


class CanceledError(FacetError):
    """The progress callback returned False."""


_CLASSES: dict[int, Type[FacetError]] = {
    lib.FACET_ERROR_ARGUMENT: ArgumentError,
    lib.FACET_ERROR_UNSUPPORTED: UnsupportedError,
    lib.FACET_ERROR_MALFORMED: MalformedError,
    lib.FACET_ERROR_LOSS: LossError,
    lib.FACET_ERROR_LIMIT: LimitError,
    lib.FACET_ERROR_MEMORY_LIMIT: MemoryLimitError,
    lib.FACET_ERROR_MEMORY: OutOfMemoryError,
    lib.FACET_ERROR_IO: FileError,
    lib.FACET_ERROR_CANCELED: CanceledError,
}


def exception(status: int, error: Any, path: Optional[str]) -> FacetError:
    """What a facet_error says, as an exception."""
    return _CLASSES.get(status, FacetError)(
        text(error.message), status=text(lib.facet_status_name(status)), rule=text(error.rule),
        offset=None if error.offset == NO_OFFSET else int(error.offset),
        line=int(error.line) or None, path=path)


# -- Findings --------------------------------------------------------------


class FacetWarning(UserWarning):
    """A finding that was asked for as a warning of Python's, by warn=True."""


@dataclass(frozen=True)
class Finding:
    """One thing that a check, a reader, a pass or a writer has to say."""

    rule: str
    severity: str
    """"note", "warning" or "error"."""
    message: str
    offset: Optional[int] = None
    """Byte offset of the first occurrence."""
    line: Optional[int] = None
    """Line of the first occurrence."""
    count: int = 1
    """Occurrences that this finding stands for."""
    file: Optional[str] = None
    """The file that offset and line are in, when it is another than the one that was read: a
    material library."""
    mesh: Optional[int] = None
    """Index in the file of the mesh that the first occurrence is about."""
    face: Optional[int] = None
    """Index of the triangle or polygon; without a mesh, counted through all meshes."""
    vertex: Optional[int] = None
    """Index of the vertex; without a mesh, counted through all meshes."""

    def __str__(self) -> str:
        place = f"line {self.line}: " if self.line else \
            f"offset {self.offset}: " if self.offset is not None else ""
        place = f"{self.file}: {place}" if self.file else place
        return f"{place}{self.severity} {self.rule}: {self.message}"


class Findings(List[Finding]):
    """A list of findings, in the order they were made."""

    def of(self, severity: str) -> List[Finding]:
        """Those of one severity."""
        return [finding for finding in self if finding.severity == severity]

    @property
    def errors(self) -> List[Finding]:
        """Those that break a rule."""
        return self.of("error")

    @property
    def warnings(self) -> List[Finding]:
        """Those that are worth a look."""
        return self.of("warning")

    @property
    def notes(self) -> List[Finding]:
        """Those that only say what was done."""
        return self.of("note")


def findings_of(report: Any, first: int = 0) -> Findings:
    found = Findings()
    for i in range(first, lib.facet_report_count(report)):
        item = lib.facet_report_get(report, i)
        found.append(Finding(
            text(item.rule), text(lib.facet_severity_name(item.severity)), text(item.message),
            None if item.offset == NO_OFFSET else int(item.offset), int(item.line) or None,
            int(item.count), text(item.file) if item.file else None,
            *(None if index == NO_INDEX else int(index)
              for index in (item.mesh, item.face, item.vertex))))
    return found


def warn_of(findings: Sequence[Finding], path: Optional[str]) -> None:
    """Warnings of Python's, which point at the line that called this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == _HERE:
        level, frame = level + 1, frame.f_back
    for finding in findings:
        if finding.severity != "note":
            _warnings.warn(f"{path}: {finding}" if path else str(finding), FacetWarning, level)
