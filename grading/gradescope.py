"""Packs what marks one lesson on Gradescope into the zip file that an instructor uploads there.

It holds setup.sh and run_autograder, and what ``grading.gradescope_run`` needs: its modules, utils without the other
lessons' exercises, this lesson's solutions, the seed, and what each exercise is worth. Equal inputs make equal bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from authoring import digests
from authoring.course import find_lesson
from authoring.diagnostics import relative
from authoring.handout import tracked, write_zip
from grading import GradingError
from grading.course import ROOT, load
from grading.final_scores import ScoringRules
from grading.gradescope_results import NOT_DONE, not_marked
from grading.gradescope_run import SETTINGS
from grading.marking import job_builders
from grading.sandbox import OF_GRADING

SCRIPTS = ("setup.sh", "run_autograder")
RUN = ("gradescope_run.py", *OF_GRADING)
THEIRS = 10  # minutes for a run on Gradescope, unless the assignment's settings say more
# Of requirements.txt: what opens, builds and tests the course.
NOT_FOR_MARKING = frozenset(
    {
        "jupyterlab",
        "ipykernel",
        "jupyter_client",
        "nbclient",
        "nbval",
        "pytest",
        "pytest-xdist",
        "hypothesis",
        "ruff",
        "playwright",
        "axe-playwright-python",
    }
)
_OF_LESSONS = re.compile(r"utils/(?:lesson_(\d\d)/exercises/|exercises/cases/(\d\d)\.json$)")


def pack(
    number: str,
    out: Path,
    seed: str,
    *,
    minutes: float,
    rules: ScoringRules | None = None,
    solutions: Path | None = None,
) -> list[str]:
    """Write the zip file for lesson ``number`` to ``out``, and return the lines to be printed about it.

    ``minutes`` is when a run ends by itself. Raises GradingError where the lesson could not be marked from it.
    """
    rules = rules or ScoringRules()
    lesson = load(number, solutions=solutions)
    job_builders(lesson, seed)  # or its cases cannot be drawn
    points = {id: rules.points_of(id, one.points) for id, one in lesson.exercises.items()}
    worth = sum(points.values())
    if not worth:
        raise GradingError(
            f"Nothing that is marked here counts in lesson {number}. Leave at least one exercise its points."
        )
    settings = {"lesson": number, "minutes": minutes, "points": points, "seed": seed}
    page = find_lesson(ROOT, number)
    needed = [page.definitions, page.cases, page.source("notebooks"), *(ROOT / "grading" / name for name in RUN)]
    try:
        contents = {name: (ROOT / "grading" / "templates" / "gradescope" / name).read_bytes() for name in SCRIPTS}
        contents |= {name: (ROOT / name).read_bytes() for name in _packed(number, needed)}
        contents["requirements.txt"] = _requirements().encode()
        source = solutions / f"{page.stem}.py" if solutions else page.source("solutions")
        contents[f"solutions/{source.name}"] = source.read_bytes()
        contents[SETTINGS] = json.dumps(settings, indent=1).encode()
        contents["not_marked.json"] = not_marked(NOT_DONE).encode()
        write_zip(out, contents, 0o700)
        out.chmod(0o600)  # the seed is in it
    except OSError as error:
        raise GradingError(f"The zip file {out} could not be written: {error}.") from None
    return _lines(out, number, worth, minutes, len(contents), lesson.unmarked, rules)


def _packed(number: str, needed: Iterable[Path]) -> list[str]:
    """Return the paths of the modules and of utils that go along; raises GradingError where git does not track one."""
    found = {relative(path, ROOT) for path in (ROOT / "utils").rglob("*") if path.is_file()}
    found = {name for name in found if not (of := _OF_LESSONS.match(name)) or number in of.groups()}
    must = {relative(path, ROOT) for path in needed}
    modules = [path for path in needed if path.suffix == ".py" and path.parent.name == "grading"]
    names = tracked(ROOT, found | must | set(digests.files_of(modules, ROOT, ("authoring", "grading"))))
    if lacking := must - set(names):
        raise GradingError(f"git does not track {', '.join(sorted(lacking))}, which marking needs. Add it first.")
    return names


def _requirements() -> str:
    """Return what of requirements.txt marking, and whatever an answer may import, needs."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    return "".join(f"{line}\n" for line in pins if line.split("==")[0] not in NOT_FOR_MARKING)


def _lines(
    out: Path, number: str, worth: float, minutes: float, count: int, texts: Iterable[str], rules: ScoringRules
) -> list[str]:
    lines = [
        f"{out}: lesson {number}, {count} files, {out.stat().st_size / 1e6:.1f} MB. It holds the seed and "
        "the solutions, so keep it to yourself.",
        f"On Gradescope: Autograder points {worth:g}; at least 2 GB of memory.",
    ]
    if minutes >= THEIRS:
        lines.append(f"A run ends after {minutes:g} minutes. Set the assignment's timeout to more than that.")
    if texts := list(texts):
        lines.append(f"Mark these by hand there, with a rubric of yours: {', '.join(texts)}.")
    if rules.lateness.of(number).applies:
        lines.append("What the class's file says about late work does not apply there. Set it on Gradescope.")
    return lines
