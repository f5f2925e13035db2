"""The program in which one student's answer runs: ``python worker.py FD``, with a job to come over the socket FD.

It only computes. What it finds goes, one JSON object a line, over the same socket, so that earlier lines survive
whatever a later case does. Nothing secret is here, neither expected value nor seed, except that the job's cases may
be; then nobody listens to what is printed. Started by ``grading.runner``; it imports nothing of the course
before its limits hold. ``grading.fork_server`` forks processes that do the same.
"""

from __future__ import annotations

import ast
import builtins
import codeop
import contextlib
import gc
import inspect
import io
import itertools
import json
import linecache
import os
import random
import re
import resource
import signal
import sys
import time
import types
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from utils.exercises.slicing import Statement

MESSAGE_CHARACTERS = 500
PRINTED_CHARACTERS = 20_000
PART = 0.25  # of an answer's seconds, for what else stands in its cell
TRIES, WAIT = 20, 0.2  # seconds
CELL_PART = 2 / 3  # of the time that cells have together; what computes in C is stopped with all the rest


class JsonSocket:
    """The socket to the grader: takes and sends one JSON object a line."""

    def __init__(self, descriptor: int) -> None:
        os.set_inheritable(descriptor, False)
        self._descriptor = descriptor
        self._received = b""

    def send(self, **record: Any) -> None:
        """Send the record whole, however long it is."""
        data = memoryview(json.dumps(record).encode("ascii") + b"\n")
        while data:
            data = data[os.write(self._descriptor, data) :]

    def receive(self) -> dict[str, Any]:
        """Return the next record; ends the process where the grader has gone."""
        parts = [self._received]
        while b"\n" not in parts[-1]:
            parts.append(os.read(self._descriptor, 2**18))
            if not parts[-1]:
                os._exit(1)
        line, _, self._received = b"".join(parts).partition(b"\n")
        return json.loads(line)


class SilentShell:
    """Stands where a notebook has IPython's shell, and for all its parts: whatever is called does nothing, but %env.

    It is false, so that a library which asks whether there is a shell is told that there is none.
    """

    user_ns: dict[str, Any]

    def __getattr__(self, name: str) -> Any:
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def __bool__(self) -> bool:
        return False

    def run_line_magic(self, name: str, line: str, *_: object) -> None:
        """Set what ``%env NAME=value`` or ``%env NAME value`` sets."""
        variable, *value = re.split(r"\s*=\s*|\s+", line.strip(), maxsplit=1)
        if name in ("env", "set_env") and value:
            os.environ[variable] = value[0]


class PipeEnd:
    """An end of a pipe, in the place of a socket: asyncio's loops wake themselves by a pair; a sandbox allows none."""

    def __init__(self, descriptor: int) -> None:
        self.fileno = lambda: descriptor
        self.close = lambda: os.close(descriptor)
        self.setblocking = lambda blocking: os.set_blocking(descriptor, blocking)
        self.send = lambda data: os.write(descriptor, data)
        self.recv = lambda most: os.read(descriptor, most)


