"""The command line: ``python -m grading grade SUBMISSIONS --out DIR``, ``history``, ``demo`` and ``pack``."""

from __future__ import annotations

import argparse
import contextlib
import functools
import gc
import hashlib
import io
import os
import re
import secrets
import shlex
import signal
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from cluster import Cluster, ClusterError
from grading import GradingError, demo, readers
from grading.class_rules import ClassRules, read_class
from grading.course import ROOT, set_up_of
from grading.final_scores import ScoringRules, by_rules
from grading.gradebook import Gradebook, cause, history
from grading.grading_run import GradingRun, RunSummary
from grading.lateness import Times, moment, read_times, with_times
from grading.marking import Drawing
from grading.names import SCHEMES, readable, some, without_names
from grading.notebook_answers import read
from grading.on_cluster import OnCluster
from grading.own_processes import have_loaded
from grading.pieces import Here, PieceRunner
from grading.platforms import PLATFORMS, PlatformFiles, column
from grading.progress import Progress
from grading.pseudonyms import Naming, by_name
from grading.reports import Reports
from grading.sandbox import refuse_what_is_lent
from grading.sandbox_selection import NAMES, choose
from grading.scratch import sweep
from grading.submissions import Changing, ClassSubmissions, StudentFiles, collect
from utils.exercises.definition import lessons_with_exercises

MINUTES = 9  # for a run on Gradescope
SHOWN = 20  # names in one line; the rest is counted
STATUSES = ("graded", "pending", "timeout", "crashed", "unreadable")


