"""Marking a class, beside nbgrader's autograde and otter-grader: one torch exercise, the same answers, one run.

Each side marks classes of two sizes by its own command, from start to end, all loading included, and must come to the
same marks. Besides, of our side alone: a large class, and the grader's memory as a class grows.
"""

from __future__ import annotations

import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import _grading_class as made
from benchmarks import spread

PEERS = made.ROOT / ".venv-peers" / "bin"
HOW_TO = (
    "nbgrader and otter-grader are not installed, so only our side is measured; to install them: "
    "make .venv-peers/.ready"
)
# Says, after each mark that is kept, how many there are, the grader's memory now and at its peak, in KiB, and when.
NOTING = """
import resource, sys, time
from grading import gradebook
put, count = gradebook.Gradebook.put, 0
def noting(self, *arguments, **options):
    global count
    put(self, *arguments, **options)
    count += 1
    with open("/proc/self/status") as file:
        now = next(line.split()[1] for line in file if line.startswith("VmRSS"))
    print("NOTED", count, now, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic(), flush=True)
gradebook.Gradebook.put = noting
from grading.__main__ import main
sys.exit(main())
"""
# The first argument is the autograder's zip file, the others are notebooks.
OTTER_API = """
import json, sys
from pathlib import Path
from otter.api import grade_submission
marks = {Path(path).stem: grade_submission(path, sys.argv[1], quiet=True).total for path in sys.argv[2:]}
print("MARKS", json.dumps(marks))
"""
OURS = "ours"
SIZES, LARGE = (8, 30), 300
Marks = dict[str, float]
Seconds = dict[str, dict[int, list[float]]]  # by side and by size, one for each round


def measure(full: bool = False) -> dict[str, Any]:
    """Return each side's seconds for each size, and their ratios to ours, and the grader's memory."""
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        course = made.our_course(Path(folder))
        rounds = 3 if full else 1
        marked, further = memory(Path(folder), course, 500, 50)
        figures = {
            "cores": len(os.sched_getaffinity(0)),
            "rounds": rounds,
            "peers": peers_are_here(),
            "sides": _side_by_side(Path(folder), course, rounds),
            "memory": marked,
            "seconds_further": further,
        }
    return {**figures, "ratios": _ratios(figures["sides"])}


def peers_are_here() -> bool:
    """Return whether the peers' environment has both of them."""
    return (PEERS / "nbgrader").exists() and (PEERS / "otter").exists()


def _side_by_side(folder: Path, course: Path, rounds: int) -> Seconds:
    """Return each side's seconds for each of its sizes; the sides take turns, and each turn is a new class."""
    sides: dict[str, tuple[Callable[[Path, int], tuple[float, Marks]], tuple[int, ...]]] = {
        OURS: (lambda place, n: ours(course, place, n), (*SIZES, LARGE)),
        "ours, one worker": (lambda place, n: ours(course, place, n, "--workers", "1"), SIZES),
    }
    if peers_are_here():
        sides["nbgrader autograde"] = nbgrader, SIZES
        sides["otter's Python API"] = otter_api, SIZES
        sides["otter run"] = otter_run, SIZES[:1]  # which starts anew for each submission
    seconds: Seconds = {name: {size: [] for size in sizes} for name, (_, sizes) in sides.items()}
    for number in range(rounds):
        for size in (*SIZES, LARGE):
            for name, (run, sizes) in sides.items():
                if size in sizes:
                    place = folder / f"{name} {size} {number}"
                    place.mkdir()
                    spent, marks = run(place, size)
                    if marks != made.expected_marks(size):
                        raise RuntimeError(f"{name} came to other marks: {marks}")
                    seconds[name][size].append(spent)
    return seconds


def ours(course: Path, place: Path, count: int, *options: str) -> tuple[float, Marks]:
    """Return the seconds that our command takes for a class, and the marks."""
    submissions, out = made.our_class(place / "in", count), place / "out"
    command = [sys.executable, "-m", "grading", "grade", str(submissions), "--out", str(out), *options]
    seconds = _timed(command, course)
    return seconds, _our_marks(out)


def _our_marks(out: Path) -> Marks:
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        return {row["student"]: float(row["score"]) for row in csv.DictReader(file)}


def nbgrader(place: Path, count: int) -> tuple[float, Marks]:
    """Return the seconds that ``nbgrader autograde`` takes for a class, and the marks."""
    made.nbgrader_course(place, count)
    _timed([str(PEERS / "nbgrader"), "generate_assignment", "ps", "--create"], place)
    seconds = _timed([str(PEERS / "nbgrader"), "autograde", "ps", "--create"], place)
    _timed([str(PEERS / "nbgrader"), "export"], place)
    with (place / "grades.csv").open(encoding="utf-8", newline="") as file:
        return seconds, {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}


