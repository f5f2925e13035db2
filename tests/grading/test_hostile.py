"""The corpus of hostile submissions, marked as one class together with honest ones: who gets what, and what is left.

The quick part is for every change, the whole one for ``make test-all``. Each way of running students' code that this
machine allows has its turn; kinds that a way is not meant to stop are left out of its class.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from grading.export import page_name
from tests.grading.helpers import ROOT, children, grades, skip_outside_ci
from tests.grading.hostile import LESSON, POINTS, Kind, World, load_corpus, notebook, read_stub, saved, solutions
from tests.grading.other_users import opening

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are followed the way Linux shows them"),
]
SECRET = f"canary{secrets.token_hex(16)}"
BASE_SECONDS, PATIENCE, WORKERS = 3.0, 2, 2
LIMIT = BASE_SECONDS + PATIENCE * 2
JOB_SECONDS = 20.0  # what one exercise that does not hang may take, on a machine that is busy with other things
# With short limits.
GRADE = f"""import sys
import grading.marking as marking
marking.BASE_SECONDS, marking.PATIENCE, marking.PASS_SECONDS = {BASE_SECONDS}, {PATIENCE}, {BASE_SECONDS}
from grading.__main__ import main
sys.exit(main())"""
COURSE = ("utils", "authoring", "cluster", "grading", "solutions", "exercises", "notebooks", "pyproject.toml")
NOISY = """
# exercise 01.2
import warnings
from tqdm import tqdm
print("thinking ...")
def left_weights(knots, values):
    import matplotlib.pyplot as plt, sys, time
    warnings.warn("this is only a warning")
    print("\\x1b[31mred\\x1b[0m", file=sys.stderr)
    plt.plot(knots, values)
    time.sleep(0.1)
    return [float(w) for w in tqdm(np.diff(np.diff(values) / np.diff(knots), append=0.0))]
"""
RANDOM = """
# exercise 01.2
import random
def left_weights(knots, values):
    return [random.random() + np.random.rand() for _ in knots[1:]]
"""


def neighbours() -> dict[str, tuple[bytes, dict[str, float]]]:
    """Return honest students' notebooks, and the points that each has earned."""
    right = solutions()
    half = {exercise: right[exercise] for exercise in ("01.1", "01.3", "01.6")}
    wrong = {exercise: source.replace("return ", "return 0 * ") for exercise, source in right.items()}
    return {
        "solved": (saved(notebook(right, whole=True)), POINTS),
        "half": (saved(notebook(half, whole=True)), {exercise: POINTS[exercise] for exercise in half}),
        "noisy": (saved(notebook({"01.2": NOISY})), {"01.2": 3}),
        "random": (saved(notebook({"01.2": RANDOM, "01.1": right["01.1"]})), {"01.1": 2}),
        "wrong": (saved(notebook({"01.2": wrong["01.2"], "01.3": right["01.3"]})), {"01.3": 2}),
        "stub": (saved(read_stub()), {}),
    }


def row_of(points: dict[str, float]) -> dict[str, float | str]:
    return Kind("", lambda world: b"", "", points=points).row()


def way_to(mode: str, stage: Path) -> list[str]:
    """Return what goes before the command that marks in this mode; skips where the machine does not allow the mode.

    That is said by the machine, so that a broken sandbox is not skipped; and where CI runs, it is a failure.
    """
    if mode == "user":
        return opening(stage)
    if mode == "bubblewrap" and not bubblewrap_works():
        skip_outside_ci("bubblewrap does not work on this machine")
    return []


def bubblewrap_works() -> bool:
    """Return whether this machine has bubblewrap and allows it its namespaces."""
    if shutil.which("bwrap") is None:
        return False
    tried = ["bwrap", "--ro-bind", "/", "/", "--unshare-all", "--proc", "/proc", "--dev", "/dev", "/bin/true"]
    return subprocess.run(tried, capture_output=True).returncode == 0


@dataclass
class Class:
    """A class that has been marked: what there was, what came of it, and what was found afterwards."""

    kinds: list[Kind]
    world: World
    alone: Path
    said: str
    survivors: list[str]
    calls: list[str]
    changed: list[str]

    def pages(self) -> dict[str, str]:
        return {path.name: path.read_text(encoding="utf-8") for path in (self.world.out / "feedback").iterdir()}


@dataclass(frozen=True)
class Solver:
    """How students' code is run: the grader's mode, what goes before its command, and where its temporary files lie."""

    mode: str
    prefix: list[str]
    temporary: Path


@contextlib.contextmanager
def passable_folder() -> Iterator[Path]:
    """Yield a folder for temporary files that other users may enter: pytest's own are closed to them."""
    with tempfile.TemporaryDirectory(prefix="marking-", ignore_cleanup_errors=True) as name:
        os.chmod(name, 0o711)
        yield Path(name)


# `make test` takes the quick part in one sandbox; the other one's own tests are in test_sandbox.
EXTENTS = [
    pytest.param(("bubblewrap", "quick"), id="bubblewrap-quick"),
    *(
        pytest.param((mode, "whole"), id=f"{mode}-whole", marks=pytest.mark.full)
        for mode in ("bubblewrap", "user", "none")
    ),
]


