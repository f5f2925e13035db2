"""Words of the glossary: each lesson's page links one where it first uses it, and the search finds them first."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import NamedTuple

from docutils import nodes
from sphinx.search.en import SearchEnglish

GLOSSARY = "reference/glossary"
ROW = re.compile(
    r'^\| <a id="([^"]+)"></a>\*\*(.+?)\*\* \|.* \| ([^|]+) \| \[[^|]+\(\.\./(\w+/\w+)\.ipynb[^|]* \|$', re.M
)
# What nearly each page says, or what is said in another sense, too: it is linked only where the page that introduces it
# sets it apart, alone in its emphasis.
EVERYDAY = {
    *("bias", "block", "branch", "channel", "control", "correlation", "depth", "error", "feature", "fitted"),
    *("gain", "gap", "layer", "lead", "length", "parameter", "piece", "probe", "rate", "ReLU"),
    *("seed", "signal", "size", "slow", "stream", "student", "sum", "teacher", "tuned", "weight", "width"),
}
NO_PROSE = (
    *(nodes.title, nodes.literal, nodes.literal_block, nodes.math, nodes.math_block, nodes.raw, nodes.reference),
    *(nodes.table, nodes.comment),
)
MARKUP = re.compile(r"[$*`\\{}]|\\[lr]vert\b")
MARKED = (nodes.emphasis, nodes.strong)


class Word(NamedTuple):
    """A row of the glossary."""

    anchor: str
    says: str
    page: str


class English(SearchEnglish):
    """Sphinx's, but for one word: "He" is a name here, and nobody."""

    stopwords = SearchEnglish.stopwords - {"he"}


def setup(app, root: Path) -> None:
    """Have Sphinx link words of lessons' pages, and give the search all words; raises ValueError as `read` does."""
    glossary = read((root / f"{GLOSSARY}.md").read_text(encoding="utf-8"))
    app.add_search_language(English)
    app.connect("doctree-read", partial(_link, glossary))
    app.connect("html-page-context", partial(_fill, glossary))


def read(text: str) -> dict[str, Word]:
    """Return each word of the glossary, in its order: its anchor, its sentence, and the page that introduces it.

    Raises ValueError where it has not the words that are EVERYDAY.
    """
    found = {word: Word(anchor, said, page) for anchor, word, said, page in ROW.findall(text)}
    if gone := EVERYDAY - found.keys():
        raise ValueError(f"no words of the glossary: {', '.join(sorted(gone))}. Mend EVERYDAY in site/words.py.")
    return found


def _link(glossary: dict[str, Word], app, doctree: nodes.document) -> None:
    if app.env.docname.startswith("notebooks/"):
        link_first_uses(doctree, glossary, app.env.docname)


def link_first_uses(doctree: nodes.document, glossary: dict[str, Word], page: str) -> None:
    """Link each word, or its plural, to its row of the glossary where it first stands in the page's unfolded prose."""
    words, folds = sorted(glossary, key=len, reverse=True), 0  # the longest of those that begin alike
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(_form, words))})(?![\w-])")
    waiting = set(words)
    for node in [*doctree.findall(lambda one: isinstance(one, (nodes.Text, nodes.raw)))]:
        if isinstance(node, nodes.raw):
            folds += node.astext().count("<details") - node.astext().count("</details>")
        if isinstance(node, nodes.raw) or folds or _is_within(node, NO_PROSE):
            continue
        text, parts, at = node.astext(), [], 0
        for match in pattern.finditer(text):
            word = words[match.lastindex - 1]
            is_apart = match[0] == text and isinstance(node.parent, MARKED) and glossary[word].page == page
            if word in waiting and (is_apart or word not in EVERYDAY):
                waiting.remove(word)
                there = f"../{GLOSSARY}.html#{glossary[word].anchor}"
                link = nodes.reference("", match[0], refuri=there, classes=["word"])
                parts += [nodes.Text(text[at : match.start()]), link]
                at = match.end()
        if parts:
            node.parent.replace(node, [*parts, nodes.Text(text[at:])])


def _form(word: str) -> str:
    """Return a pattern of a word in a text: at the beginning of a sentence, too, and in the plural."""
    first = f"[{word[0]}{word[0].upper()}]" if word[0].islower() else re.escape(word[0])
    return f"({first}{re.escape(word[1:])}(?:e?s)?)".replace("'", "['’]")


def _is_within(node: nodes.Node, kinds: tuple[type, ...]) -> bool:
    while (node := node.parent) is not None:
        if isinstance(node, kinds):
            return True
    return False


def _fill(glossary: dict[str, Word], app, name: str, template: str, context: dict, doctree) -> None:
    if name == "search":
        context["words"] = [[word, one.anchor, MARKUP.sub("", one.says)] for word, one in glossary.items()]
