"""Members of C structs as properties. tools/bindings generates facet/_records.py with the lists of
members from the headers."""

from __future__ import annotations

import difflib
import inspect
import json
import operator
import os
from collections.abc import Mapping, Set
from typing import Any, Callable, Dict, Generic, Iterable, Iterator, List, Optional, Sequence, Tuple, \
    TypeVar, Union, overload

from ._facet import ffi
from .errors import text

NONE = 2**32 - 1

T = TypeVar("T")
R = TypeVar("R")


class Owner:
    """Functions of a scene that its records use."""

    def string(self, value: str) -> Any:
        """A copy of a string that lives as long as the scene."""
        raise NotImplementedError

    def names(self, kind: str) -> List[str]:
        """The names in a list of the scene, such as "materials"."""
        raise NotImplementedError

    def changed(self) -> None:
        """Note that a member was set. The scene is then checked before the library relies on it."""


class Record:
    """One struct of a scene. Its address is looked up at each use, so it stays valid when you add
    others."""

    _owner: Any

    def _struct(self) -> Any:
        raise NotImplementedError

    def _members(self) -> Iterator[str]:
        found = {name: value for kind in reversed(type(self).__mro__)
                 for name, value in vars(kind).items()}
        return iter([name for name, value in found.items() if isinstance(value, Field)])

    def __setattr__(self, name: str, value: Any) -> None:
        """Set a member. Other names are errors, because nothing would read them."""
        if not name.startswith("_") and not _is_settable(type(self), name):
            near = difflib.get_close_matches(
                name, [one for one in dir(type(self)) if _is_settable(type(self), one)], 1)
            raise AttributeError(f"a {type(self).__name__.lower()} has no member '{name}' to set"
                                 + (f"; did you mean '{near[0]}'?" if near else
                                    f"; help({type(self).__module__}.{type(self).__name__}) lists them"))
        super().__setattr__(name, value)

    def __reduce_ex__(self, protocol: Any) -> Any:
        if not any("__getstate__" in vars(kind) for kind in type(self).__mro__[:-1]):
            raise TypeError(f"{type(self).__name__} is a part of a scene: pickle the scene")
        return super().__reduce_ex__(protocol)

    def __repr__(self) -> str:
        name = getattr(self, "name", None)
        return f"<{type(self).__name__}{f' {name!r}' if name else ''}>"

    def to_dict(self) -> Dict[str, Any]:
        """All plain members by name."""
        return {name: getattr(self, name) for name in self._members()}


def _is_settable(kind: type, name: str) -> bool:
    return hasattr(inspect.getattr_static(kind, name, None), "__set__")


def index_of(value: Any, kind: str, owner: Any) -> int:
    """The index of an item of the list `kind` of the scene of `owner`, such as "materials". It is
    given as the record, its name or its index. A record of another kind is an error: its index
    means something else."""
    if isinstance(value, str):
        return index_of_name(value, owner.names(kind))
    if not isinstance(value, Record):
        return operator.index(value)
    found = getattr(value, "_array", "")
    if found != kind or value._index < 0:  # type: ignore[attr-defined]
        raise TypeError(f"{value!r} is not one of the {kind} of a scene")
    if value._owner is not owner:
        raise ValueError(f"{value!r} is of another scene")
    return int(value._index)  # type: ignore[attr-defined]


def index_of_name(name: str, names: Sequence[str]) -> int:
    """The index of the first item with a name."""
    if name in names:
        return names.index(name)
    known = [one for one in names if one]
    raise KeyError(f"{name!r} is not one of {listed(known)}" if known or not names else
                   f"{name!r}: no element has a name; use an index")


# -- Fields ----------------------------------------------------------------


class Field(Generic[T]):
    """A member of a struct."""

    def __init__(self, member: str, doc: str = "", kind: str = "",
                 fixed: bool = False) -> None:
        self.member: str = member
        self.__doc__ = doc
        self.kind: str = kind
        self.fixed: bool = fixed

    @overload
    def __get__(self: R, record: None, owner: Any) -> R: ...
    @overload
    def __get__(self, record: Record, owner: Any) -> T: ...
    def __get__(self, record: Optional[Record], owner: Any) -> Any:
        if record is None:
            return self
        return self.read(getattr(record._struct(), self.member))

    def __set__(self, record: Record, value: T) -> None:
        if self.fixed:
            raise AttributeError(f"{self.member} follows from other members, and is not set by itself")
        struct = record._struct()
        setattr(struct, self.member, self.write(record, value))
        record._owner.changed()

    def read(self, value: Any) -> Any:
        return value

    def write(self, record: Record, value: T) -> Any:
        return value


class Number(Field[float]):
    """A float."""


class Whole(Field[int]):
    """A whole number."""


class Count(Whole):
    """Length of an array; read-only."""

    def __init__(self, member: str, doc: str = "") -> None:
        super().__init__(member, doc, fixed=True)


class Flag(Field[bool]):
    """True or False."""

    def read(self, value: Any) -> bool:
        return bool(value)


# Lists that members refer to, unless the list is the plural of the member.
_LISTS = {"mesh": "meshes", "parent": "nodes", "skeleton": "nodes"}


