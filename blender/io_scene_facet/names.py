"""Names from the file and names in Blender. Blender truncates names to 63 bytes and makes them
unique."""


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
