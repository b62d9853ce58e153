"""A call into the library: its options, what it reports, and how it fails."""

from __future__ import annotations

import json
import os
import threading
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Callable, Dict, List, Optional, Tuple, Type

from ._facet import ffi, lib
from .errors import Findings, exception, findings_of, warn_of

Progress = Callable[[str, float], Optional[bool]]

MEBIBYTE = 1 << 20

# -- Options of one family -------------------------------------------------

# What the command line calls them: struct, member, formats that take them, and how what is
# given becomes what the struct holds.
_Convert = Callable[[Any], Any]
_ANIMATIONS = "bck bca btk brk bpk bpa btp bva blk bla bxk bxa".split()
_TEXTURED = ["bti", "bmd", "bdl"]


def _word(name: str, **words: int) -> _Convert:
    def convert(given: Any) -> int:
        key = str(given).lower().replace("-", "_")
        if key not in words:
            known = ", ".join(word.replace("_", "-") for word in words)
            raise ValueError(f"{name} is one of {known}, not {given!r}")
        return words[key]
    return convert


def _json(given: Any) -> str:
    """The text of a file of JSON, or of what json.dumps takes."""
    if isinstance(given, (str, os.PathLike)):
        with open(given, encoding="utf-8") as file:
            return file.read()
    return json.dumps(given)


def _mips(given: Any) -> int:
    return int(lib.FACET_GX_ALL_LEVELS) if given == "auto" else int(given)


_LOOPS = {"once": 1, "reset": 2, "repeat": 3, "mirror_once": 4, "mirror_repeat": 5}
_FAMILY: Dict[str, List[Tuple[str, str, List[str], _Convert]]] = {
    "endian": [("bga", "big_endian", ["bga"], _word("endian", little=0, big=1))],
    "interleave": [("bga", "separate_buffers", ["bga"], lambda given: not given)],
    "fps": [("bpx", "frame_rate", ["bpx"], float),
            ("j3d", "rate", ["bck", "bca", "glb", "gltf", "bpx", "fbx", "dae"], float)],
    "texture_format": [("bti", "format", _TEXTURED, str)],
    "mips": [("bti", "levels", _TEXTURED, _mips)],
    "dither": [("bti", "dither", _TEXTURED, bool)],
    "materials": [("j3d", "materials", ["bmd", "bdl", "bmt"], _json)],
    "textures": [("j3d", "textures", ["bmd", "bdl", "bmt"], _json)],
    "quantize": [("j3d", "quantize", ["bmd", "bdl"], _word("quantize", auto=0, none=1, s16=2))],
    "like": [("j3d", "like", ["bck", "bca"], lambda given: given)],
    "clip": [("j3d", "clip", _ANIMATIONS, str)],
    "tolerance": [("j3d", "distance", ["bck", "bca"], float)],
    "angle_tolerance": [("j3d", "angle", ["bck", "bca"], float)],
    "loop": [("j3d", "loop", ["bck", "bca"], _word("loop", **_LOOPS))],
    "ply_encoding": [("ply", "encoding", ["ply"], _word(
        "ply_encoding", little_endian=0, big_endian=1, ascii=2))],
    "stl_encoding": [("stl", "encoding", ["stl"], _word("stl_encoding", binary=0, ascii=1))],
    "format_version": [("", "format_version", ["binarymesh"], int)],
}


def _refuse(name: str, known: Dict[str, Any]) -> TypeError:
    import difflib
    near = difflib.get_close_matches(name, known, 1)
    return TypeError(f"there is no option '{name}'" + (f"; '{near[0]}' is one" if near else ""))


# -- Progress --------------------------------------------------------------


@ffi.def_extern(name="facet_python_progress", error=False)  # type: ignore[misc]
def _progress(user: Any, step: Any, fraction: float) -> bool:
    call = ffi.from_handle(user)
    try:
        if call.raised is not None:
            return False
        return call.progress is None or \
            call.progress(ffi.string(step).decode(), fraction) is not False
    except BaseException as raised:  # handed on when the library has come back
        call.raised = raised
        return False


# -- Calls -----------------------------------------------------------------


