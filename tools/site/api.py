"""Pages of the Python and the JavaScript API, for tools/site/build.

Python is parsed, not imported, so nothing must be built. The page has each name of facet.__all__
with its docstring. A class also lists members of its internal base classes. JavaScript's page has
each exported declaration of the package's types, with its comment.
"""

import ast
import copy
import inspect
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGE = ROOT / "python/facet"
# COLUMNS: a table of names and descriptions in a docstring. MODULES: the sections' titles, by the
# module that defines the names.
COLUMNS = re.compile(r"^(\w+(?:, \w+)*) {2,}(?=\S)", re.M)
MODULES = {"loading": "Loading", "scene": "Scenes", "report": "Results of conversions", "mesh": "Meshes",
           "parts": "Parts of a scene", "tools": "Files", "pictures": "Pictures", "batching": "Many files",
           "documents": "Documents of one format", "archives": "Archives and compression", "errors": "Findings and errors", "_library": "The library"}
# Python types of the property classes of tools/bindings.
MEMBERS = {"Flag": "bool", "Text": "str", "OptionalText": "Optional[str]", "Number": "float", "Count": "int",
           "Whole": "int", "Index": "Optional[int]", "Vector": "Tuple[float, ...]", "Extras": "Any"}
ENTRY_POINTS = {"facet-mesh": "index.d.ts", "facet-mesh/client": "client.d.ts", "facet-mesh/three": "three/index.d.ts",
                "facet-mesh/viewer": "viewer/element.d.ts"}


# -- Python ------------------------------------------------------------------------


