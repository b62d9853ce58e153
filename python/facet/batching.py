"""Many files through one command, by the program's own batch: its processes, results and --resume."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, \
    Union

from ._options import TABLE, Values, listing, take
from .errors import ArgumentError, FacetError, Finding, Findings

if TYPE_CHECKING:
    from typing_extensions import Unpack
    from ._option_table import BatchOptions

PathLike = Union[str, "os.PathLike[str]"]
Items = Union[PathLike, Iterable[Union[PathLike, Mapping[str, Any]]]]

# -- Results ---------------------------------------------------------------


@dataclass(frozen=True)
class BatchResult:
    """What came of one item: a line of the results. It pickles."""

    id: str
    status: str
    """"ok", "skipped", "failed", "timeout", "memory" or "crashed"."""
    path: str
    """The input."""
    out: Optional[str]
    """The output, where the item has one."""
    code: Optional[str]
    """Why not: the rule of the first error, or what failed."""
    retry: bool
    """Whether another attempt may help."""
    findings: Findings
    line: Dict[str, Any]
    """All keys, as docs/reference/batch.md lists them."""

    @property
    def ok(self) -> bool:
        """Whether the item is done, now or before."""
        return self.status in ("ok", "skipped")


class BatchStopped(FacetError):
    """Items are left: a signal, a full disk or another fault of the system. Run it again with resume."""


_HEADER = b'{"header":{"command":['
"""How the line of --header begins."""


def _finding(one: Mapping[str, Any]) -> Finding:
    return Finding(one.get("rule") or "", one.get("severity") or "error", one.get("message") or "",
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
    """Give the program its items. One that has ended takes no more: its status says why."""
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
    """Lines as they are written, to standard output or behind what is in a file."""
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
                # Not the end of a line that was cut short, and no --header.
                if part != b"\n" and not part.startswith(_HEADER):
                    yield part
                part = b""
        if not over:
            time.sleep(0.02)
    if file:
        file.close()


def _stop(process: "subprocess.Popen[bytes]", grace: float) -> None:
    """Let it end in order: items at work get their time, and leave nothing half-written."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(grace + 5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _raise(process: "subprocess.Popen[bytes]", said: bytes) -> None:
    """Failed items are results and no exception."""
    sentence = said.decode("utf-8", "replace").strip().replace("facet: ", "")
    if process.returncode == 2:
        raise ArgumentError(sentence, status="wrong argument")
    if process.returncode not in (0, 1):
        raise BatchStopped(sentence, status="stopped")


def batch(items: Optional[Items], command: Sequence[str] = ("convert",), **options: Unpack[BatchOptions]
          ) -> Iterator[BatchResult]:
    """Put many items through one command of the program, and yield a result for each as it ends.

    `items` is a file or folder, as the program takes it (an archive with match=, a shard with
    stream=True), or an iterable of paths and of items as a manifest has them:
    {"id": "a7", "in": "in/a7.obj", "out": "out/a7.bsm", "args": ["--scale", "0.01"]}. With
    claim=FOLDER they are None. `command` is the command with its options, as ["render", "--size", "256x256"].

    >>> [(one.id, one.status) for one in facet.batch([{"id": "a", "in": model, "out": folder / "a.glb"}])]
    [('a', 'ok')]

    It begins with the first result that is asked for. Work is done by processes and threads of the
    program, so the GIL holds up nothing. With results= the lines are also appended to a file, and with
    resume=True what is done there is left out, without a result. A failed item is a result. Raises
    ArgumentError when nothing was done because the call is wrong, and BatchStopped when items are
    left or may work when they are run again. Whoever stops asking (break, close(), KeyboardInterrupt)
    stops the batch: items at work get `grace` seconds.
    """
    values = take("batch", options)
    results = values.get("results")
    if "{shard}" in str(results or ""):
        raise ArgumentError("results= is the name of a file, without {shard}", status="wrong argument")
    if results == "-" or values.get("output_tar") == "-":
        raise ArgumentError("results= and output_tar= are files, not '-'", status="wrong argument")
    if (items is None) != ("claim" in values):
        raise ArgumentError("items are None with claim=, and only then", status="wrong argument")
    words = [str(Path(__file__).parent / "_lib" / "facet"), "batch", "--progress", "none", *_words(values)]
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
    # A session of its own: Ctrl-C reaches this process only, which stops the program once.
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