class Notebook:
    """The names of a running notebook, which is what ``__main__`` is from now on."""

    def __init__(self) -> None:
        import IPython

        module = types.ModuleType("__main__")
        sys.modules["__main__"] = module
        self.names = module.__dict__
        shell = SilentShell()
        shell.user_ns = self.names
        self.names["get_ipython"] = IPython.get_ipython = lambda: shell
        self.names["display"] = shell.display
        self._compile = codeop.Compile()  # a cell's __future__ imports hold for later cells, too
        self._compile.flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT

    def run(self, cell: str, name: str) -> None:
        """Run a whole cell; raises what the cell raises."""
        from utils.exercises.slicing import python_of

        source = python_of(cell)
        linecache.cache[name] = _lines(name, source)
        self._execute(ast.parse(source, name), name)

    def run_each(self, statements: Iterable[Statement]) -> str:
        """Run statements, each for itself: one that fails leaves the others. Return in words what the first raised."""
        said = [words for statement in statements if (words := self._run_one(statement))]
        return said[0] if said else ""

    def run_within(self, seconds: float, statements: Sequence[Statement], always: Collection[Statement]) -> str:
        """Run a cell's statements up to the first that fails, and those of ``always`` come what may.

        What is not of ``always`` has so many seconds. Return in words what the first that failed has raised.
        """
        said = ""
        for statement in statements:
            if statement in always:
                words = self._run_one(statement)
                said = said or words
            elif not said:
                start = time.monotonic()
                with at_most(seconds):
                    said = self._run_one(statement)
                seconds -= time.monotonic() - start
        return said

    def _run_one(self, statement: Statement) -> str:
        linecache.cache.setdefault(statement.cell, _lines(statement.cell, statement.source))
        try:
            self._execute(ast.Module([statement.node], []), statement.cell)
        except BaseException as error:
            return in_words(error)
        return ""

    def _execute(self, tree: ast.Module, name: str) -> None:
        code = self._compile(tree, name, "exec")  # type: ignore[arg-type]  # a tree does as well as text
        awaiting = eval(code, self.names)
        with contextlib.suppress(StopIteration):
            while code.co_flags & inspect.CO_COROUTINE:  # the cell awaits something; there is no event loop here
                awaiting.send(None)


def _lines(name: str, source: str) -> tuple[int, None, list[str], str]:
    """Return a cell's lines as ``linecache`` keeps them, for tracebacks."""
    return len(source), None, source.splitlines(keepends=True), name


def main() -> None:
    """Do the job that comes over the socket."""
    grader = JsonSocket(int(sys.argv[1]))
    preface = grader.receive()
    set_limits(preface["limits"])
    sys.path.insert(0, preface["root"])
    if sys.platform == "linux":
        from grading import namespaces

        namespaces.die_with_parent()
    try:
        notebook = prepared(preface["set_up"])
    except BaseException as error:
        grader.send(set_up_error=in_words(error))
        os._exit(1)
    limit_computing(int(time.process_time()) + 1 + preface["limits"]["cpu"])
    answer(notebook, grader)


def prepared(set_up: list[str]) -> Notebook:
    """Return a notebook in which the pristine set-up has run; raises whatever that raises."""
    import socket
    from asyncio import selector_events

    import utils.exercises
    from utils.exercises import call_answer, slicing  # noqa: F401  loaded now: their time is not the student's

    # A student who checks in the cell that answers is marked all the same: there is nothing here to check with.
    sockets = types.SimpleNamespace(**vars(socket) | {"socketpair": lambda: map(PipeEnd, os.pipe())})
    vars(selector_events)["socket"] = sockets
    utils.exercises.check = utils.exercises.show = lambda *args, **kwargs: None
    notebook = Notebook()
    gc.disable()  # what is loaded stays, and looking for what does not takes a tenth of the time
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):  # which nobody hears
        for number, cell in enumerate(set_up, start=1):
            notebook.run(cell, f"<set-up {number}>")
    gc.enable()
    return notebook


def answer(notebook: Notebook, grader: JsonSocket) -> NoReturn:
    """Run the answer of the job that the grader sends, and its cases; end the process."""
    from utils.withholding import withhold

    job = grader.receive()
    withhold(job["without"])  # before anything of the student's runs, which might keep a copy
    grader.send(ready=True)
    if job["checks"]:
        _run_from_the_top(job, notebook, grader)
    elif (function := _defined(job, notebook, grader)) is not None:
        seed()
        for case, given in enumerate(job["cases"]):
            grader.send(case=case, **_outcome(function, given, job))
    grader.send(done=True)
    os._exit(0)  # whatever the answer registered, or left running, has no further turn


def set_limits(limits: dict[str, int]) -> None:
    """Limit this process and what it starts, as far as the system lets it."""
    wanted = {
        resource.RLIMIT_AS: (limits["memory"],) * 2,
        resource.RLIMIT_FSIZE: (limits["file"],) * 2,
        resource.RLIMIT_CORE: (0, 0),
    }
    for kind, values in wanted.items():
        with contextlib.suppress(ValueError, OSError):  # macOS refuses some of them
            resource.setrlimit(kind, values)