def main(arguments: list[str] | None = None) -> int:
    """Return the exit status: 0 when everybody has a result, 1 when not, 2 for a wrong call, 130 interrupted."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # stderr writes what it cannot encode as \\u… by itself
        sys.stdout.reconfigure(errors="backslashreplace")
    options = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return {"grade": _grade, "history": _history, "demo": _demo, "pack": _pack}[options.command](options)
    except GradingError as error:
        print(f"grading: {error}", file=sys.stderr)
        return 2
    except ClusterError as error:
        print(f"grading: {error} What is marked is kept, and the same command goes on.", file=sys.stderr)
        return 2
    except (OSError, sqlite3.Error) as error:
        print(
            f"grading: stopped ({cause(error, options.out)}); what is marked is kept, and the same command goes on.",
            file=sys.stderr,
        )
        return 2
    except KeyboardInterrupt:
        print("\ngrading: interrupted; what is marked is kept, and the same command goes on.", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m grading", description="Marks a class's exercise notebooks.")
    commands = parser.add_subparsers(dest="command", required=True)
    grade = commands.add_parser(
        "grade",
        help="mark a folder of notebooks",
        description="Marks a folder of notebooks, named after the students or with a folder for each. The same command "
        "again goes on where it stopped, and marks only what is new or has changed.",
    )
    grade.add_argument(
        "submissions", type=Path, metavar="SUBMISSIONS", help="the folder, or the zip file, of notebooks"
    )
    grade.add_argument("--out", type=Path, required=True, metavar="DIR", help="where grades and feedback go")
    grade.add_argument(
        "--lesson", type=_lesson, metavar="NN", help="the lesson; without it, each notebook tells its own"
    )
    grade.add_argument(
        "--workers",
        type=_count,
        metavar="N",
        help="how many students to mark at a time; default: one for each core, or two for each thread of a cluster",
    )
    grade.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="have a Dask cluster run the answers, such as "
        "tcp://10.0.0.1:8786; seeds, expected values and marks stay here",
    )
    grade.add_argument(
        "--seed-file",
        type=Path,
        metavar="FILE",
        help="any text, which decides the secret cases; without it they are random",
    )
    grade.add_argument(
        "--solutions",
        type=Path,
        metavar="DIR",
        help="the folder of the solutions' sources, NN_slug.py; default: the course's own solutions/",
    )
    grade.add_argument(
        "--sandbox",
        choices=NAMES,
        default="auto",
        help="what students' code is shut into; default: the best that works; none is only for work that you trust",
    )
    _add_options_about_the_class(grade)
    _add_history(commands)
    _add_demo(commands)
    _add_pack(commands)
    return parser


def _add_options_about_the_class(grade: argparse.ArgumentParser) -> None:
    add = grade.add_argument
    add(
        "--names",
        choices=SCHEMES,
        default="auto",
        help="how files name their students; auto takes the folder that each student has, or else the file's name",
    )
    add(
        "--times",
        metavar="FILE",
        help="when each was handed in: a CSV file with the columns student and time (ISO "
        "8601); or zip, if the times in the zip file are those of handing in (Canvas and Moodle write the time of "
        "the export there)",
    )
    add(
        "--class",
        dest="class_file",
        type=Path,
        metavar="FILE",
        help="a class.toml: which exercises count, their "
        "points, and when each lesson was due; the options below replace what it says",
    )
    add("--due", type=_moment, metavar="TIME", help="when the work was due, such as 2026-03-01T18:00")
    add(
        "--late-penalty",
        type=_percent,
        metavar="PERCENT",
        help="how much is taken off the points for each day that has begun since then; default: 0",
    )
    add("--late-cap", type=_percent, metavar="PERCENT", help="the most that is taken off; default: 100")
    add("--grace", type=_minutes, metavar="MINUTES", help="how much later is still on time")
    add("--keep", choices=("last", "best"), default="last", help="which of several submissions counts; default: last")
    add(
        "--free-text",
        action="store_true",
        help="free texts have points, which you give in DIR/by_hand.csv; this holds for the whole round",
    )
    add("--anonymous", action="store_true", help="pages and tables show ids; DIR/ids.csv says whose they are")
    add(
        "--assignment",
        type=_assignment,
        metavar="TITLE",
        help="with --names canvas and --lesson: the column of "
        "Canvas's gradebook, such as 'Lesson 02 (1234)'; default: Lesson NN",
    )
    add(
        "--round",
        type=_name,
        metavar="NAME",
        help="which round to go on with; default: the last one. A new name marks "
        "everybody anew, with a seed of its own; earlier marks and what was marked by hand stay",
    )


def _add_history(commands: argparse._SubParsersAction) -> None:
    told = commands.add_parser(
        "history", help="list all marks that were ever given, even while a class is being marked"
    )
    told.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the grades are")
    told.add_argument("--student", metavar="NAME", help="only this student's")
    told.add_argument("--class", dest="class_file", type=Path, metavar="FILE", help="the class's rules, as for grade")


def _add_demo(commands: argparse._SubParsersAction) -> None:
    shown = commands.add_parser("demo", help="invent a class of 30 and mark it, to see everything in a minute")
    shown.add_argument(
        "--out", type=Path, default=ROOT / "work" / "demo", metavar="DIR", help="the folder that it is written to"
    )


def _add_pack(commands: argparse._SubParsersAction) -> None:
    packing = commands.add_parser("pack", help="make the zip file with which Gradescope marks one lesson")
    add = packing.add_argument
    add("platform", choices=("gradescope",), help="the platform that marks")
    add("--lesson", type=_lesson, required=True, metavar="NN", help="the lesson")
    add("--out", type=Path, metavar="FILE", help="the zip file; default: _handout/gradescope-NN.zip")
    add(
        "--class",
        dest="class_file",
        type=Path,
        metavar="FILE",
        help="a class.toml: which exercises count, their points",
    )
    add(
        "--seed-file",
        type=Path,
        metavar="FILE",
        help="any text, which decides the secret cases; without it they are random",
    )
    add("--solutions", type=Path, metavar="DIR", help="the folder of the solutions' sources; default: the course's own")
    add(
        "--minutes",
        type=_most_minutes,
        default=MINUTES,
        metavar="M",
        help=f"how long a run may take before it ends itself; default: {MINUTES}; Gradescope stops it a minute later",
    )


def _moment(text: str) -> datetime:
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        raise argparse.ArgumentTypeError(f"{text!r} does not say the hour. Write it as in {text}T18:00.")
    try:
        return moment(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} {error}") from None


def _assignment(text: str) -> str:
    try:
        return column(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _option(pattern: str, wanted: str, convert: Callable[[str], Any] = str) -> Callable[[str], Any]:
    """Return a function that reads an option, and refuses what does not match the pattern: it is not ``wanted``."""

    def read(text: str) -> Any:
        if not re.fullmatch(pattern, text):
            raise argparse.ArgumentTypeError(f"{text!r} is not {wanted}")
        return convert(text)

    return read


_percent = _option(
    r"(100(\.0+)?|\d{1,2}(\.\d+)?)%?", "a percentage between 0 and 100", lambda text: float(text.rstrip("%"))
)
_minutes = _option(r"\d{1,6}", "a whole number of minutes", lambda text: timedelta(minutes=int(text)))
_name = _option(r"[\w.-]{1,40}", "a name for a round. Use up to 40 letters, digits, points, dashes and underscores.")
_lesson = _option(r"\d{1,2}", "a lesson's number. Write it as in 01.", lambda text: text.zfill(2))
_most_minutes = _option(r"[1-9]|[123]\d", "a whole number of minutes from 1 to 39. Gradescope allows 40.", int)
_count = _option(r"[1-9]\d{0,2}", "a number of workers. Give a whole number from 1 to 999.", int)


def _grade(options: argparse.Namespace) -> int:
    rules = _rules(options)
    class_ = collect(options.submissions, options.names, entry_times=options.times == "zip")
    if class_.suggestion and options.names == "auto":
        raise GradingError(
            f"These file names look like {PLATFORMS[class_.suggestion]}'s. If they are, add --names "
            f"{class_.suggestion}. If not, add --names stem or --names folder."
        )
    students, unknown = with_times(class_.students, _times(options.times))
    _must_lie_apart(options.submissions, options.out)
    if options.solutions:
        _must_be_apart_from_what_is_lent(options.solutions)
    if options.sandbox != "none":
        refuse_what_is_lent(options.submissions, options.out, *filter(None, [options.solutions]))
    wanted_seed = _seed_of(options.seed_file) if options.seed_file else None
    gradebook = Gradebook(options.out, options.round)
    started = time.monotonic()
    try:
        if gradebook.round != "1":
            print(f"Round {gradebook.round}.")
        platform = PlatformFiles(options.names, rules.assignments) if options.names in PLATFORMS else None
        reports = Reports(options.out, gradebook, rules.scoring, anonymous=options.anonymous, platform=platform)
        reports.take_in()
        students = readers.take_in(students, gradebook)
        seed, free_texts = gradebook.seed(wanted_seed), gradebook.free_texts(options.free_text)
        of_round = {"free_texts": free_texts, "solutions": options.solutions}
        begun = _begin(students, options.lesson, gradebook, functools.partial(Drawing, seed=seed, **of_round))
        with _piece_runner(options, begun.number if begun else None) as (pieces, workers):
            run = GradingRun(gradebook, pieces, seed, all_versions=options.keep == "best", begun=begun, **of_round)
            try:
                with Progress(2 * len(students)) as progress:
                    summary = run.mark(students, options.lesson, workers, progress.step)
            finally:
                written = reports.write()
    finally:
        gradebook.close()
    lines = _report(summary, options.out, time.monotonic() - started, reports.naming)
    print("\n".join([*_remarks(class_, unknown), *written, *lines]))
    return 1 if summary.postponed else 0


def _times(text: str | None) -> Times:
    return {} if text in (None, "zip") else read_times(Path(text))


def _rules(options: argparse.Namespace) -> ClassRules:
    """Return the class's rules; what an option says holds for all lessons. Raises GradingError."""
    rules = read_class(options.class_file) if options.class_file else ClassRules()
    given = {"due": options.due, "per_day": options.late_penalty, "cap": options.late_cap, "grace": options.grace}
    late = rules.scoring.lateness.everywhere(**{name: value for name, value in given.items() if value is not None})
    assignments = rules.assignments
    if options.assignment:
        if options.names != "canvas" or not options.lesson:
            raise GradingError(
                "--assignment names one lesson's column on Canvas. Add --names canvas and --lesson, too."
            )
        assignments = {**assignments, options.lesson: options.assignment}
    return ClassRules(replace(rules.scoring, keep=options.keep, lateness=late), assignments)


