"""Where a course keeps what: its lessons and excursions, their files, and the public address in pyproject.toml."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from authoring.diagnostics import Diagnostic, one_line, refuse, stop_on

STEM = re.compile(r"[0-9]{2}_[a-z0-9]+(_[a-z0-9]+)*")
EXCURSION = re.compile(r"[0-9]{2}[a-z]_[a-z0-9]+(_[a-z0-9]+)*")
LETTERS = "abc"  # of a lesson's excursions: three at most
SOLUTIONS = "solutions"
SOURCES = ("notebooks", SOLUTIONS)  # the folders in which a lesson has a source
BUILT = (*SOURCES, "exercises")  # and those in which it has a notebook
# What GitHub and git allow, as far as neither a shell nor TOML, YAML or a link takes it for something else.
_REPOSITORY = re.compile(r"https://github\.com/([a-z0-9][\w-]*/[\w.-]*[\w-][\w.-]*?)/?", re.ASCII | re.IGNORECASE)
_TAG = re.compile(r"(?!.*(\.\.|//|/\.|\.lock(/|$)))\w([\w./-]*[\w-])?", re.ASCII)


@dataclass(frozen=True)
class Page:
    """One page's files; ``stem`` is NN_slug of a lesson's path, NNa_slug of an excursion: a page that is no Lesson."""

    root: Path
    stem: str

    @property
    def folders(self) -> tuple[str, ...]:
        """Return the folders in which the page has a notebook."""
        return ("notebooks",)

    @property
    def executed(self) -> tuple[str, ...]:
        """Return those of ``folders`` whose notebook is run, and has its source beside it."""
        return ("notebooks",)

    @property
    def number(self) -> str:
        """Return the lesson's two digits."""
        return self.stem[:2]

    def source(self, folder: str) -> Path:
        """Return the path of the source in one of the folders ``executed``."""
        return self.root / folder / f"{self.stem}.py"

    def notebook(self, folder: str) -> Path:
        """Return the path of the notebook in one of ``folders``."""
        return self.root / folder / f"{self.stem}.ipynb"

    @property
    def room(self) -> Path:
        """Return the folder of all that is the lesson's own but its prose, its tests, and what is generated."""
        return self.root / "utils" / f"lesson_{self.number}"


class Lesson(Page):
    """A lesson's files: those of its path, and of its exercises."""

    @property
    def folders(self) -> tuple[str, ...]:
        """Return the folders in which the lesson has a notebook."""
        return tuple(one for one in BUILT if one != SOLUTIONS or has_solutions(self.root))

    @property
    def executed(self) -> tuple[str, ...]:
        """Return those of ``folders`` whose notebook is run, and has its source beside it."""
        return tuple(one for one in self.folders if one in SOURCES)

    @property
    def cases(self) -> Path:
        """Return the file of the exercises' stored cases."""
        return self.root / "utils" / "exercises" / "cases" / f"{self.number}.json"

    @property
    def definitions(self) -> Path:
        """Return the package that lists the exercises: its __init__.py; each is defined in a module beside it."""
        return self.room / "exercises" / "__init__.py"


@dataclass(frozen=True)
class Address:
    """The course's public git address, the tag that notebooks ask for, and the folder they clone into."""

    repository: str
    tag: str

    @property
    def folder(self) -> str:
        """Return the name of the folder that a clone makes."""
        return self.repository.rstrip("/").rsplit("/", 1)[-1].removesuffix(".git")


def has_solutions(root: Path) -> bool:
    """Return whether the course has its solutions; a public copy may have them left out, the folder itself."""
    return (root / SOLUTIONS).is_dir()


def stop_without_solutions(root: Path, what: str) -> None:
    """Raise AuthoringError, which says ``what`` needs them, where the course has lessons and no solutions."""
    if not has_solutions(root) and all_lessons(root):
        raise refuse(SOLUTIONS, None, f"the folder is missing, and {what} needs it. Put it back first.")


def all_pages(root: Path) -> list[Page]:
    """Return the course's pages in order, each lesson's excursions behind it.

    Raises AuthoringError where a source is misnamed, where one of a lesson's two sources is missing (unless the
    course has no solutions at all), where an excursion has no lesson, has exercises or is one too many, and where two
    lessons or excursions share a number.
    """
    stems = {folder: {path.stem for path in (root / folder).glob("*.py")} for folder in SOURCES}
    stop_on(_misnamed(stems))
    lessons = {folder: {stem for stem in stems[folder] if STEM.fullmatch(stem)} for folder in stems}
    stop_on((_unpaired(lessons) if has_solutions(root) else []) + _misplaced(stems))
    pages = [(Lesson if STEM.fullmatch(stem) else Page)(root, stem) for stem in sorted(stems["notebooks"])]
    for first, second in zip(pages, pages[1:], strict=False):
        name = first.stem.split("_")[0]
        if second.stem.startswith(f"{name}_"):
            text = f"lesson {name} is {first.stem} already. Give one of the two another number."
            if not isinstance(first, Lesson):
                text = f"excursion {name} is {first.stem} already. Give one of the two another letter."
            raise refuse(f"notebooks/{second.stem}.py", None, text)
    return pages


def _misnamed(stems: dict[str, set[str]]) -> list[Diagnostic]:
    forms = 'NN_slug.py, such as "03_some_words.py", nor, for an excursion, "03a_some_words.py"'
    return [
        Diagnostic(f"{folder}/{stem}.py", None, f"the name is not of the form {forms}. Rename it.")
        for folder, names in stems.items()
        for stem in sorted(names)
        if not STEM.fullmatch(stem) and not EXCURSION.fullmatch(stem)
    ]


