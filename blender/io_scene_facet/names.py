"""Names from the file and names in Blender. Blender truncates names to 63 bytes and makes them
unique."""

import filecmp
import os


def text(value):
    return value.decode("utf-8", "replace") if value else ""


def bare(name):
    """The name without a suffix such as .001."""
    stem, dot, digits = name.rpartition(".")
    return stem if dot and len(digits) >= 3 and digits.isdigit() else name


def kept_name(one):
    """The name of a datablock in the file, unless the user has renamed it."""
    kept = one.get("facet_name")
    if kept is None:
        return one.name
    shown = bare(one.name)
    is_cut = len(kept.encode()) > 58 and kept.startswith(shown[:50])
    return kept if kept in ("", one.name, shown) or is_cut else shown


# -- Several imports -------------------------------------------------------------

def own_source(objects, like):
    """The imported file that an export is about: that of `like`, else that of the first object."""
    found = [one["facet_source"] for one in objects if one.get("facet_source")]
    for source in dict.fromkeys(found):
        if like and _same_file(source, like):
            return source
    return found[0] if found else ""


def _same_file(source, like):
    if os.path.abspath(source) == os.path.abspath(like):
        return True
    try:
        return os.path.samefile(source, like) or filecmp.cmp(source, like, False)
    except OSError:  # a path into an archive
        return False


def is_foreign(one, own):
    """True if a datablock is from another imported file."""
    return one.get("facet_source", own) != own


def order_of(one, own):
    """A key that sorts datablocks: those of the file `own` in its order, those of other files, then
    new ones. An index counts only in its file."""
    index, source = one.get("facet_index"), one.get("facet_source", own)
    if index is None:
        return (2, "", 0)
    return (int(source != own), source if source != own else "", index)