def limit_computing(seconds: int) -> None:
    """End this process when it has computed for so long since its start; the signal tells what it was."""
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))


def _defined(job: dict[str, Any], notebook: Notebook, grader: JsonSocket) -> Callable | None:
    """Return the student's function, None where the cell did not come to define one.

    What the function rests on is taken from all cells: from those below, where it is nowhere else. What else stands in
    the answer's own cell, and what that rests on, has a part of the time, and may fail.
    """
    from utils.exercises.slicing import names_read, slice_of

    name, place = job["name"], f"<exercise {job['exercise']}>"
    places = [f"<cell above {at}>" for at in range(len(job["earlier"]))]
    above, _ = _statements(job["earlier"], places)
    own, message = _statements([job["answer"]], [place])
    below, _ = _statements(job["later"], [f"<cell below {at}>" for at in range(len(job["later"]))])
    rests_on = slice_of({name}, own)
    needed = slice_of(names_read(rests_on), above)
    failed = ""
    for cell, part in itertools.groupby(needed, key=lambda one: one.cell):
        grader.send(above=places.index(cell))
        words = notebook.run_each(part)
        failed = failed or words
    grader.send(earlier=True)
    other = notebook.names.get(name)  # one of the same name in another cell is not the answer
    seed()
    beside = [one for one in slice_of(names_read(own), above) if one not in needed]
    message = message or notebook.run_within(job["seconds"] * PART, [*beside, *own], rests_on)
    lacking = names_read([*needed, *rests_on]) - notebook.names.keys() - vars(builtins).keys()
    notebook.run_each(one for one in slice_of(lacking, [*above, *below]) if one not in needed)
    answer = notebook.names.get(name)
    _flush()
    defined = callable(answer) and answer is not other
    grader.send(cell=message or failed, defined=defined)
    return answer if defined else None


def _statements(cells: Sequence[str], places: Sequence[str]) -> tuple[list[Statement], str]:
    """Return all cells' statements, named by their places, and in words why a cell has none."""
    from utils.exercises.slicing import statements

    found, said = [], ""
    for cell, name in zip(cells, places, strict=True):
        try:
            found += statements(cell, name)
        except BaseException as error:
            said = in_words(error)
    return found, said


def _run_from_the_top(job: Mapping[str, Any], notebook: Notebook, grader: JsonSocket) -> None:
    """Run a pass: the notebook's cells from the top, as at home, and what each check's cases come to.

    Each check is done by a child, forked where the notebook calls it, with whatever the cell hands over: what it leaves
    behind is gone with it, and what comes below changes nothing.

    A cell that fails, or takes too long, is passed over. Of the page's own cells, which nobody changed, those run whose
    names another one reads.
    """
    first = 0
    due: dict[int | None, list[tuple[int, Mapping[str, Any]]]] = {}
    for check in job["checks"]:
        due.setdefault(check["at"], []).append((first, check))
        first += check["cases"]
    left_out = _unread(job["earlier"], set(job["unchanged"]), {check["name"] for check in job["checks"]})
    seconds = CELL_PART * (job["seconds"] - sum(check["seconds"] for check in job["checks"]))
    for at, cell in enumerate(job["earlier"]):
        if at in due or at not in left_out:
            grader.send(above=at)
        for begins, check in due.get(at, ()):
            _in_a_child(check, begins, job, notebook, grader)
        if at not in due and at not in left_out:
            _run_cell(cell, at, notebook, seconds)
    for begins, check in due.get(None, ()):
        _in_a_child(check, begins, job, notebook, grader)
    grader.send(earlier=True)
    grader.send(cell="", defined=True)


def _run_cell(cell: str, at: int, notebook: Notebook, seconds: float) -> None:
    try:
        with at_most(seconds, signal.ITIMER_PROF):
            notebook.run(cell, f"<cell {at}>")
    except BaseException:
        pass  # as a reader passes over a cell that is red


