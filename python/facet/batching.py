"""Run one command over many files. The program's own batch command does the work, with its
processes, results and --resume."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, \
    Union

from ._library import program_path
from ._options import TABLE, Values, listing, take
from .errors import ArgumentError, FacetError, Finding, Findings, in_python

if TYPE_CHECKING:
    from typing_extensions import Unpack
    from ._option_table import BatchOptions

PathLike = Union[str, "os.PathLike[str]"]
Items = Union[PathLike, Iterable[Union[PathLike, Mapping[str, Any]]]]

# -- Results ---------------------------------------------------------------


@dataclass(frozen=True)
class BatchResult:
    """The result of one item: a line of the results. It can be pickled."""

    id: str
    """Id of the item; by default the name of its input."""
    status: str
    """ "ok", "skipped", "failed", "timeout", "memory" or "crashed"."""
    path: str
    """The input."""
    out: Optional[str]
    """The output, or None if the item has none."""
    code: Optional[str]
    """Why the item failed: the rule of the first error, or the kind of failure. None if it did
    not."""
    retry: bool
    """True if another attempt may succeed."""
    findings: Findings
    """Findings of the item."""
    line: Dict[str, Any] = field(repr=False)
    """All keys of the line. docs/reference/batch.md lists them."""

    @property
    def message(self) -> Optional[str]:
        """The sentence of the first error, or None if the item has none."""
        return next((one.message for one in self.findings.errors), None)

    @property
    def ok(self) -> bool:
        """True if the item is done, in this run or an earlier one."""
        return self.status in ("ok", "skipped")


class BatchStopped(FacetError):
    """Some items are not done, because of a signal, a full disk or another system error. Run the
    batch again with resume=True."""


_HEADER = b'{"header":{"command":['
"""Beginning of the line that --header writes."""


def _finding(one: Mapping[str, Any]) -> Finding:
    return Finding(one.get("rule") or "", one.get("severity") or "error",
                   in_python(one.get("message") or ""),
                   one.get("offset"), one.get("line"), one.get("count") or 1, one.get("file"),
                   one.get("mesh"), one.get("face"), one.get("vertex"))


def _result(text: bytes) -> BatchResult:
    line = json.loads(text)
    return BatchResult(line["id"], line["status"], line["in"], line.get("out"), line["code"],
                       line["retry"], Findings(_finding(one) for one in line["findings"]), line)


# -- The program -----------------------------------------------------------


def _words(values: Values) -> List[str]:
    words: List[str] = []
    for name, value in values.items():
        option = "--" + TABLE["batch"][name]["name"]
        if value is True:
            words.append(option)
        else:
            for one in value if isinstance(value, list) else [value]:
                words += [option, os.fspath(one) if isinstance(one, os.PathLike) else str(one)]
    return words


def _manifest(items: Iterable[Union[PathLike, Mapping[str, Any]]]) -> Iterator[bytes]:
    for item in items:
        found = dict(item) if isinstance(item, Mapping) else {"in": item}
        for key in ("in", "out"):
            if isinstance(found.get(key), os.PathLike):
                found[key] = os.fspath(found[key])
        yield json.dumps(found).encode() + b"\n"


def _feed(to: IO[bytes], items: Iterable[Union[PathLike, Mapping[str, Any]]],
          raised: List[BaseException]) -> None:
    """Write the items to the program. If it has ended, stop: its exit status has the reason."""
    try:
        for line in _manifest(items):
            to.write(line)
    except BrokenPipeError:
        pass
    except BaseException as error:
        raised.append(error)
    try:
        to.close()
    except BrokenPipeError:
        pass


def _lines(process: "subprocess.Popen[bytes]", results: Optional[PathLike], before: int) -> Iterator[bytes]:
    """Lines of results as they are written, to standard output or appended to a file."""
    if results is None:
        assert process.stdout
        for text in process.stdout:
            if not text.startswith(_HEADER):
                yield text
        return
    file: Optional[IO[bytes]] = None
    part, over = b"", False
    while not over:
        over = process.poll() is not None
        if file is None and os.path.exists(results):
            file = open(results, "rb")
            file.seek(before)
        for text in file or ():
            part += text
            if part.endswith(b"\n"):
                # Skip --header, and the line end that completes a truncated line.
                if part != b"\n" and not part.startswith(_HEADER):
                    yield part
                part = b""
        if not over:
            time.sleep(0.02)
    if file:
        file.close()


def _stop(process: "subprocess.Popen[bytes]", grace: float) -> None:
    """Stop the program in order: running items get their time, and no output stays incomplete."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(grace + 5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _raise(process: "subprocess.Popen[bytes]", said: bytes) -> None:
    """Raise an error for a wrong call or a stopped batch. Failed items are results, not errors."""
    sentence = said.decode("utf-8", "replace").strip().replace("facet: ", "")
    if process.returncode == 2:
        raise ArgumentError(sentence, status="wrong argument")
    if process.returncode not in (0, 1):
        raise BatchStopped(sentence, status="stopped")


