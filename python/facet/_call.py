"""A call into the library: its options, its report, and its errors."""

from __future__ import annotations

import os
import threading
from contextlib import ExitStack
from dataclasses import replace
from types import TracebackType
from typing import Any, Callable, Dict, List, Optional, Tuple, Type

from ._facet import ffi, lib
from ._options import FAMILIES, TABLE, Values
from .errors import Finding, Findings, exception, findings_of, warn_of

Progress = Callable[[str, float], Optional[bool]]

MEBIBYTE = 1 << 20

# -- Progress --------------------------------------------------------------


def keep_raised(kind: Any, raised: BaseException, trace: Any) -> None:
    """Keep an exception of a callback; check() raises it after the library returns. Ctrl-C can
    arrive before the first line of a callback, where no `try` catches it. cffi calls this function
    in both cases."""
    given = trace.tb_frame.f_locals
    user = given["user"] if "user" in given else given["source"].user
    owner = ffi.from_handle(user)
    call = owner if isinstance(owner, Call) else owner.call
    if call.raised is None:
        call.raised = raised


@ffi.def_extern(name="facet_python_progress", error=False,
                onerror=keep_raised)  # type: ignore[misc]
def _progress(user: Any, step: Any, fraction: float) -> bool:
    call = ffi.from_handle(user)
    if call.raised is not None:
        return False
    return call.progress is None or \
        call.progress(ffi.string(step).decode(), fraction) is not False


# -- Calls -----------------------------------------------------------------


class Call:
    """Options, an error and a report for one or more calls of the library, freed at the end. Other
    Python threads run during a call. In the main thread, Ctrl-C ends the work at its next step."""

    def __init__(self, path: Optional[str] = None, *, threads: int = 1,
                 memory_limit: Optional[float] = None, growth_limit: Optional[int] = None, progress: Optional[Progress] = None,
                 warn: bool = False) -> None:
        self.path: Optional[str] = path
        self.progress: Optional[Progress] = progress
        self.warn: bool = warn
        self.raised: Optional[BaseException] = None
        self.kept: List[Any] = []  # objects that the options point to
        self.error: Any = ffi.new("facet_error *")
        self.options: Any = ffi.new("facet_options *")
        self.options.struct_size = ffi.sizeof("facet_options")
        self.families: Dict[str, Any] = {}
        self.added: Findings = Findings()  # findings of this package, after those of the library
        # Ranges of findings about one of several outputs: first, end, name of the file.
        self.output_findings: List[Tuple[int, int, str]] = []
        self._warned = 0  # number of findings that were issued as Python warnings
        self._handle: Any = None
        self._threads = ffi.NULL
        self._report = ffi.NULL
        if memory_limit is not None:
            if not memory_limit > 0:
                raise ValueError("memory_limit is in MiB, and above 0")
            self.options.memory_limit = int(memory_limit * MEBIBYTE)
        if growth_limit is not None:
            if not growth_limit > 0:
                raise ValueError("growth_limit counts how many times the input's size, from 1 on")
            self.options.growth_limit = growth_limit
        if progress is not None or threading.current_thread() is threading.main_thread():
            self._handle = ffi.new_handle(self)
            self.options.progress = lib.facet_python_progress
            self.options.progress_user = self._handle
        self._wanted_threads = threads
        self.stack: ExitStack = ExitStack()  # inputs that the options point to

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
        findings = self._unwarned() if self.warn else []
        lib.facet_threads_free(self._threads)
        lib.facet_report_free(self._report)
        self._threads = self._report = ffi.NULL
        self._handle = None  # it refers to this object
        warn_of(findings, self.path)

    def _unwarned(self) -> List[Finding]:
        found = self.findings()[self._warned:]
        self._warned += len(found)
        return found

    def warn_now(self) -> None:
        """Warn before the file appears. If Python turns warnings into errors, it does not
        appear."""
        if self.warn:
            warn_of(self._unwarned(), self.path)

    def findings(self) -> Findings:
        found = findings_of(self._report)
        for first, end, name in self.output_findings:
            found[first:end] = [one if one.file else replace(one, file=name)
                                for one in found[first:end]]
        return Findings([*found, *self.added])

    def finding_count(self) -> int:
        return int(lib.facet_report_count(self._report))

    @property
    def report(self) -> Any:
        return self._report

    def check(self, status: int, path: Optional[str] = None) -> None:
        """Raise an exception for a status other than FACET_OK."""
        if self.raised is not None:
            raised, self.raised = self.raised, None
            raise raised
        if status:
            raise exception(status, self.error, path or self.path)

    # -- Options of one family

    def family(self, name: str) -> Any:
        """The struct with a family's options, created and linked at first use."""
        if name not in self.families:
            self.families[name] = ffi.new(f"facet_{name}_options *")
            setattr(self.options, name, self.families[name])
        return self.families[name]

    def apply(self, function: str, values: Values) -> None:
        """Set the options that are members of facet_options, or of a family's struct."""
        for name, value in values.items():
            option = TABLE[function][name]
            for field in option["fields"] or ():
                struct, member = field.split(".")
                if field in FILE_FIELDS:
                    FILE_FIELDS[field](self, name, value)
                elif struct in FAMILIES:
                    self._set(self.family(FAMILIES[struct]), member, option, value)
                elif member == "format_version":
                    self._set(self.options, member, option, value)

    def _set(self, struct: Any, member: str, option: Dict[str, Any], value: Any) -> None:
        kind = dict(ffi.typeof(struct).item.fields)[member].type
        if option["kind"] == "word" and kind.kind != "pointer":
            value = option["words"].index(value) + option["firstWord"]
        elif value == "auto":
            value = _ALL
        elif isinstance(value, str):
            value = self.string(value)
        setattr(struct, member, bool(value) if kind.cname == "_Bool" else value)

    def string(self, value: str) -> Any:
        """A C string that lives as long as the call."""
        made = ffi.new("char[]", value.encode("utf-8", "surrogateescape"))
        self.kept.append(made)
        return made


_ALL = 2**32 - 1  # all mip levels
# Functions for members that need files read. _option_files.py fills the table.
FILE_FIELDS: Dict[str, Callable[["Call", str, Any], None]] = {}


def path_of(given: Any) -> Optional[bytes]:
    """A path in the encoding of the system, or None if `given` is not a path."""
    if isinstance(given, (str, os.PathLike)):
        path = os.fsencode(given)
        if b"\0" in path:
            raise ValueError("a path has no NUL in it")
        return path
    return None


def format_named(name: Optional[str]) -> Any:
    """The format with this name, or NULL for None."""
    if name is None:
        return ffi.NULL
    found = lib.facet_format_named(os.fsencode(name))
    if not found:
        raise ValueError(f"there is no format '{name}'; facet.formats() lists them")
    return found