def _unpaired(stems: dict[str, set[str]]) -> list[Diagnostic]:
    return [
        Diagnostic(f"{folder}/{stem}.py", None, f"missing, though there is {other}/{stem}.py. Write it.")
        for folder, other in (("notebooks", "solutions"), ("solutions", "notebooks"))
        for stem in sorted(stems[other] - stems[folder])
    ]


def _misplaced(stems: dict[str, set[str]]) -> list[Diagnostic]:
    """Return the excursions that are of no lesson, or one too many, and those that have exercises."""
    diagnostics, lessons = [], {stem[:2] for stem in filter(STEM.fullmatch, stems["notebooks"] | stems["solutions"])}
    for stem in sorted(filter(EXCURSION.fullmatch, stems["notebooks"])):
        if stem[:2] not in lessons:
            text = f"there is no lesson {stem[:2]} that this could be an excursion of. Rename it, or write the lesson."
            diagnostics.append(Diagnostic(f"notebooks/{stem}.py", None, text))
        if stem[2] not in LETTERS:
            text = f"a lesson has at most {len(LETTERS)} excursions, {', '.join(LETTERS)}. Rename it, or leave it out."
            diagnostics.append(Diagnostic(f"notebooks/{stem}.py", None, text))
    for stem in sorted(filter(EXCURSION.fullmatch, stems["solutions"])):
        text = f"an excursion has no exercises of its own. Move them to those of lesson {stem[:2]}."
        diagnostics.append(Diagnostic(f"solutions/{stem}.py", None, text))
    return diagnostics


def chosen_pages(root: Path, number: str | None) -> list[Page]:
    """Return the lesson of this number with its excursions, or all pages for None.

    Raises AuthoringError as ``all_pages`` does, and for an unknown number.
    """
    pages = all_pages(root)
    chosen = [page for page in pages if number in (None, page.number)]
    if number is not None and not chosen:
        known = ", ".join(page.number for page in pages if isinstance(page, Lesson)) or "none yet"
        excursion = any(page.stem.startswith(f"{number}_") for page in pages)
        more = f" Excursion {number} is built and checked with lesson {number[:2]}." if excursion else ""
        raise refuse("notebooks", None, f"there is no lesson {number}; there are: {known}.{more}")
    return chosen


def all_lessons(root: Path) -> list[Lesson]:
    """Return the course's lessons in order; raises AuthoringError as ``all_pages`` does."""
    return [page for page in all_pages(root) if isinstance(page, Lesson)]


def find_lesson(root: Path, number: str) -> Lesson:
    """Return the lesson of this number; raises AuthoringError as ``chosen_pages`` does."""
    return next(page for page in chosen_pages(root, number) if isinstance(page, Lesson))


def address(root: Path) -> Address | None:
    """Return the course's public address from pyproject.toml, None while both its lines are empty.

    Raises AuthoringError where it cannot be used.
    """
    try:
        settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["course"]
        found = Address(settings["repository"], settings["tag"])
    except (OSError, ValueError, KeyError, TypeError):
        text = 'the table [tool.course] with texts "repository" and "tag" is missing or unreadable. Add it.'
        raise refuse("pyproject.toml", None, text) from None
    if (found.repository, found.tag) == ("", ""):
        return None
    if not _REPOSITORY.fullmatch(str(found.repository)) or not is_tag(str(found.tag)):
        text = '[tool.course] wants repository = "https://github.com/OWNER/NAME" and tag = "v1.2.3", say, or both empty'
        text += ". Mend it."
        raise refuse("pyproject.toml", None, text)
    return found


def is_tag(text: str) -> bool:
    """Return whether git takes this as a tag's name, and a shell and a link as nothing else."""
    return bool(_TAG.fullmatch(text))


def new_address(repository: str, tag: str) -> Address:
    """Return the address in its one form, without the / or .git that GitHub's own links may end in.

    Raises AuthoringError where one of the two cannot be used, and says which form is wanted.
    """
    diagnostics, plain = [], repository.removesuffix("/").removesuffix(".git")
    if not _REPOSITORY.fullmatch(plain):
        text = f"{repository!r} is not a repository's address on GitHub. Write https://github.com/OWNER/NAME."
        diagnostics.append(Diagnostic("repository", None, text))
    if not is_tag(tag):
        form = "Letters, digits, . _ - and / are allowed, as git allows them: v1.2.0, say."
        diagnostics.append(Diagnostic("tag", None, f"{tag!r} cannot be a tag. {form}"))
    stop_on(diagnostics)
    return Address(plain, tag)


def github_name(found: Address) -> str:
    """Return OWNER/NAME of the address."""
    return "/".join(found.repository.rstrip("/").split("/")[-2:]).removesuffix(".git")


def tables(root: Path, name: str) -> dict[str, dict]:
    """Return the tables of a file of reference/; raises AuthoringError where it is missing, no TOML, or no tables."""
    if not (root / name).exists():
        raise refuse(name, None, "this is missing, and a page of reference/ is made of it. Bring it back.")
    try:
        found = tomllib.loads((root / name).read_text(encoding="utf-8"))
    except ValueError as error:
        raise refuse(name, None, f"this is not TOML: {one_line(str(error))}. Mend it.") from None
    stop_on(
        [
            Diagnostic(name, None, f"{entry} is no table: write [{entry}] above what is said of it.")
            for entry, said in found.items()
            if not isinstance(said, dict)
        ]
    )
    return found
