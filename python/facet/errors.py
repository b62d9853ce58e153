"""Exceptions and findings."""

from __future__ import annotations

import errno
import os
import re
import sys
import warnings as _warnings
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Type

from ._facet import ffi, lib
from ._option_table import OPTIONS

NO_OFFSET = 2**64 - 1
NO_INDEX = 2**64 - 1
_HERE = os.path.dirname(__file__)


def text(pointer: Any) -> str:
    """A C string as str. Bytes that are not UTF-8 become surrogates, and text can be encoded again
    without change."""
    return str(ffi.string(pointer).decode("utf-8", "surrogateescape")) if pointer else ""


# -- Exceptions ------------------------------------------------------------


class FacetError(Exception):
    """The library returned an error. The attributes have its details.

    >>> try:
    ...     facet.load(b"not a mesh")
    ... except facet.FacetError as error:
    ...     print(type(error).__name__, error.rule, error.status)
    UnsupportedError FORMAT-UNKNOWN not supported
    """

    status: str
    """The status in a word or two, for example "malformed input"."""
    rule: str
    """Id of the broken rule, for example "BSM-MAGIC", or ""."""
    offset: Optional[int]
    """Byte offset in the input, or None."""
    line: Optional[int]
    """Line of a text file, from 1, or None."""
    path: Optional[str]
    """The file with the error, or None."""
    message: str
    """One sentence: the value found and the value expected."""

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
    """The call is wrong, not the input."""


class UnsupportedError(FacetError):
    """The input is well-formed, but the library does not support it."""


class MalformedError(FacetError, ValueError):
    """The input breaks a rule of its format."""


class LossError(FacetError):
    """The target format cannot store some data, and strict=True forbids losses."""

    losses: "Findings"
    """All losses. The message is that of the first."""

    def __init__(self, message: str = "", *, losses: Optional["Findings"] = None, **more: Any) -> None:
        super().__init__(message, **more)
        self.losses = Findings() if losses is None else losses


class LimitError(FacetError):
    """A limit of the format is exceeded."""


class OutOfMemoryError(FacetError, MemoryError):
    """An allocation failed, or memory_limit is exceeded."""


class MemoryLimitError(OutOfMemoryError, LimitError):
    """memory_limit is exceeded."""


class FileError(FacetError, OSError):
    """The system cannot read or write a file. `errno` and `filename` are those of OSError, if the
    reason is known."""

    def __reduce__(self) -> Any:
        known = {name: getattr(self, name) for name in ("errno", "filename", "strerror")}
        return type(self), self.args, {**vars(self), **known}


class MissingFileError(FileError, FileNotFoundError):
    """The file, or the member of an archive, does not exist."""


class DeniedFileError(FileError, PermissionError):
    """No permission for the file, or for the folder of an output."""


class FolderError(FileError, IsADirectoryError):
    """The path is a folder, not a file."""


class NoFolderError(FileError, NotADirectoryError):
    """A part of the path is a file, but not an archive."""


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


SWITCHES = frozenset(option["name"] for option in OPTIONS)
"""Names of all options of the program."""


def in_python(sentence: str) -> str:
    """A sentence of the library with keywords: "like=" for --like, "scale=0.01" for --scale 0.01.
    Quoted names stay as they are."""
    def keyword(match: "re.Match[str]") -> str:
        if match[1] not in SWITCHES:
            return match[0]
        name = match[1].replace("-", "_")
        return ("from_" if name == "from" else name) + "="
    return re.sub(r"'[^']*'|(?<!\w)--([a-z]+(?:-[a-z]+)*)(?: (?=[0-9]))?", keyword, sentence)


def exception(status: int, error: Any, path: Optional[str]) -> FacetError:
    """The exception for a facet_error."""
    return _CLASSES.get(status, FacetError)(
        in_python(text(error.message)), status=text(lib.facet_status_name(status)), rule=text(error.rule),
        offset=None if error.offset == NO_OFFSET else int(error.offset),
        line=int(error.line) or None, path=path)


# -- Findings --------------------------------------------------------------


class FacetWarning(UserWarning):
    """A finding that is issued as a Python warning because of warn=True, or a loss by an edit of a
    scene."""


@dataclass(frozen=True)
class Finding:
    """One note, warning or error from a check, a reader, a pass or a writer."""

    rule: str
    """Id of the rule, for example "BSM-TRI-WINDING"."""
    severity: str
    """ "note", "warning" or "error"."""
    message: str
    """One sentence."""
    offset: Optional[int] = None
    """Byte offset of the first occurrence, or None."""
    line: Optional[int] = None
    """Line of the first occurrence, from 1, or None."""
    count: int = 1
    """Number of occurrences."""
    file: Optional[str] = None
    """The file that `offset` and `line` refer to, for example a material library; with `split` and
    `lods`, the written file. None: the input, or the only output."""
    mesh: Optional[int] = None
    """Index in the file of the mesh with the first occurrence, or None."""
    face: Optional[int] = None
    """Index of the triangle or polygon, or None. If `mesh` is None, it counts faces of all
    meshes."""
    vertex: Optional[int] = None
    """Index of the vertex, or None. If `mesh` is None, it counts vertices of all meshes."""

    def __str__(self) -> str:
        place = f"line {self.line}: " if self.line else \
            f"offset {self.offset}: " if self.offset is not None else ""
        place = f"{self.file}: {place}" if self.file else place
        return f"{place}{self.severity} {self.rule}: {self.message}"


class Findings(List[Finding]):
    """A list of findings, in the order they were reported."""

    def of(self, severity: str) -> List[Finding]:
        """Findings of one severity."""
        return [finding for finding in self if finding.severity == severity]

    @property
    def errors(self) -> List[Finding]:
        """Findings that break a rule."""
        return self.of("error")

    @property
    def warnings(self) -> List[Finding]:
        """Findings that may be a problem."""
        return self.of("warning")

    @property
    def notes(self) -> List[Finding]:
        """Findings that only describe what was done."""
        return self.of("note")


def findings_of(report: Any, first: int = 0) -> Findings:
    found = Findings()
    for i in range(first, lib.facet_report_count(report)):
        item = lib.facet_report_get(report, i)
        found.append(Finding(
            text(item.rule), text(lib.facet_severity_name(item.severity)),
            in_python(text(item.message)),
            None if item.offset == NO_OFFSET else int(item.offset), int(item.line) or None,
            int(item.count), text(item.file) if item.file else None,
            *(None if index == NO_INDEX else int(index)
              for index in (item.mesh, item.face, item.vertex))))
    return found


def warn(message: str) -> None:
    """Issue a Python warning, located at the line that called this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == _HERE:
        level, frame = level + 1, frame.f_back
    _warnings.warn(message, FacetWarning, level)


def warn_of(findings: Sequence[Finding], path: Optional[str]) -> None:
    """Issue Python warnings for errors and warnings."""
    for finding in findings:
        if finding.severity != "note":
            warn(f"{path}: {finding}" if path else str(finding))