class Index(Field[Optional[int]]):
    """An index, or None. You can also assign the record with that index, or its name."""

    def read(self, value: Any) -> Optional[int]:
        return None if value == NONE else int(value)

    def write(self, record: Record, value: Optional[int]) -> int:
        kind = _LISTS.get(self.member, f"{self.member}s")
        return NONE if value is None else index_of(value, kind, record._owner)


class Text(Field[str]):
    """A string; "" means none."""

    def read(self, value: Any) -> str:
        return text(value)

    def write(self, record: Record, value: str) -> Any:
        return record._owner.string(value)


class OptionalText(Field[Optional[str]]):
    """A string, or None."""

    def read(self, value: Any) -> Optional[str]:
        return text(value) if value else None

    def write(self, record: Record, value: Optional[str]) -> Any:
        return ffi.NULL if value is None else record._owner.string(value)


class Extras(Field[Any]):
    """Other data of the source: JSON as Python values, or None."""

    def read(self, value: Any) -> Any:
        return json.loads(text(value)) if value else None

    def write(self, record: Record, value: Any) -> Any:
        try:
            return ffi.NULL if value is None else record._owner.string(
                json.dumps(value, allow_nan=False))
        except ValueError:
            raise ValueError(f"{self.member} has a number that is infinite or NaN, or refers to "
                             "itself: JSON cannot hold it") from None


class Vector(Field[Tuple[float, ...]]):
    """A tuple of floats. Its length is fixed."""

    def read(self, value: Any) -> Tuple[float, ...]:
        return tuple(value)

    def array(self, record: Record) -> Any:
        return getattr(record._struct(), self.member)

    def __set__(self, record: Record, value: Sequence[float]) -> None:
        array = self.array(record)
        if not isinstance(value, Iterable):
            raise TypeError(f"{self.member} has {len(array)} numbers, not only {value!r}")
        if isinstance(value, (str, bytes, bytearray, Set, Mapping)):  # no numbers, or in no order
            raise TypeError(f"{self.member} has {len(array)} numbers in a row, not a "
                            f"{type(value).__name__}")
        numbers = [float(number) for number in value]
        if len(numbers) != len(array):
            raise ValueError(f"{self.member} has {len(array)} numbers, not {len(numbers)}")
        array[0:len(numbers)] = numbers
        record._owner.changed()


class Word(Field[T]):
    """A word of a C enumeration."""

    def read(self, value: Any) -> Any:
        return words(self.kind).get(value, str(value))

    def write(self, record: Record, value: Any) -> int:
        return number(self.kind, value)


_WORDS: Dict[str, Dict[int, str]] = {}


def words(enum: str) -> Dict[int, str]:
    """The words of an enumeration by value. For example, FACET_WRAP_CLAMP is "clamp"."""
    if enum not in _WORDS:
        names = ffi.typeof(enum).elements
        prefix = os.path.commonprefix(list(names.values()))
        prefix = prefix[:prefix.rfind("_") + 1]
        _WORDS[enum] = {value: name[len(prefix):].lower() for value, name in names.items()}
    return _WORDS[enum]


def number(enum: str, word: Union[str, int]) -> int:
    """The value of a word of an enumeration, which may also be given as that value."""
    known = words(enum)
    if isinstance(word, str):
        for value, name in known.items():
            if name == word.lower().replace("-", "_"):
                return value
    elif isinstance(word, bool) or not hasattr(word, "__index__"):
        raise TypeError(f"expected one of {', '.join(known.values())}, not {word!r}")
    elif operator.index(word) in known:
        return operator.index(word)
    raise ValueError(f"{word!r} is none of {', '.join(known.values())}")


def listed(names: Sequence[Any]) -> str:
    """Names for a message: at most 12 of them."""
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return (", ".join(map(repr, names[:12])) + more) if names else "none"


# -- Lists of records ------------------------------------------------------


class Records(Sequence[T]):
    """A list of records, created when you read them."""

    def __init__(self, count: Callable[[], int], make: Callable[[int], T]) -> None:
        self._count, self._make = count, make

    def __len__(self) -> int:
        return self._count()

    @overload
    def __getitem__(self, key: int) -> T: ...
    @overload
    def __getitem__(self, key: slice) -> List[T]: ...
    @overload
    def __getitem__(self, key: str) -> T: ...
    def __getitem__(self, key: Any) -> Any:
        """A record by index, or the first with a name."""
        if isinstance(key, slice):
            return [self._make(i) for i in range(*key.indices(len(self)))]
        if isinstance(key, str):
            return self._make(index_of_name(key, [getattr(one, "name", "") for one in self]))
        if isinstance(key, bool) or not hasattr(key, "__index__"):
            raise TypeError(f"a record is found by index, name or slice, not by {key!r}")
        count, index = len(self), operator.index(key)
        if not -count <= index < count:
            raise IndexError(f"there are {count}, and none is number {index}")
        return self._make(index % count)

    def __repr__(self) -> str:
        shown = ", ".join(repr(record) for record in self[:8])
        return f"[{shown}{', ...' if len(self) > 8 else ''}]"
