"""Makes the skeleton of a new lesson, its room included, or of an excursion: small, complete, and ready to build."""

from __future__ import annotations

from pathlib import Path

from authoring.course import EXCURSION, LETTERS, STEM, Lesson, Page, find_lesson, stop_without_solutions
from authoring.diagnostics import Diagnostic, refuse, relative, stop_on

TEMPLATES = Path(__file__).parent / "templates"


def make_page(root: Path, number: str, slug: str) -> None:
    """Write a lesson's two sources, its room, its suite of answers and its test, or an excursion's source.

    Raises AuthoringError, and writes nothing, for a number or a slug of another form, a number that is
    taken, a file that exists, an excursion without its lesson, and a lesson where solutions/ was left out.
    """
    stem = f"{number}_{slug}"
    if number == "00" or not (STEM.fullmatch(stem) or (EXCURSION.fullmatch(stem) and number[2] in LETTERS)):
        form = "Two digits and lower-case words are wanted: new 09 some_words"
        form += "; for an excursion, a, b or c behind them: new 09a some_words"
        raise refuse("notebooks", None, f'"{number} {slug}" is no number and slug. {form}')
    if STEM.fullmatch(stem):
        stop_without_solutions(root, "a new lesson")
    files = _files(Lesson(root, stem)) if STEM.fullmatch(stem) else _excursion(root, stem)
    taken = [*root.glob(f"notebooks/{number}_*.py"), *root.glob(f"solutions/{number}_*.py")]
    taken += [path for path in files if path.exists() and path not in taken]
    text = f"is there already, so that {number} is taken. Choose another number."
    stop_on([Diagnostic(relative(path, root), None, text) for path in sorted(taken)])
    for path, template in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(_filled(template, stem))
    print(f"Wrote {', '.join(relative(path, root) for path in files)}. Next: python -m authoring build {number[:2]}")


def _excursion(root: Path, stem: str) -> dict[Path, str]:
    """Return the template of a new excursion's source; raises AuthoringError where its lesson is not there."""
    find_lesson(root, stem[:2])
    return {Page(root, stem).source("notebooks"): "excursion"}


def _files(lesson: Lesson) -> dict[Path, str]:
    """Return the template of each file of a new lesson."""
    tests = lesson.root / "tests" / lesson.room.name
    return {
        lesson.source("notebooks"): "notebook",
        lesson.source("solutions"): "solution",
        lesson.room / "__init__.py": "room",
        lesson.room / "sums.py": "topic",
        lesson.room / "sums_figures.py": "figures",
        lesson.room / "claims.py": "claims",
        lesson.room / "page.py": "page",
        lesson.definitions: "exercises",
        lesson.definitions.with_name("positive_sum.py"): "exercise",
        tests / "answers" / "positive_sum.py": "answers",
        tests / "test_sums.py": "test",
    }


def _filled(template: str, stem: str) -> str:
    """Return the template's text for the page of this stem."""
    number, slug = stem.split("_", 1)
    text = (TEMPLATES / f"{template}.txt").read_text(encoding="utf-8")
    title = slug.replace("_", " ").capitalize()
    return text.replace("@NN@", number).replace("@TITLE@", title).replace("@STEM@", stem)