def modules():
    """The parsed modules by name. tools/bindings generates one of them."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in PACKAGE.glob("*.py")}
    texts["_records"] = subprocess.run([sys.executable, str(ROOT / "tools/bindings"), "records"], check=True,
                                       capture_output=True, text=True).stdout
    return {name: ast.parse(text) for name, text in texts.items()}


def markdown_of(docstring):
    """Convert a docstring to Markdown; examples for the interactive interpreter become code
    blocks."""
    parts = []
    for part in re.split(r"\n\s*\n", inspect.cleandoc(docstring or "")):
        if part.startswith(">>>"):
            parts.append(f"```pycon\n{part}\n```")
        elif part.startswith("    "):
            parts.append(f"```text\n{inspect.cleandoc(part)}\n```")
        elif len(COLUMNS.findall(part)) > 1: # names and descriptions
            parts.append(re.sub(r"\n +", " ", COLUMNS.sub(r"- `\1`: ", part)))
        else: # `code` stays as it is; elsewhere, < and * are escaped
            part = re.sub(r"^([-+#>])", r"\\\1", part, flags=re.M)
            parts.append("".join(word if word.startswith("`") else re.sub(r"([<*])", r"\\\1", word)
                                 for word in re.split(r"(`[^`]*`)", part)))
    return "\n\n".join(parts).strip()


def decorators(function):
    return {ast.unparse(one).partition("(")[0] for one in function.decorator_list}


def directive(kind, signature, text, depth=4, more=""):
    fence = "`" * depth
    return f"{fence}{{py:{kind}}} {signature}\n{more}\n{text}\n{fence}\n"


def signature_of(function, is_method):
    arguments = copy.deepcopy(function.args)
    if is_method and "staticmethod" not in decorators(function):
        first = arguments.posonlyargs or arguments.args
        del first[0]
    returned = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"{function.name}({ast.unparse(arguments)}){returned}"


def text_of(function):
    text = markdown_of(ast.get_docstring(function))
    if function.args.kwarg and "Options" in ast.unparse(function.args.kwarg):
        text += "\n\n[Options](options.md) lists the options."
    return text


def members_of(node):
    """(name, kind, signature, text, more) of each public member of a class, in order."""
    body = node.body
    for place, item in enumerate(body):
        following = body[place + 1] if place + 1 < len(body) else None
        note = following.value.value if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant) \
            and isinstance(following.value.value, str) else ""
        if isinstance(item, ast.FunctionDef):
            marks = decorators(item)
            if item.name.startswith("_") or marks & {"overload"} or any(mark.endswith(".setter") for mark in marks):
                continue
            text = text_of(item)
            if marks & {"property", "cached_property"}:
                kind = f":type: {ast.unparse(item.returns)}\n" if item.returns else ""
                yield item.name, "property", item.name, text, kind
            else:
                more = "".join(f":{mark}:\n" for mark in ("classmethod", "staticmethod") if mark in marks)
                yield item.name, "method", signature_of(item, True), text, more
        elif isinstance(item, (ast.Assign, ast.AnnAssign)):
            target = item.targets[0] if isinstance(item, ast.Assign) else item.target
            if not isinstance(target, ast.Name) or target.id.startswith("_"):
                continue
            kind = ast.unparse(item.annotation) if isinstance(item, ast.AnnAssign) else ""
            if isinstance(item.value, ast.Call): # a member of a C struct: Text("name",
                                                 # "description")
                kind = (kind or MEMBERS.get(ast.unparse(item.value.func), "")).removeprefix("Word")
                kind = kind[1:-1] if kind.startswith("[") else kind
                words = [one.value for one in item.value.args if isinstance(one, ast.Constant)]
                note = note or (words[1] if len(words) > 1 and isinstance(words[1], str) else "")
            yield target.id, "attribute", target.id, markdown_of(note), f":type: {kind}\n" if kind else ""


def find(trees, module, name):
    """The (module, statement) that defines a name of a module."""
    for item in trees[module].body:
        if isinstance(item, (ast.FunctionDef, ast.ClassDef)) and item.name == name and "overload" not in decorators(item):
            return module, item
        if isinstance(item, ast.ImportFrom) and item.level == 1 and item.module in trees and \
                name in [alias.name for alias in item.names]:
            return find(trees, item.module, name)
    return None, None


def class_page(trees, module, node, public):
    members, bases, queue, seen = [], [], [(module, node)], set()
    while queue:
        place, one = queue.pop(0)
        for member in members_of(one):
            if member[0] not in seen:
                seen.add(member[0])
                members.append(member)
        for base in one.bases:
            name = ast.unparse(base).partition("[")[0]
            base_module, inner = find(trees, place, name)
            if inner and inner not in public:
                queue.append((base_module, inner))
            elif name != "Generic":
                bases.append(f"{{py:class}}`{name}`" if inner else f"`{name}`")
    made = next((item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == "__init__"), None)
    text = markdown_of(ast.get_docstring(node))
    if bases:
        text += "\n\nBases: " + ", ".join(bases)
    text += "\n\n" + "\n".join(directive(kind, signature, words, 4, more)
                               for _, kind, signature, words, more in members)
    is_error = node.name.endswith(("Error", "Warning", "Stopped"))
    signature = node.name + (signature_of(made, True).partition("__init__")[2].partition(" -> ")[0] if made else "")
    return directive("exception" if is_error else "class", signature, text, 5)


def python_page():
    """(text of the page, names without a definition)."""
    trees = modules()
    names = next(ast.literal_eval(item.value) for item in trees["__init__"].body
                 if isinstance(item, ast.Assign) and item.targets[0].id == "__all__")
    sections, missing = {module: [] for module in MODULES}, []
    defined = {name: find(trees, "__init__", name) for name in names}
    public = [node for _, node in defined.values()]
    for name, (module, node) in sorted(defined.items(), key=lambda one: (not one[0].islower(), one[0])):
        if node is None:
            missing.append(name)
        elif isinstance(node, ast.ClassDef):
            sections.setdefault(module, []).append(class_page(trees, module, node, public))
        else:
            sections.setdefault(module, []).append(directive("function", signature_of(node, False), text_of(node)))
    text = "# Python API\n\nThis page lists each class and each function of the package `facet`, with its docstring. " \
        "[Python](python.md) shows how to use them, and [Options](options.md) lists the options of all functions.\n\n" \
        "```{py:module} facet\n```\n\n```{py:currentmodule} facet\n```\n"
    for module, parts in sections.items():
        text += f"\n## {MODULES.get(module, module)}\n\n" + "\n".join(parts) if parts else ""
    return text, missing


# -- JavaScript --------------------------------------------------------------------

NAME = re.compile(r"(?:export |declare )*(?:abstract )?(class|interface|type|function|const) (\w+)")


def javascript_page():
    text = "# JavaScript API\n\nThis page lists each export of the npm package `facet-mesh`, as its TypeScript types " \
        "declare it. [JavaScript](javascript.md) shows how to use them, and [Options](options.md) describes all " \
        "options.\n"
    for entry, path in {**ENTRY_POINTS, "Types of options": "options.d.ts"}.items():
        text += f"\n## {entry}\n\n"
        if entry in ENTRY_POINTS:
            text += f"```js\nimport {{ ... }} from \"{entry}\";\n```\n"
        before = None
        for comment, code in declarations((ROOT / "web/package/src" / path).read_text(encoding="utf-8")):
            name = NAME.match(code)[2]
            heading = "" if name == before else f"### {name}\n\n"
            text += f"\n{heading}{comment}\n\n```ts\n{code}\n```\n"
            before = name
    return text


def declarations(types):
    """(comment, code) of each exported declaration that has a name, in order."""
    rows, comment, found = types.split("\n"), [], []
    place = 0
    while place < len(rows):
        row = rows[place]
        if row.startswith("/**"):
            comment = []
            while True:
                comment.append(rows[place])
                if "*/" in rows[place]:
                    break
                place += 1
        elif row.startswith("export ") and NAME.match(row):
            code = [row]
            while depth_of("\n".join(code)) > 0 or not re.search(r"[;}]$", code[-1]):
                place += 1
                code.append(rows[place])
            words = " ".join(re.sub(r"^\s*(/\*\*|\*/|\*)|\*/\s*$", "", line).strip() for line in comment).strip()
            found.append((words, "\n".join(code)))
            comment = []
        elif row:
            comment = []
        place += 1
    return found


def depth_of(code):
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", code, flags=re.S)
    return sum(code.count(c) for c in "{([") - sum(code.count(c) for c in "})]")
