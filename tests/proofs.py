"""Which exercises' proofs need not run again: those of which all is as in a green run that `make test-all` recorded.

An exercise's proof is what tests/engine/test_answers.py asks of it. Its digest is that of its own modules, those from
which it withholds something, its answers, the engine of exercises, its stored cases, the solution's code, and the
versions of what computes. Only `make test` leaves proofs out (``--proofs unrecorded``); `make test-all` leaves out
nothing, and records (``--proofs record``).
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path

import pytest

from authoring import digests
from authoring.source import code_cells
from tests.marks import ROOT
from utils.exercises import stored_cases
from utils.exercises.definition import Exercise, find, lessons_with_exercises, load_lesson

TESTS = "tests/engine/test_answers.py"
RECORD = ROOT / "tests/proofs.json"
COMPUTES = ("numpy", "scipy", "scikit-learn", "torch")


class Proofs:
    """Leaves out the proofs that need not run, says how many ran, and records those that were green."""

    def __init__(self, config: pytest.Config) -> None:
        self.how = config.option.proofs
        self.passed: set[str] = set()
        self.failed: set[str] = set()
        if hasattr(config, "workerinput"):
            self.left_out = set(config.workerinput["proofs left out"])
        else:
            self.left_out = set(recorded()) if self.how == "unrecorded" else set()

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: object) -> None:
        """Tell a worker of pytest-xdist, which would compute all digests once more."""
        node.workerinput["proofs left out"] = sorted(self.left_out)

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        out = [item for item in items if proves(item) in self.left_out]
        if out:
            config.hook.pytest_deselected(items=out)
            items[:] = [item for item in items if proves(item) not in self.left_out]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Iterable[None]:
        item.user_properties.append(("proves", proves(item)))
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if exercise_id := dict(report.user_properties).get("proves"):
            (self.failed if report.failed else self.passed).add(exercise_id)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.how == "record" and not hasattr(session.config, "workerinput"):
            known = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
            known |= {one: digest(one) for one in self.passed}
            kept = {one: known[one] for one in sorted(known.keys() - self.failed) if one in exercises()}
            RECORD.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.how == "unrecorded":
            ran = ", ".join(sorted(self.passed | self.failed)) or "none"
            terminalreporter.line(
                f"Proofs of exercises that ran, since they are not those of a green run: {ran}. Left out: "
                f"{len(self.left_out)}, which `make test-all` runs."
            )


def proves(item: pytest.Item) -> str | None:
    """Return the id of the exercise that a test proves, if it proves one."""
    if not item.nodeid.startswith(TESTS):
        return None
    names = (mark.name for mark in item.iter_markers() if mark.name.startswith("exercise_"))
    return next((name.removeprefix("exercise_").replace("_", ".") for name in names), None)


@cache
def exercises() -> list[str]:
    """Return the ids of all exercises that have a proof."""
    return [e.id for n in lessons_with_exercises() for e in load_lesson(n).values() if isinstance(e, Exercise)]


def recorded() -> list[str]:
    """Return the exercises whose digest is that of a recorded green run."""
    known = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    return [one for one in exercises() if one in known and known[one] == digest(one)]


def digest(exercise_id: str) -> str:
    """Return 16 digits of the digest of all that an exercise's proof rests on."""
    number, name = exercise_id[:2], find(exercise_id).answer_name
    paths = [f"utils/lesson_{number}/exercises/{name}.py", f"tests/lesson_{number}/answers/{name}.py", TESTS]
    withheld = {one.rpartition(".")[0].replace(".", "/") for one in find(exercise_id).without}
    paths += [f"{path}.py" for path in sorted(withheld) if (ROOT / f"{path}.py").exists()]
    rests_on = [
        digests.made_from([ROOT / path for path in paths], ROOT, ("utils", "tests", "authoring")),
        stored_cases.load(find(exercise_id)),
        _solution(number),
        [platform.python_version_tuple()[:2], *map(version, COMPUTES)],
    ]
    return hashlib.sha256(json.dumps(rests_on, sort_keys=True).encode()).hexdigest()[:16]


@cache
def _solution(number: str) -> list[str]:
    (path,) = Path(ROOT, "solutions").glob(f"{number}_*.py")
    return [text for _, text in code_cells(path.read_text(encoding="utf-8"))]