def _begin(
    students: list[StudentFiles], lesson: str | None, gradebook: Gradebook, draw: Callable[[str], Drawing]
) -> Drawing | None:
    """Begin to draw what the first student's work needs, if that is new: it takes longer than to try out a sandbox."""
    with contextlib.suppress(Changing):
        found = [one for files in students[:1] for one in read(files, lesson)]
        new = {one.lesson for one in found if gradebook.status(one.student, one.lesson, one.digest) is None}
        if lessons := sorted(new.intersection(lessons_with_exercises())):
            have_loaded(lessons)
            return draw(lessons[0])
    return None


@contextlib.contextmanager
def _piece_runner(options: argparse.Namespace, first: str | None) -> Iterator[tuple[PieceRunner, int]]:
    """Yield what runs students' code, here or on a cluster, and how many of them at a time; ``first`` is a lesson."""
    sweep()
    if options.scheduler:
        with Cluster(options.scheduler) as cluster:
            pieces = OnCluster(cluster, options.sandbox)
            _say_sandbox(f" of the workers at {cluster.address}", ", ".join(pieces.sandboxes))
            yield pieces, options.workers or 2 * cluster.threads
        return
    name, runner = choose(options.sandbox, ROOT, set_up_of(first, solutions=options.solutions) if first else ())
    _say_sandbox("", name)
    try:
        yield Here(runner), options.workers or os.cpu_count() or 1
    finally:
        runner.close()


def _say_sandbox(where: str, name: str) -> None:
    warning = " Students' code can do what you can." if name == "none" else ""
    print(f"Sandbox{where}: {name}.{warning}", flush=True)


def _must_lie_apart(submissions: Path, out: Path) -> None:
    inner, outer = out.resolve(), submissions.resolve()
    if inner == outer or outer in inner.parents:
        raise GradingError(f"{out} lies inside the submissions. Choose a folder outside of them for --out.")