def batch(items: Optional[Items], command: Sequence[str] = ("convert",), **options: Unpack[BatchOptions]
          ) -> Iterator[BatchResult]:
    """Run one command of the program over many items. Yield a result for each item as it ends.

    `items` is one of these:

    path      a file or folder, as for the program: an archive with match=, a shard with stream=True
    iterable  paths, and items as in a manifest:
              {"id": "a7", "in": "in/a7.obj", "out": "out/a7.bsm", "args": ["--scale", "0.01"]}
    None      with claim=FOLDER

    `command` is the command with its options, for example ["render", "--size", "256x256"].

    >>> [(one.id, one.status) for one in facet.batch([{"id": "a", "in": model, "out": folder / "a.glb"}])]
    [('a', 'ok')]

    The program starts when you request the first result. It uses its own processes and threads, so
    the GIL does not limit it. With results=, it also appends the lines to a file. With resume=True,
    items that are done in that file are skipped and have no result. A failed item is a result, not
    an exception.

    Raises ArgumentError if the call is wrong and nothing was done. Raises BatchStopped if items are
    left, or may succeed in another run. If you stop reading (break, close(), KeyboardInterrupt),
    the batch stops: running items get `grace` seconds.
    """
    values = take("batch", options)
    results = values.get("results")
    if "{shard}" in str(results or ""):
        raise ArgumentError("results= is the name of a file, without {shard}", status="wrong argument")
    if results == "-" or values.get("output_tar") == "-":
        raise ArgumentError("results= and output_tar= are files, not '-'", status="wrong argument")
    if (items is None) != ("claim" in values):
        raise ArgumentError("items are None with claim=, and only then", status="wrong argument")
    words = [program_path(), "batch", "--progress", "none", *_words(values)]
    if items is None:
        given = None
    elif isinstance(items, (str, os.PathLike)):
        words.append(os.fspath(items))
        given = None
    else:
        words += ["--manifest", "-"]
        given = items
    words += ["--", *command]
    return _run(words, given, results, float(values.get("grace") or 5))


def _run(words: List[str], given: Optional[Iterable[Union[PathLike, Mapping[str, Any]]]],
         results: Optional[PathLike], grace: float) -> Iterator[BatchResult]:
    before = os.path.getsize(results) if results and os.path.exists(results) else 0
    raised: List[BaseException] = []
    # A separate session: Ctrl-C reaches only this process, which stops the program once.
    process = subprocess.Popen(words, stdin=subprocess.PIPE if given is not None else subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL if results else subprocess.PIPE,
                               stderr=subprocess.PIPE, start_new_session=True)
    said: List[bytes] = []
    assert process.stderr
    threads = [threading.Thread(target=lambda: said.append(process.stderr.read() if process.stderr else b""))]
    if process.stdin and given is not None:
        threads.append(threading.Thread(target=_feed, args=(process.stdin, given, raised)))
    for thread in threads:
        thread.daemon = True
        thread.start()
    try:
        for line in _lines(process, results, before):
            yield _result(line)
        process.wait()
    finally:
        _stop(process, grace)
        for thread in threads:
            thread.join(5)
        for pipe in (process.stdout, process.stderr):
            if pipe:
                pipe.close()
    if raised:
        raise raised[0]
    _raise(process, b"".join(said))


batch.__doc__ = (batch.__doc__ or "") + listing("batch")