def _unread(cells: Sequence[str], unchanged: set[int], names: set[str]) -> set[int]:
    """Return those of the unchanged cells that bind or change nothing that is read."""
    from utils.exercises.slicing import names_read

    found = {at: _statements([cell], [f"<cell {at}>"])[0] for at, cell in enumerate(cells)}
    read = names.union(*(names_read(of) for at, of in found.items() if at not in unchanged))
    left = set(unchanged)
    while needed := {at for at in left if any((one.binds | one.changes) & read for one in found[at])}:
        left -= needed
        read.update(*(names_read(found[at]) for at in needed))
    return left


def _in_a_child(
    check: Mapping[str, Any],
    first: int,
    job: Mapping[str, Any],
    notebook: Notebook,
    grader: JsonSocket,
) -> None:
    """Have a child call what the check is handed, for its cases, and wait for its end."""
    _flush()  # or it would be printed twice
    if child := _fork():
        os.waitpid(child, 0)
        return
    try:
        if sys.platform == "linux":
            from grading import namespaces

            namespaces.die_with_parent()
        if "torch" in sys.modules:  # its threads are not forked with it, and it would wait for them
            sys.modules["torch"].set_num_threads(1)
        limit_computing(1 + int(check["seconds"]))
        function = notebook.names.get(check["name"])
        seed()
        for case, given in enumerate(job["cases"][first : first + check["cases"]], start=first):
            if callable(function):
                grader.send(case=case, **_outcome(function, given, {**check, "without": job["without"]}))
        _flush()
    finally:
        os._exit(0)


def _fork() -> int:
    """Return what ``os.fork`` does, once the machine has room for it: others may fill its memory for a moment."""
    for _ in range(TRIES):
        try:
            return os.fork()
        except OSError:
            time.sleep(WAIT)
    return os.fork()


class OutOfTime(BaseException):
    """What stands beside an answer has had its time."""


@contextlib.contextmanager
def at_most(seconds: float, timer: int = signal.ITIMER_REAL) -> Iterator[None]:
    """Raise OutOfTime in what runs for longer, or with ITIMER_PROF computes for longer."""

    def stop(*_: object) -> NoReturn:
        raise OutOfTime("what stands beside the answer has had its time")

    signal.signal(signal.SIGPROF if timer == signal.ITIMER_PROF else signal.SIGALRM, stop)
    signal.setitimer(timer, max(seconds, 1e-6))
    try:
        yield
    finally:
        signal.setitimer(timer, 0)


def _outcome(answer: Callable, given: str, job: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a call of the answer comes to, as the grader is told of a case."""
    from utils.exercises import call_answer, serialization

    try:
        outcome = call_answer.call_answer(answer, given, job["exercise"], job["without"])
        value = serialization.dumps(outcome.value, job["most"])
    except serialization.NotSerializable as error:  # more than any right answer takes
        return {"kind": "error", "value": "null", "message": f"{call_answer.UNCHECKABLE}: {error}", "printed": ""}
    except BaseException as error:
        return {"kind": "error", "value": "null", "message": in_words(error), "printed": ""}
    printed = outcome.printed[:PRINTED_CHARACTERS]
    return {"kind": outcome.kind, "value": value, "message": outcome.message, "printed": printed}


def _flush() -> None:
    """Have all out that was printed."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(BaseException):
            stream.flush()


def seed() -> None:
    """Set the global generators, so that an answer that draws from them earns the same mark every time."""
    random.seed(0)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(0)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(0)


def in_words(error: BaseException) -> str:
    """Return the error in one line, with the line of the student's code where it arose."""
    try:
        text = " ".join(f"{type(error).__name__}: {error}".rstrip(": ").split())[:MESSAGE_CHARACTERS]
        line = _line_of(error)
    except BaseException:  # an exception's own __str__ is the student's code, too
        return type(error).__name__
    return f"{text} (in the line: {line})" if line else text


def _line_of(error: BaseException) -> str:
    """Return the line of the student's own cell at which the error arose, "" where there is none."""
    if isinstance(error, SyntaxError) and error.text:
        return error.text.strip()[:200]
    line, trace = "", error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name in linecache.cache and name.startswith("<"):
            line = linecache.getline(name, trace.tb_lineno).strip()[:200]
        trace = trace.tb_next
    return line


if __name__ == "__main__":
    main()
