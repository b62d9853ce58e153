"""Docstrings agree with the functions: every public one has a docstring and a type for each
argument, and a table of arguments in a docstring names arguments of the function."""

import inspect
import re

import pytest

import facet
from facet._option_table import ConvertOptions, SaveOptions

OPTIONS = {**SaveOptions.__annotations__, **ConvertOptions.__annotations__}
# A row of a table: a name, two or more spaces, a sentence.
ROW = re.compile(r"^(\w+)(?:, (\w+))*  +\S")


def functions():
    """Pairs (dotted name, function) of the public interface."""
    for name in facet.__all__:
        one = getattr(facet, name)
        if inspect.isfunction(one):
            yield name, one
        if not inspect.isclass(one) or issubclass(one, BaseException):
            continue
        for member, value in inspect.getmembers(one):
            if member.startswith("_") or not getattr(value, "__module__", "facet").startswith("facet"):
                continue
            if isinstance(value, property):
                yield f"{name}.{member}", value.fget
            elif inspect.isfunction(value) or inspect.ismethod(value):
                yield f"{name}.{member}", value


FUNCTIONS = dict(functions())


def test_the_interface_is_found():
    assert len(FUNCTIONS) > 150 and "Scene.add_mesh" in FUNCTIONS and "load" in FUNCTIONS


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_argument_has_a_type(name):
    signature = inspect.signature(FUNCTIONS[name])
    without = [one.name for one in signature.parameters.values()
               if one.annotation is one.empty and one.name not in ("self", "cls")]
    assert not without
    assert signature.return_annotation is not signature.empty


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_docstring_names_arguments(name):
    function = FUNCTIONS[name]
    doc = inspect.getdoc(function)
    assert doc and doc[0].isupper() or doc[0] in "(\"`"
    arguments = set(inspect.signature(function).parameters)
    rows = [row for row in map(ROW.match, doc.split(">>>")[0].splitlines()) if row]
    named = {one for row in rows for one in row[0].split("  ")[0].split(", ")}
    if named & arguments:  # otherwise it is another table
        known = arguments | set(OPTIONS if "options" in arguments else ())
        assert named <= known, named - known
        if "options" in arguments:  # a table of options, which may leave out arguments
            return
        left = [one for one in list(inspect.signature(function).parameters)[1:]
                if one not in named and one not in OPTIONS]
        assert set(left) <= {"name"}, left
