"""The options of each function, and their valid values. The source is the table of the command line
(_option_table.py)."""

from __future__ import annotations

import difflib
import functools
import inspect
import math
import operator
import os
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, TypeVar, cast

import numpy as np

from ._facet import ffi
from ._option_table import NOT_TAKEN, OPTIONS

Values = Dict[str, Any]
"""Options by their Python names. Options that were not given are missing."""


def python_name(name: str) -> str:
    return "from_" if name == "from" else name.replace("-", "_")


def _by_command() -> Dict[str, Dict[str, Dict[str, Any]]]:
    found: Dict[str, Dict[str, Dict[str, Any]]] = {}
    for option in OPTIONS:
        for command in option["commands"]:
            found.setdefault(command, {})[python_name(option["name"])] = option
    found["save"] = found["convert"]
    found["write"] = {name: option for name, option in found["convert"].items()
                      if name not in ("threads", "memory_limit", "growth_limit") and _is_of_family(option)}
    return found


def _is_of_family(option: Dict[str, Any]) -> bool:
    """True if the option sets only members of facet_options and of the structs in FAMILIES."""
    structs = {field.split(".")[0] for field in option["fields"] or ()}
    return bool(structs) and structs <= FAMILIES.keys() | {"facet_options"}


FAMILIES = {f"facet_{name}_options": name for name, field in ffi.typeof("facet_options").fields
            if field.type.kind == "pointer" and f"facet_{name}_options" in field.type.cname}
"""The names of members of facet_options, by the name of the struct that they point to."""

TABLE = _by_command()
NOT_TAKEN["write"] = {}


def _refuse(function: str, name: str) -> TypeError:
    """The error for an option that a function does not take."""
    reasons = {python_name(one): why for one, why in NOT_TAKEN[function].items()}
    if name in reasons:
        return TypeError(f"{function}() has no option '{name}': {reasons[name]}")
    near = difflib.get_close_matches(name, [one for one in TABLE[function] if one not in reasons], 1)
    return TypeError(f"{function}() has no option '{name}'" + (f"; did you mean '{near[0]}'?" if near else ""))


def _signature_error(function: str, name: str, parameters: List[str]) -> TypeError:
    """The error for a keyword that a function does not have."""
    reasons = {python_name(one): why for one, why in NOT_TAKEN.get(function, {}).items()}
    if name in reasons:
        return TypeError(f"{function}() has no option '{name}': {reasons[name]}")
    near = difflib.get_close_matches(name, parameters, 1) or \
        [one for one in ("from_", "to") if name in ("fmt", "format") and one in parameters][:1]
    return TypeError(f"{function}() has no option '{name}'"
                     + (f"; did you mean '{near[0]}'?" if near else ""))


F = TypeVar("F", bound=Callable[..., Any])


def helpful(function: F) -> F:
    """Decorator of a function with fixed keywords: an unknown one is a TypeError with the nearest
    name, or with the reason."""
    parameters = list(inspect.signature(function).parameters)

    @functools.wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        for name in named:
            if name not in parameters:
                raise _signature_error(function.__name__, name,
                                       [one for one in parameters if one != "self"])
        return function(*given, **named)
    return cast(F, call)


# -- Values ----------------------------------------------------------------


def _flag(name: str, value: Any) -> Optional[bool]:
    """True, or None for False. 0 and 1 count as such; a word such as "no" would be true."""
    if not isinstance(value, (bool, int, np.bool_)) or value not in (0, 1):
        raise TypeError(f"{name} is True or False, not {value!r}")
    return True if value else None


def _word(name: str, option: Dict[str, Any], value: Any) -> str:
    words: List[str] = option["words"]
    if isinstance(value, bool) and words == ["yes", "no"]:
        return "yes" if value else "no"
    key = str(value).lower().replace("_", "-")
    for word in words:
        if word.lower() == key:
            return word
    raise ValueError(f"{name} is one of {', '.join(words)}, not {value!r}")


