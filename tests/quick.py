"""`make quick`: the tests that a change concerns, in under a minute.

What has changed is what git says: since the last commit or, where all is committed, with it. A test file is concerned
where it is changed itself, or imports a changed module, or names a changed file that is none. Tests of an exercise or a
lesson that stand among those of all lessons are concerned where what that exercise or lesson is made of is. Where many
files are concerned, only those run that import or name what has changed themselves, without their slow tests; where
many exercises are, one of each lesson. The last line says what was left out. All tests that are not slow are run where
git does not know, where a module is gone, whose importers nobody can tell any more, and for what concerns all. Tests
look at the pages that are built: whether these still match their sources, `authoring check` says of the lessons
concerned.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from authoring import digests
from authoring.course import BUILT
from authoring.diagnostics import relative
from tests import marks
from utils.exercises.definition import Exercise, lessons_with_exercises, load_lesson

ROOT = marks.ROOT
PACKAGES = ("authoring", "benchmarks", "claims", "cluster", "grading", "tests", "utils")
EVERYWHERE = ("conftest.py", "pyproject.toml", "requirements.txt", "tests/conftest.py", "tests/quick.py")
MOST_FILES = 12  # of tests: of more, only those that import or name what has changed themselves
MOST_EXERCISES = 8  # of more, one of each lesson
ALL = "not full and not peers and not page"  # a page is run again by its build
NOT_SLOW = f"not slow and {ALL}"


def changed(root: Path) -> set[str] | None:
    """Return the paths of what has changed since the last commit, or with it; None where git does not know."""
    now = _git(root, "status", "--porcelain", "-z", "--untracked-files=all", "--no-renames")
    if now is None:
        return None
    before = _git(root, "diff", "--name-only", "-z", "HEAD~1", "HEAD") if not now else [line[3:] for line in now]
    return None if before is None else set(before)


def _git(root: Path, *arguments: str) -> list[str] | None:
    """Return what this command of git lists, None where it fails."""
    try:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True)
    except OSError:
        return None
    return done.stdout.split("\0")[:-1] if done.returncode == 0 else None


def test_files(root: Path) -> list[Path]:
    """Return the files of tests, sorted."""
    return sorted(root.glob("tests/**/test_*.py"))


@cache
def made_of(path: Path, root: Path) -> frozenset[str]:
    """Return the paths of a file, of all modules that it imports, and of the files that these name.

    Prose, which a whole package may link to, counts where it is named by the tests or by a module that they name.
    """
    tests = [path, *_conftests(path, root)]
    tests += [root / module for module in digests.files_of(tests, root, ("tests",))]
    modules = digests.files_of([*tests, *_started(tests, root)], root, PACKAGES)
    words = {word for test in tests for word in re.findall(r"\w+", test.read_text(encoding="utf-8"))}
    return frozenset(modules) | {
        file
        for module in modules
        for file in _named(root / module, root)
        if not file.endswith(".md") or root / module in tests or Path(module).stem in words
    }


def _started(tests: list[Path], root: Path) -> list[Path]:
    """Return the modules that tests name in texts, since they run them in processes of their own."""
    names = {name for path in tests for name in re.findall(r"\b[a-z]+(?:\.\w+)+", path.read_text(encoding="utf-8"))}
    files = [root / f"{name.replace('.', '/')}.py" for name in names if name.split(".")[0] in PACKAGES]
    return [path for path in files if path.is_file()]


def _conftests(path: Path, root: Path) -> list[Path]:
    above = [folder / "conftest.py" for folder in path.parents if root / "tests" in folder.parents]
    return [file for file in above if file.exists()]


@cache
def _named(module: Path, root: Path) -> list[str]:
    """Return what is no module and whose name or path this one's texts have; templates, where their folder's name does.

    What opens a file has its path in a text of one word; sentences, comments and docstrings are for who reads.
    """
    words = {f"/{word}" for word in _words(module)}
    templates = [module.with_name("templates")] if "/templates" in words else []
    return [
        shown
        for shown, endings in _other_files(root)
        if not words.isdisjoint(endings) or any(folder in (root / shown).parents for folder in templates)
    ]


def _words(module: Path) -> Iterator[str]:
    """Yield the texts of one word that stand in a module; of one in another language, all words."""
    text = module.read_text(encoding="utf-8")
    if module.suffix != ".py":
        yield from re.findall(r"[\w./-]+", text)
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value.split()) == 1:
            yield from re.findall(r"[\w./-]+", node.value)


@cache
def _other_files(root: Path) -> list[tuple[str, list[str]]]:
    """Return the paths of what git has that is no module, each with all that may stand for it: "/b/c.txt", "/c.txt"."""
    listed = _git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard") or []
    others = [f"/{shown}" for shown in listed if not shown.endswith((".py", ".ipynb"))]
    return [(path[1:], [path[at:] for at, letter in enumerate(path) if letter == "/"]) for path in others]


def concerned(root: Path, files: Iterable[str]) -> list[Path]:
    """Return the test files that the changed ``files`` concern."""
    return [path for path in test_files(root) if not made_of(path, root).isdisjoint(files)]


def nearest(root: Path, files: Iterable[str], among: list[Path]) -> list[Path]:
    """Return those of the test files that import or name one of the changed ``files`` themselves."""
    return [path for path in among if not _touched(path, root).isdisjoint(files)]


def _touched(path: Path, root: Path) -> set[str]:
    modules = digests.imported(path, root, PACKAGES) + _started([path], root)
    return {relative(one, root) for one in [path, *modules]} | set(_named(path, root))


def concerned_marks(root: Path, files: set[str]) -> set[str]:
    """Return the marks of exercises and lessons that are made of one of the changed ``files``.

    "lesson_04" stands for all tests of a lesson, "pages_04" for those of them that stand among other lessons' tests: in
    its own folder, imports tell what a module concerns.
    """
    found = set()
    for number in lessons_with_exercises():
        of_all, of_pages = rf"(results|.*/cases)/{number}", rf"utils/lesson_{number}/|({'|'.join(BUILT)})/{number}"
        found |= {f"lesson_{number}"} if any(re.match(of_all, file) for file in files) else set()
        found |= {f"pages_{number}"} if any(re.match(of_pages, file) for file in files) else set()
        for exercise in load_lesson(number).values():
            if isinstance(exercise, Exercise) and not _made_of_exercise(exercise, root).isdisjoint(files):
                found.add(marks.exercise(exercise.id).name)
    return found


def sampled(names: set[str]) -> set[str]:
    """Return the marks, of more than MOST_EXERCISES exercises only the first of each lesson."""
    of_exercises = sorted(name for name in names if name.startswith("exercise_"))
    if len(of_exercises) <= MOST_EXERCISES:
        return names
    firsts = {name[: len("exercise_01")]: name for name in reversed(of_exercises)}
    return (names - set(of_exercises)) | set(firsts.values())


def _made_of_exercise(exercise: Exercise, root: Path) -> frozenset[str]:
    number, name = exercise.id[:2], exercise.answer_name
    files = [root / f"utils/lesson_{number}/exercises/{name}.py", root / f"tests/lesson_{number}/answers/{name}.py"]
    return frozenset().union(*(made_of(file, root) for file in files))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what the command hands to its workers: files of which all tests run, and marks of others."""
    parser.addoption("--concerned", default="", help="files of tests, and marks, with commas between them")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests of files that are concerned as a whole, and those of exercises and lessons that are."""
    if not config.option.concerned:
        return
    wanted = set(config.option.concerned.split(","))
    kept = [item for item in items if wanted & {relative(item.path, ROOT), *_marks(item)}]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


def _marks(item: pytest.Item) -> list[str]:
    """Return the marks of a test's exercises, else of its lesson: an exercise is one thing, its lesson's room many."""
    names = [mark.name for mark in item.iter_markers() if mark.name.startswith(("exercise_", "lesson_"))]
    of_exercises = [name for name in names if name.startswith("exercise_")]
    if of_exercises or relative(item.path, ROOT).startswith("tests/lesson_"):
        return of_exercises or names
    return [*names, *(name.replace("lesson_", "pages_") for name in names)]


def main(root: Path = ROOT) -> int:
    """Say what is concerned, and run it; return the status of the tests, or else that of the check of pages."""
    files = changed(root)
    if files is None or concerns_all(root, files):
        print("Git does not know what has changed, or it concerns all: all tests that are not slow.")
        return _run("-m", NOT_SLOW) or _check()
    whole, some = concerned(root, files), concerned_marks(root, files)
    few = len(whole) <= MOST_FILES
    run, names = whole if few else nearest(root, files, whole), sampled(some)
    print(f"Changed: {_listed(files)}")
    print(f"Concerned, of {len(test_files(root))} files of tests: {_listed([relative(one, root) for one in whole])}")
    print(f"Besides, of what belongs to exercises and lessons: {_listed(some)}")
    of_all = [path for path in test_files(root) if "tests/marks.py" in made_of(path, root) and path not in run]
    shown = [relative(path, root) for path in run]
    chosen = [*shown, *(relative(path, root) for path in of_all if names)]
    wanted = ",".join([*shown, *names])
    status = _run("--concerned", wanted, "-m", ALL if few else NOT_SLOW, *chosen) if wanted else 0
    lessons = {name[-2:] for name in some if name.startswith(("lesson_", "pages_"))}
    status = status or (_check(*lessons) if lessons else 0)
    if len(run) < len(whole) or len(names) < len(some):
        left = f"{len(whole) - len(run)} files of tests that rest on it from afar and all slow tests"
        print(f"Left to `make test`: {left}, and the answers to {len(some) - len(names)} exercises.")
    return status


def concerns_all(root: Path, files: set[str]) -> bool:
    """Return whether the changed ``files`` concern what cannot be told: a module is gone, or all tests rest on one."""
    gone = [file for file in files if file.endswith(".py") and not (root / file).exists()]
    return bool(gone) or not files.isdisjoint(EVERYWHERE)


def _listed(names: Collection[str]) -> str:
    """Return the first names, and how many there are."""
    first = ", ".join(sorted(names)[:MOST_FILES])
    return f"{first or 'nothing'}{f', … ({len(names)} in all)' if len(names) > MOST_FILES else ''}"


def command(arguments: list[str]) -> list[str]:
    """Return the command that runs pytest with what this module adds to it."""
    return [sys.executable, "-m", "pytest", "-q", "-p", "tests.quick", *arguments]


def _run(*arguments: str) -> int:
    status = subprocess.run(command(["-n", "2", *arguments]), cwd=ROOT).returncode
    return 0 if status == pytest.ExitCode.NO_TESTS_COLLECTED else status  # all that is concerned is long


def _check(*numbers: str) -> int:
    """Return the status of a check of one lesson's pages, or of all pages where it is not one lesson."""
    one = numbers if len(numbers) == 1 else ()
    return subprocess.run([sys.executable, "-m", "authoring", "check", *one], cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main())