class Call:
    """Options, an error and a report for one or more calls of the library, released at the
    end. Inside of the library other Python threads run. Ctrl-C ends work in the main thread
    at the next step.
    """

    def __init__(self, path: Optional[str] = None, *, threads: int = 1,
                 memory_limit: Optional[float] = None, progress: Optional[Progress] = None,
                 warn: bool = False) -> None:
        self.path, self.progress, self.warn = path, progress, warn
        self.raised: Optional[BaseException] = None
        self.kept: List[Any] = []  # what the options point to
        self.error = ffi.new("facet_error *")
        self.options = ffi.new("facet_options *")
        self.options.struct_size = ffi.sizeof("facet_options")
        self.families: Dict[str, Any] = {}
        self._handle: Any = None
        self._threads = ffi.NULL
        self._report = ffi.NULL
        if memory_limit is not None:
            if not memory_limit > 0:
                raise ValueError("memory_limit is in MiB, and above 0")
            self.options.memory_limit = int(memory_limit * MEBIBYTE)
        if progress is not None or threading.current_thread() is threading.main_thread():
            self._handle = ffi.new_handle(self)
            self.options.progress = lib.facet_python_progress
            self.options.progress_user = self._handle
        self._wanted_threads = threads
        self.stack = ExitStack()  # inputs that the options point to

    def __enter__(self) -> "Call":
        report = ffi.new("facet_report **")
        self.check(lib.facet_report_create(ffi.NULL, report, self.error))
        self._report = self.options.report = report[0]
        if self._wanted_threads != 1:
            pool = ffi.new("const facet_threads **")
            self.check(lib.facet_threads_create(self._wanted_threads, pool, self.error))
            self._threads = self.options.threads = pool[0]
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], raised: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.stack.close()
        findings = self.findings() if self.warn else Findings()
        lib.facet_threads_free(self._threads)
        lib.facet_report_free(self._report)
        self._threads = self._report = ffi.NULL
        self._handle = None  # which refers to this
        warn_of(findings, self.path)

    def findings(self) -> Findings:
        return findings_of(self._report)

    @property
    def report(self) -> Any:
        return self._report

    def check(self, status: int, path: Optional[str] = None) -> None:
        """Raise what a call came back with, unless it is FACET_OK."""
        if self.raised is not None:
            raised, self.raised = self.raised, None
            raise raised
        if status:
            raise exception(status, self.error, path or self.path)

    # -- Options of one family

    def family(self, name: str) -> Any:
        """The struct of a family's options, which is made and linked when it is asked for."""
        if name not in self.families:
            self.families[name] = ffi.new(f"facet_{name}_options *")
            setattr(self.options, name, self.families[name])
        return self.families[name]

    def apply(self, given: Dict[str, Any], to: Optional[str]) -> None:
        """Take options of families as keywords. `to` is the format that is written."""
        for name, value in given.items():
            if name not in _FAMILY:
                raise _refuse(name, _FAMILY)
            if value is None:
                continue
            suiting = [entry for entry in _FAMILY[name] if to is None or to in entry[2]]
            if not suiting:
                formats = ", ".join(sorted({one for entry in _FAMILY[name] for one in entry[2]}))
                raise TypeError(f"'{name}' is an option of {formats}; {to} does not take it")
            for struct, member, _, convert in suiting:
                self._set(struct, member, convert(value))

    def _set(self, struct: str, member: str, value: Any) -> None:
        if member == "like":
            from ._files import Input
            value = self.stack.enter_context(Input(self, value)).source
        elif isinstance(value, str):
            value = ffi.new("char[]", value.encode("utf-8", "surrogateescape"))
            self.kept.append(value)
        setattr(self.family(struct) if struct else self.options, member, value)


def path_of(given: Any) -> Optional[bytes]:
    """A path as the system has it; None for what is no path."""
    if isinstance(given, (str, os.PathLike)):
        path = os.fsencode(given)
        if b"\0" in path:
            raise ValueError("a path has no NUL in it")
        return path
    return None


def format_named(name: Optional[str]) -> Any:
    """The line of the format table; NULL for None."""
    if name is None:
        return ffi.NULL
    found = lib.facet_format_named(os.fsencode(name))
    if not found:
        raise ValueError(f"there is no format '{name}'; facet.formats() lists them")
    return found