@pytest.fixture(scope="module")
def alone(tmp_path_factory) -> Path:
    """The marks of the honest students alone, which need no sandbox; in one that there is, processes are forked."""
    folder = tmp_path_factory.mktemp("honest")
    (folder / "outside").mkdir()
    with passable_folder() as temporary:
        world = make_world(folder, (0, ""))
        grade(world, Solver("bubblewrap" if bubblewrap_works() else "none", [], temporary), limit=600)
    return world.out


@pytest.fixture(scope="module", params=EXTENTS)
def marked(request, alone, tmp_path_factory) -> Iterator[Class]:
    """A class of honest and hostile students, marked; what it leaves running is ended."""
    mode, extent = request.param
    kinds = [kind for kind in load_corpus().values() if mode in kind.holds and (kind.quick or extent == "whole")]
    folder = tmp_path_factory.mktemp("hostile")
    with passable_folder() as temporary, listening(folder) as (listeners, calls), adopting() as survivors:
        way = Solver(mode, way_to(mode, tmp_path_factory.mktemp("stage")), temporary)
        world = make_world(folder, listeners)
        for kind in kinds:
            kind.hand_in(world)
        before = state_of(world)
        said = grade(world, way, limit=limit_of(kinds))
        left = survivors()
        changed = [*differences(before, state_of(world)), *map(str, temporary.iterdir())]
        yield Class(kinds, world, alone, said, left, calls(), changed)


def limit_of(kinds: list[Kind]) -> float:
    """Return the sum of the limits of all that is marked, as the workers share it out."""
    hanging = sum(kind.hangs for kind in kinds)
    return 30 + (hanging * (LIMIT + 1) + (2 * len(kinds) + 6 * len(neighbours())) * JOB_SECONDS) / WORKERS


def make_world(folder: Path, listeners: tuple[int, str]) -> World:
    """Return where a class will be marked: a copy of the course, the honest students' work, and a folder outside."""
    course = folder / "course"
    course.mkdir()
    for name in COURSE:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, course / name)
    world = World(course, folder / "in", folder / "out", folder / "seed.txt", folder / "outside", *listeners)
    world.submissions.mkdir()
    world.outside.chmod(0o777)
    world.seed_file.write_text(SECRET)
    (world.outside / "secret.txt").write_text(SECRET)
    for student, (data, _) in neighbours().items():
        (world.submissions / f"{student}.ipynb").write_bytes(data)
    return world


