"""Joins the playground's modules into one script, for pages that import none: notebooks, and files on a disk."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE, STYLES = Path(__file__).parent, "style.js"
MOUNTING = {"mount": "playground.js", "mountOnSite": "site.js"}  # of notebooks, and of the site
# Modules import and export in these forms only.
IMPORT = re.compile(r'import \{ (\w+(?:, \w+)*) \} from "\./(\w+\.js)";')
EXPORT = re.compile(r"export (?=(?:async )?function\b|const |class )")
NAMED = re.compile(r"(?:async )?(?:function\*?|class) (\w+)")
COMMENT = re.compile(r'^ *//.*|(?<=[;,{([]) // [^"`]*$')  # behind code, where no text can be open
TEXT, WITHIN = re.compile("`|(?<! )/|/(?! )"), re.compile(r'("(?:\\.|[^"\\])*")')
SPACED = re.compile(r" ?([][=<>?:&|*,;{}()]+) ?|(?<=[\w)]) ([-+]) (?=[\w(])")  # + + and - - need their blanks
LIKE_NOTHING_ELSE = re.compile(r"[a-z]+[A-Z]\w*|[A-Z]{2,}_?[A-Z]{2,}|[A-Z]+_[A-Z_]+")
BETWEEN = re.compile(r" ?([{};>]) ?|(?<=[:,]) ")  # in CSS; a blank before a colon means something there
JOINS = re.compile(r"(?!.*//).*[;,{([]$")  # behind such a line, its end says nothing
# What serves is there once, as a function whose text a worker runs, too.
JOINED = """(function (id, setting, weights, where) {
"use strict";
const ENGINE = () => {
"use strict";
%s
return { %s };
};
const mountWith = ({ %s }) => {
%s
return %s;
};
const spawn = () =>
new Worker(`data:text/javascript;charset=utf-8,${encodeURIComponent(`(${ENGINE})().serve(self)`)}`);
for (const root of document.querySelectorAll(`[data-playground="${id}"]`)) {
if (root.dataset.ready) continue;
const stills = [...root.children], box = document.createElement("div");
root.dataset.ready = "yes";
root.append(box);
mountWith(ENGINE())(box, weights ? { ...setting, weights: [...weights] } : setting, spawn, where);
for (const still of stills) still.remove();
}
})"""


@dataclass(frozen=True)
class Module:
    """A file: the names that it imports, by file; those that it declares; and its text without the words for both."""

    imports: Sequence[tuple[str, Sequence[str]]]
    names: Sequence[str]
    text: str


def script(folder: Path = HERE, mounting: str = "mount") -> str:
    """Return the folder's modules as one script: a function of an element's name and a setting, not called.

    Only what the module of MOUNTING that declares ``mounting`` imports, and what that imports, and so on, is in it: so
    the notebooks' script leaves out what only the site has.

    It replaces what stands in the element. Two more arguments may follow: weights to begin with, and where it is, as
    ``mount`` in playground.js has it.

    Raises ValueError for what cannot be joined.
    """
    engine: dict[str, Module] = {}
    _load(folder, "serving.js", engine)
    modules = dict(engine)
    _load(folder, MOUNTING[mounting], modules)
    page = {file: module for file, module in modules.items() if file not in engine}
    _once(modules)
    used = {name for module in page.values() for file, names in module.imports if file in engine for name in names}
    texts = ["".join(module.text for module in part.values()) for part in (engine, page)]
    joined = JOINED % (texts[0], ", ".join(sorted({*used, "serve"})), ", ".join(sorted(used)), texts[1], mounting)
    joined = _with_short_names(
        joined, [name for module in modules.values() for name in module.names if name != mounting]
    )
    return re.sub("<(?=/script|!--)", r"<\\", joined, flags=re.IGNORECASE)  # which would end it, or hide its end


def _with_short_names(text: str, names: Sequence[str]) -> str:
    """Return the text with short names for those of ``names`` that are surely nothing else anywhere in it.

    They are no words of prose, since they are in capitals, or have one within; nor parts of a text in quotes; nor
    properties.
    """
    counts = Counter(re.findall(r"[\w$]+", text))
    taken = {word for quoted in WITHIN.findall(text) for word in re.findall(r"\w+", quoted)}
    taken |= {one or other for one, other in re.findall(r"(?<!\.\.)\.(\w+)|(\w+) *:", text)}
    known = [name for name in names if name not in taken and LIKE_NOTHING_ELSE.fullmatch(name)]
    short = {name: f"_{number:x}" for number, name in enumerate(sorted(known, key=lambda name: (-counts[name], name)))}
    return re.sub(r"(?<![\w$])\w+", lambda found: short.get(found[0], found[0]), text)


def _load(folder: Path, file: str, found: dict[str, Module], importing: Sequence[str] = ()) -> None:
    """Add a file to those that were found, behind all that it imports."""
    if file in importing:
        raise ValueError(f"{' imports '.join([*importing, file])}: joined into one script, they have no order")
    if file in found:
        return
    module = _module(file, (folder / file).read_text(encoding="utf-8"))
    for other, _ in module.imports:
        _load(folder, other, found, [*importing, file])
    found[file] = module


def _once(modules: dict[str, Module]) -> None:
    """Raise ValueError where two modules declare the same name."""
    owners: dict[str, str] = {}
    for file, name in ((file, name) for file, module in modules.items() for name in module.names):
        if name in owners:
            raise ValueError(
                f"{name} is declared in {owners[name]} and in {file}: in one script, they would be one; "
                "call one of them otherwise"
            )
        owners[name] = file


def _module(file: str, text: str) -> Module:
    imports, names, kept, within = [], [], [], False
    for number, line in enumerate(text.splitlines(), 1):
        if match := IMPORT.fullmatch(line):
            imports.append((match[2], match[1].split(", ")))
            continue
        if not within:
            line = EXPORT.sub("", line)
            if line.startswith(("import ", "export ")):
                raise ValueError(
                    f'{file}, line {number}: {line}\nwanted import {{ a, b }} from "./file.js"; on one '
                    "line, and export before function, const or class"
                )
            names += _declared(line)
            line = COMMENT.sub("", line.strip())
            if not TEXT.search(line):
                parts = enumerate(WITHIN.split(line))
                line = "".join(part if at % 2 else SPACED.sub(r"\1\2", part) for at, part in parts)
        within ^= (line.count("`") - line.count(r"\`")) % 2 == 1
        line = line.strip()  # in a template literal, too, which holds HTML or CSS: in HTML, a line's end stays
        if within and file == STYLES:
            kept.append(BETWEEN.sub(lambda found: found[1] or "", line))
        else:
            kept.append(line if not within and (not line or JOINS.match(line)) else f"{line}\n")
    if within:
        raise ValueError(f"{file} has an odd number of backticks, so it cannot be seen what they hold; take one away")
    return Module(imports, names, re.sub(";}", "}", "".join(kept)))


def _declared(line: str) -> list[str]:
    """Return the names that a line declares which begins at the left."""
    if match := NAMED.match(line):
        return [match[1]]
    if not line.startswith(("const ", "let ")):
        return []
    rest = line.partition(" ")[2]
    if rest[0] in "[{":
        return re.findall(r"\w+(?= *[,\]}])", rest.partition(" = ")[0])
    rest, before = re.sub(r'"(?:\\.|[^"\\])*"', "", rest), ""
    while rest != before:  # what stands in brackets, and after one that does not close here, declares nothing
        rest, before = re.sub(r"\([^()]*\)|\[[^][]*\]|\{[^{}]*\}", "", rest), rest
    return re.findall(r"(?:^|, )(\w+) =(?![=>])", re.split(r"[(\[{]", rest)[0])