def _must_be_apart_from_what_is_lent(solutions: Path) -> None:
    if not solutions.is_dir():
        raise GradingError(f"--solutions {solutions} is not a folder. Name the folder that holds the solutions.")
    if solutions.resolve().is_relative_to(ROOT / "utils"):
        raise GradingError(f"{solutions} lies in utils, which students' code can read. Move the solutions elsewhere.")


def _seed_of(path: Path) -> str:
    try:
        text = path.read_bytes()
    except OSError as error:
        raise GradingError(f"The seed file {path} could not be read ({error.strerror}).") from None
    if not text.strip():
        raise GradingError(f"The seed file {path} is empty. Write any text into it, and keep it to yourself.")
    return hashlib.sha256(text).hexdigest()


def _remarks(class_: ClassSubmissions, unknown: list[str]) -> list[str]:
    lines = []
    if class_.left_out:
        lines.append(f"Left out: {some(class_.left_out, SHOWN)}.")
    if class_.suggestion:
        lines.append(
            f"These file names look like {class_.suggestion.capitalize()}'s. With --names {class_.suggestion}, "
            "students and late marks are read from them."
        )
    elif folder := _folder_of_all(class_.students):
        lines.append(
            f"Everything handed in lies in the folder {folder}, so it was taken for one student's. If each file is "
            "another student's, add --names stem: then the files' names are the students'."
        )
    if unknown:
        lines.append(f"Nobody with these names from the file of times handed anything in: {some(unknown, SHOWN)}.")
    return lines


def _folder_of_all(students: list[StudentFiles]) -> str:
    """Return the folder in which all notebooks lie that were taken for those of one student, "" where there is none."""
    documents = [one for student in students for one in student.documents]
    folders = {one.file.rpartition("/")[0] for one in documents}
    is_one = len(students) == len(folders) == 1 < len(documents)
    return next((readable(one) for one in folders if is_one and readable(one.split("/")[0]) == students[0].student), "")


def _report(summary: RunSummary, out: Path, seconds: float, naming: Naming) -> list[str]:
    new = summary.marked.total()
    counts = ", ".join(f"{summary.marked[status]} {status}" for status in STATUSES if summary.marked[status])
    lines = [f"Marked {new} submission{'s' * (new != 1)}{': ' * bool(counts)}{counts} ({seconds:.0f} s)."]
    if summary.unchanged:
        lines.append(f"Kept {summary.unchanged} that {'was' if summary.unchanged == 1 else 'were'} marked already.")
    reasons: dict[str, list[str]] = {}
    for student, reason in summary.postponed:
        reasons.setdefault(reason if naming is by_name else without_names(reason), []).append(naming(student))
    for reason, names in reasons.items():
        who = some(names, SHOWN)
        lines.append(f"Not marked, through no fault of theirs: {who}; {reason}. Run the same command again to retry.")
    return [*lines, f"Grades: {out / 'grades.csv'}; the class: {out / 'index.html'}; feedback: {out / 'feedback'}"]


def _history(options: argparse.Namespace) -> int:
    rules = read_class(options.class_file).scoring if options.class_file else ScoringRules()
    for stored in history(options.out, options.student):
        mark, when = by_rules(stored.mark, rules), f", handed in {stored.time:%Y-%m-%d %H:%M}" if stored.time else ""
        score = "no score" if mark.score is None else f"{mark.score:g} of {mark.max_score:g}"
        late = ", late" if stored.late else ""
        print(
            f"{mark.student}  lesson {mark.lesson or '?'}  round {stored.round}  marked {stored.marked_at}: "
            f"{mark.status}, {score}{when}{late}"
        )
    return 0


def _pack(options: argparse.Namespace) -> int:
    rules = read_class(options.class_file).scoring if options.class_file else None
    if options.solutions:
        _must_be_apart_from_what_is_lent(options.solutions)
    seed = _seed_of(options.seed_file) if options.seed_file else secrets.token_hex(32)
    out = options.out or ROOT / "_handout" / f"gradescope-{options.lesson}.zip"
    from grading import gradescope  # here, since it loads much that marking does without

    print(
        "\n".join(
            gradescope.pack(
                options.lesson, out, seed, rules=rules, minutes=options.minutes, solutions=options.solutions
            )
        )
    )
    return 0


def _demo(options: argparse.Namespace) -> int:
    submissions, arguments = demo.make(options.out)
    print(
        f"{demo.SIZE} invented submissions are in {submissions}. This command marks them:\n\n  python -m grading "
        f"{' '.join(map(shlex.quote, arguments))}\n"
    )
    status = main(arguments)
    print(f"\nNow open {options.out / 'marks' / 'index.html'} in a browser.")
    return status


if __name__ == "__main__":
    status = main()
    gc.freeze()  # or the end would look at all that was loaded
    sys.exit(status)