def grade(world: World, way: Solver, limit: float) -> str:
    """Mark the class with short limits, and return what was said; fails where that takes longer than ``limit``."""
    command = [*way.prefix, sys.executable, "-c", GRADE, "grade", str(world.submissions), "--out", str(world.out)]
    command += ["--lesson", LESSON, "--workers", str(WORKERS), "--seed-file", str(world.seed_file)]
    command += ["--sandbox", way.mode]
    environment = {**os.environ, "GRADER_SECRET": SECRET, "TMPDIR": str(way.temporary)}
    with subprocess.Popen(
        command, cwd=world.course, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            said = process.communicate(timeout=limit)[0]
        except subprocess.TimeoutExpired:
            process.terminate()
            said = process.communicate()[0]
            pytest.fail(f"marking was still at work after {limit:.0f} s, the sum of all limits: {said}")
    assert process.returncode == 0 and "Traceback" not in said, said
    return said


@contextlib.contextmanager
def listening(folder: Path) -> Iterator:
    """Listen on the loopback address, under an abstract name and on a path; yields where, and who called."""
    (folder / "outside").mkdir()
    name = f"hostile-{secrets.token_hex(8)}"
    with socket.socket() as tcp, socket.socket(type=socket.SOCK_DGRAM) as udp, contextlib.ExitStack() as stack:
        abstract, on_path = (stack.enter_context(socket.socket(socket.AF_UNIX)) for _ in range(2))
        tcp.bind(("127.0.0.1", 0))
        port = tcp.getsockname()[1]
        udp.bind(("127.0.0.1", port))
        abstract.bind(f"\0{name}")
        here = os.getcwd()
        os.chdir(folder / "outside")  # a socket's path may have a hundred letters
        on_path.bind("socket")
        os.chdir(here)
        os.chmod(folder / "outside" / "socket", 0o777)
        sockets = {"tcp": tcp, "udp": udp, "abstract": abstract, "path": on_path}
        for listener in sockets.values():
            listener.setblocking(False)
            if listener is not udp:
                listener.listen()
        yield (port, name), lambda: [kind for kind, listener in sockets.items() if was_called(listener)]


def was_called(listener: socket.socket) -> bool:
    try:
        listener.recv(1) if listener.type == socket.SOCK_DGRAM else listener.accept()
    except BlockingIOError:
        return False
    return True


@contextlib.contextmanager
def adopting() -> Iterator:
    """Become the parent of whatever loses its own below this process; yields what lists those alive, and ends them.

    So nothing escapes: a daemon with a session of its own and no parents left is still found.
    """
    libc = ctypes.CDLL(None)
    libc.prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    before = set(children(os.getpid()))
    try:
        yield lambda: lasting(before)
    finally:
        for process in set(children(os.getpid())) - before:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        reap(before)
        libc.prctl(36, 0, 0, 0, 0)


def lasting(before: set[int]) -> list[str]:
    """Return what still runs half a minute from now; what has been killed takes a moment to be gone.

    What is left behind here would last for longer by itself.
    """
    for _ in range(300):
        reap(before)
        left = set(children(os.getpid())) - before
        if not left:
            break
        time.sleep(0.1)
    return [f"{process}: {command_of(process)}" for process in sorted(left)]


def reap(before: set[int]) -> None:
    for process in set(children(os.getpid())) - before:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(process, os.WNOHANG)


def command_of(process: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")[:200]
    return ""


SHARED = ("/", "/tmp", "/var/tmp", "/dev/shm", "/run", "/etc", "/root", "/home", "/usr/lib")


def state_of(world: World) -> dict[str, str]:
    """Return what lies in the places that nobody should have changed, with digests of the contents."""
    state = {}
    for top in (world.course, world.submissions, world.outside):
        for path in top.rglob("*"):
            if path.is_file() and not path.is_symlink() and path.stat().st_size < 10**7 and path.suffix != ".pyc":
                state[str(path)] = hashlib.sha256(path.read_bytes()).hexdigest()
            elif path.suffix != ".pyc" and path.name != "__pycache__":
                state[str(path)] = "there"
    for folder in SHARED:
        names = os.listdir(folder) if os.path.isdir(folder) else []
        state |= {f"{folder}/{name}": "there" for name in names if "hostile-" in name or name == "hostile"}
    return state


def differences(before: dict[str, str], after: dict[str, str]) -> list[str]:
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def test_each_gets_what_it_has_earned(marked):
    """A mark that was honestly earned, or a status that says what happened: for everybody at once."""
    rows = grades(marked.world.out)
    wrong = {}
    for kind in marked.kinds:
        row = rows.get(kind.shown or kind.name)
        got = None if row is None else short(row)
        wanted = None if kind.status == "absent" else short(kind.row())
        if got != wanted:
            wrong[kind.name] = {"got": got, "wanted": wanted, "why": kind.why}
    assert wrong == {}, json.dumps(wrong, indent=1)
    present = [kind for kind in marked.kinds if kind.status != "absent"]
    assert len(rows) == len(present) + len(neighbours())


def short(row: dict) -> str:
    """Return status, score and points in one line."""
    return " ".join([str(row["status"]), str(row["score"]), *(f"{row.get(exercise, '')}" for exercise in POINTS)])


def test_the_neighbours_are_marked_as_if_they_were_alone(marked):
    rows, alone = grades(marked.world.out), grades(marked.alone)
    for student, (_, points) in neighbours().items():
        assert short(rows[student]) == short(row_of(points)), student
        assert rows[student] == alone[student]
        page = f"feedback/{page_name(student)}"
        assert (marked.world.out / page).read_text() == (marked.alone / page).read_text()


def test_nothing_is_left_running(marked):
    assert marked.survivors == []


def test_nothing_is_written_elsewhere(marked):
    assert marked.changed == []


def test_nobody_called(marked):
    assert marked.calls == []


def test_no_secret_comes_out(marked):
    """Neither what lies outside, nor the grader's environment, nor the round's seed."""
    texts = {**marked.pages(), "grades.csv": (marked.world.out / "grades.csv").read_text(), "said": marked.said}
    hashed = hashlib.sha256(SECRET.encode()).hexdigest()
    assert [name for name, text in texts.items() if SECRET in text or hashed in text] == []


def test_no_secret_input_comes_out(marked):
    """A number of a case that only the secret seed draws is quoted nowhere, whatever remembers it."""
    public = set(re.findall(NUMBER, json.dumps(public_inputs())))
    beginnings = {number[:length] for number in public for length in range(len(number) + 1)}  # lines are cut off
    leaks = {
        name: sorted(set(re.findall(NUMBER, text.partition("SEEN")[2])) - beginnings)[:3]
        for name, text in marked.pages().items()
    }
    assert {name: found for name, found in leaks.items() if found} == {}


NUMBER = r"\d\.\d{10,}"


def public_inputs() -> list[dict]:
    from utils.exercises import find, stored_cases

    records = [record for exercise in POINTS for record in stored_cases.load(find(exercise))]
    cases = [stored_cases.case_of(record) for record in records]
    return [
        {name: getattr(value, "tolist", lambda v=value: repr(v))() for name, value in case.given.items()}
        for case in cases
    ] + records


def test_pages_hold_no_markup_of_students(marked):
    for name, text in marked.pages().items():
        assert "<script" not in text and "<img" not in text and "\x1b" not in text and ">49<" not in text, name
        assert "<" not in name
