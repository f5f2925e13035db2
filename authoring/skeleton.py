"""Makes the skeleton of a new lesson, its room included: small, complete, and ready to build."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from authoring.course import STEM, Lesson
from authoring.problems import Problem, refuse, relative, stop_on

TEMPLATES = Path(__file__).parent / "templates"


def make_lesson(root: Path, number: str, slug: str, say: Callable[[str], None] = print) -> list[Path]:
    """Return the files written: the two sources, the lesson's room, its proof and its test.

    Raises AuthoringError, and writes nothing, for a number or a slug of another form, a number that is
    taken, and a file that exists.
    """
    stem = f"{number}_{slug}"
    if number == "00" or not STEM.fullmatch(stem):
        text = f'"{number} {slug}" is no number and slug. Two digits and lower-case words are wanted: new 09 some_words'
        raise refuse("notebooks", None, text)
    lesson = Lesson(root, stem)
    files = _files(lesson)
    taken = [*root.glob(f"notebooks/{number}_*.py"), *root.glob(f"solutions/{number}_*.py")]
    taken += [path for path in files if path.exists() and path not in taken]
    text = f"is there already, so that {number} is taken. Choose another number."
    stop_on([Problem(relative(path, root), None, text) for path in sorted(taken)])
    for path, template in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(_filled(template, lesson))
    say(f"Wrote {', '.join(relative(path, root) for path in files)}. Next: python -m authoring build {number}")
    return list(files)


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
        lesson.definitions: "exercises",
        lesson.definitions.with_name("positive_sum.py"): "exercise",
        tests / "proofs" / "positive_sum.py": "proof",
        tests / "test_sums.py": "test",
    }


def _filled(template: str, lesson: Lesson) -> str:
    """Return the template's text for this lesson."""
    title = lesson.stem[3:].replace("_", " ").capitalize()
    text = (TEMPLATES / f"{template}.txt").read_text(encoding="utf-8")
    return text.replace("@NN@", lesson.number).replace("@TITLE@", title).replace("@STEM@", lesson.stem)