def otter_run(place: Path, count: int) -> tuple[float, Marks]:
    """Return the seconds that ``otter run`` takes for a class, one call for each, and the marks."""
    zip_file, seconds, marks = _otter(place, count), 0.0, {}
    for path in sorted(place.glob("*.ipynb")):
        out = place / f"{path.stem}-out"
        out.mkdir()
        seconds += _timed([str(PEERS / "otter"), "run", str(path), "-a", str(zip_file), "-o", str(out)], place)
        tests = json.loads((out / "results.json").read_text())["tests"]
        marks[path.stem] = float(sum(test.get("score", 0) for test in tests))
    return seconds, marks


def otter_api(place: Path, count: int) -> tuple[float, Marks]:
    """Return the seconds that otter's ``grade_submission`` takes for a class in one process, and the marks."""
    zip_file = _otter(place, count)
    notebooks = sorted(map(str, place.glob("*.ipynb")))
    started = time.perf_counter()
    said = _run([str(PEERS / "python"), "-c", OTTER_API, str(zip_file), *notebooks], place)
    seconds = time.perf_counter() - started
    line = next(line for line in said.splitlines() if line.startswith("MARKS "))
    return seconds, {name: float(mark) for name, mark in json.loads(line.removeprefix("MARKS ")).items()}


def _otter(place: Path, count: int) -> Path:
    made.otter_class(place, count)
    zip_file = place / "autograder.zip"
    _timed([str(PEERS / "otter"), "generate", "-t", "tests", "-o", str(zip_file)], place)
    return zip_file


def _timed(command: list[str], place: Path) -> float:
    started = time.perf_counter()
    _run(command, place)
    return time.perf_counter() - started


def _run(command: list[str], place: Path) -> str:
    """Return what a command printed; raises RuntimeError with all that it said where it fails."""
    environment = dict(os.environ)
    if Path(command[0]).parent == PEERS:
        environment["PATH"] = f"{PEERS}{os.pathsep}{environment['PATH']}"
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[:4])} failed: {done.stdout}{done.stderr}"[-3000:])
    return done.stdout


def memory(folder: Path, course: Path, count: int, step: int) -> tuple[list[dict[str, float]], float]:
    """Return the grader's own memory after every ``step`` of ``count`` submissions in one run, and its pace.

    Memory is in MiB; the pace is the seconds for each submission after the first, when all is loaded.
    """
    place = folder / "memory"
    said = _run(_noting(made.our_class(place / "in", count), place / "out"), course)
    noted = [list(map(float, line.split()[1:])) for line in said.splitlines() if line.startswith("NOTED ")]
    rows = [
        {"marked": int(marked), "now": now / 1024, "peak": peak / 1024}
        for marked, now, peak, _ in noted
        if marked % step == 0 or marked == 1
    ]
    return rows, (noted[-1][-1] - noted[0][-1]) / (len(noted) - 1)


def _noting(submissions: Path, out: Path) -> list[str]:
    return [sys.executable, "-c", NOTING, "grade", str(submissions), "--out", str(out)]


def seconds_for(sizes: dict[int, list[float]], size: int) -> list[float]:
    """Return a side's seconds for a class of this size, in proportion to its largest class where that is smaller."""
    largest = max(sizes)
    return sizes[size] if size in sizes else [one * size / largest for one in sizes[largest]]


def _ratios(sides: Seconds) -> dict[str, dict[int, dict[str, float]]]:
    """Return how many times as long as ours each other side takes for each size, round by round."""
    ratios: dict[str, dict[int, dict[str, float]]] = {}
    for name, sizes in sides.items():
        ratios[name] = {}
        for size, our in sides[OURS].items():
            parts = [theirs / one for theirs, one in zip(seconds_for(sizes, size), our, strict=True)]
            ratios[name][size] = spread(parts)
    return ratios


def show(figures: dict[str, Any]) -> str:
    """Return the figures as text."""
    lines = [
        f"one torch exercise, {figures['cores']} cores, {figures['rounds']} round(s); seconds for a class, all loading",
        "included, and times ours; about: in proportion to the largest class that was measured",
    ]
    for name, sizes in figures["sides"].items():
        for size, ratio in figures["ratios"][name].items():
            spent, about = statistics.median(seconds_for(sizes, size)), "" if size in sizes else "about "
            shown = f"{ratio['median']:.1f} [{ratio['low']:.1f}, {ratio['high']:.1f}]"
            lines.append(f"{name:20} {size:>4} {about + format(spent, '.1f'):>12} s  {shown}")
    if not figures["peers"]:
        lines.append(HOW_TO)
    lines.append(f"ours, each further one, once all is loaded: {figures['seconds_further']:.3f} s")
    for row in figures["memory"]:
        lines.append(f"memory of the grader after {row['marked']:>3}: {row['now']:.0f} MiB, peak {row['peak']:.0f} MiB")
    return "\n".join(lines)
