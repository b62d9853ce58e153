"""Names of the file and names of Blender, which are cut after 63 bytes and made different."""


def text(value):
    return value.decode("utf-8", "replace") if value else ""


def bare(name):
    """Without Blender's .001."""
    stem, dot, digits = name.rpartition(".")
    return stem if dot and len(digits) >= 3 and digits.isdigit() else name


def kept_name(one):
    """The name that a datablock had in the file, unless it was given another one since."""
    kept = one.get("facet_name")
    if kept is None:
        return one.name
    shown = bare(one.name)
    is_cut = len(kept.encode()) > 58 and kept.startswith(shown[:50])
    return kept if kept in ("", one.name, shown) or is_cut else shown