def _range(option: Dict[str, Any]) -> str:
    least, most = option["least"], option["most"]
    if option["kind"] == "number":
        return "a number above 0" + (f" and up to {most:g}" if most else "")
    numbers = f"{least} to {most}" if most else f"a number from {least} on"
    return ('"auto" or ' if option["auto"] else "") + numbers


def _number(name: str, option: Dict[str, Any], value: Any) -> Any:
    """Check a number. 0 means not given, as in the library's structs."""
    if option["auto"] and value == "auto":
        return value
    try:
        number = operator.index(value) if option["kind"] == "count" else float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} is {_range(option)}, not {value!r}") from None
    if number == 0:
        return None
    if not math.isfinite(number) or number < option["least"] or \
            (option["most"] and number > option["most"]):
        raise ValueError(f"{name} is {_range(option)}, not {value!r}")
    return number


def _pairs(name: str, value: Any) -> List[Tuple[str, Any]]:
    """Pairs from one or more strings NAME=FILE, or from a mapping."""
    if isinstance(value, Mapping):
        return list(value.items())
    pairs = []
    for one in [value] if isinstance(value, str) else value:
        before, equals, after = str(one).rpartition("=")
        if not before or not after:
            raise ValueError(f"{name} is NAME=FILE or a mapping, not {one!r}")
        pairs.append((before, after))
    return pairs


def _text(name: str, option: Dict[str, Any], value: Any) -> Any:
    if option["argument"] in ("FILE", "MODEL", "DIR", "FOLDER") or option["name"] in (
            "size", "view", "time", "mode", "light", "background", "ignore", "animation"):
        return value  # the function that uses it checks it
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{name} is a string, not {value!r}")
    return os.fspath(value)


def checked(function: str, name: str, value: Any) -> Any:
    """The checked value of an option, or None if the value means not given."""
    option = TABLE[function][name]
    if value is None:
        return None
    if option["kind"] == "flag":
        return _flag(name, value)
    if option["kind"] == "word":
        return _word(name, option, value)
    if option["kind"] in ("count", "number"):
        return _number(name, option, value)
    if option["kind"] == "texts" and not option["argument"].endswith("=FILE"):
        return [value] if isinstance(value, str) else [str(one) for one in value] or None
    if option["kind"] == "texts":
        return _pairs(name, value) or None
    return value if option["kind"] == "format" else _text(name, option, value)


def take(function: str, given: Mapping[str, Any], to: Optional[str] = None) -> Values:
    """Check the options of a call. `to` is the name of the output format."""
    values: Values = {}
    for name, value in given.items():
        option = TABLE[function].get(name)
        if option is None or option["name"] in NOT_TAKEN[function]:
            raise _refuse(function, name)
        found = checked(function, name, value)
        if found is None:
            continue
        formats = option["formats"]
        if to is not None and formats is not None and to not in formats:
            raise TypeError(f"'{name}' is an option of {', '.join(formats)}; {to} does not take it")
        values[name] = found
    return values


def needs_scene(values: Values) -> bool:
    """True if an option needs a scene, so that the document cannot be copied."""
    for name in values:
        option = TABLE["convert"][name]
        unless = option["unless"] or ()
        if option["needsScene"] and not any(python_name(one) in values for one in unless):
            return True
    return False


# -- Documentation ---------------------------------------------------------


def listing(function: str) -> str:
    """A list of a function's options for its docstring."""
    lines = ["", "", "Options, where 0 and None are the same as not given:", ""]
    for name, option in TABLE[function].items():
        if option["name"] in NOT_TAKEN[function]:
            continue
        # Functions use one thread, other than the program.
        default = "1; 0: one per processor" if name == "threads" else option["default"]
        text = option["help"] + (f" (default: {default})" if default else "")
        lines.append(f"{name:<16}{text}" + (
            f" [{', '.join(option['formats'])}]" if option["formats"] else ""))
    return "\n    ".join(lines) + "\n"
