"""The program in which one student's answer runs: ``python worker.py FD``, with a job to come over the socket FD.

It only computes. What it finds goes, one JSON object a line, over the same socket, so that earlier lines survive
whatever a later case does. Nothing secret is here, neither expected value nor seed, except that the job's cases may
be; then nobody listens to what is printed. Started by ``grading.runner``; it imports nothing of the course
before its limits hold. ``grading.fork_server`` forks processes that do the same.
"""

from __future__ import annotations

import ast
import codeop
import contextlib
import inspect
import io
import json
import linecache
import os
import random
import resource
import signal
import sys
import time
import types
from collections.abc import Callable
from typing import Any, NoReturn

MESSAGE_CHARACTERS = 500
PRINTED_CHARACTERS = 20_000


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


class Notebook:
    """The names of a running notebook, which is what ``__main__`` is from now on."""

    def __init__(self) -> None:
        import IPython

        from grading.cell_source import SilentShell

        module = types.ModuleType("__main__")
        sys.modules["__main__"] = module
        self.names = module.__dict__
        shell = SilentShell()
        self.names["get_ipython"] = IPython.get_ipython = lambda: shell
        self.names["display"] = shell.display
        self._compile = codeop.Compile()  # a cell's __future__ imports hold for later cells, too
        self._compile.flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT

    def run(self, cell: str, name: str) -> None:
        """Run a whole cell; raises what the cell raises."""
        from grading.cell_source import python_of

        source = python_of(cell)
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        self._execute(ast.parse(source, name), name)

    def define(self, cell: str) -> None:
        """Run a cell's definitions, each for itself: one that fails leaves the others."""
        from grading.cell_source import definitions

        for node in definitions(cell):
            with contextlib.suppress(BaseException):
                self._execute(ast.Module([node], []), "<earlier cell>")

    def _execute(self, tree: ast.Module, name: str) -> None:
        code = self._compile(tree, name, "exec")
        awaiting = eval(code, self.names)
        with contextlib.suppress(StopIteration):
            while code.co_flags & inspect.CO_COROUTINE:  # the cell awaits something; there is no event loop here
                awaiting.send(None)


def main() -> None:
    """Do the job that comes over the socket."""
    if sys.platform == "linux":
        _die_with_parent()
    grader = JsonSocket(int(sys.argv[1]))
    preface = grader.receive()
    set_limits(preface["limits"])
    sys.path.insert(0, preface["root"])
    try:
        notebook = prepared(preface["set_up"])
    except BaseException as error:
        grader.send(set_up_error=in_words(error))
        os._exit(1)
    limit_computing(int(time.process_time()) + preface["limits"]["cpu"])
    answer(notebook, grader)


def prepared(set_up: list[str]) -> Notebook:
    """Return a notebook in which the pristine set-up has run; raises whatever that raises."""
    import utils.exercises
    import utils.exercises.call_answer  # noqa: F401  loaded now, so that its time is not the student's

    # A student who checks in the cell that answers is marked all the same: there is nothing here to check with.
    utils.exercises.check = utils.exercises.show = lambda *args, **kwargs: None
    notebook = Notebook()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for number, cell in enumerate(set_up, start=1):
            notebook.run(cell, f"<set-up {number}>")
    return notebook


def answer(notebook: Notebook, grader: JsonSocket) -> NoReturn:
    """Run the answer of the job that the grader sends, and its cases; end the process."""
    from utils.withholding import withhold

    job = grader.receive()
    withhold(job["without"])  # before anything of the student's runs, which might keep a copy
    grader.send(ready=True)
    function = _defined(job, notebook, grader)
    for case, given in enumerate(job["cases"] if function else ()):
        grader.send(case=case, **_outcome(function, given, job))
    grader.send(done=True)
    os._exit(0)  # whatever the answer registered, or left running, has no further turn


def _die_with_parent() -> None:
    """Ask Linux to end this process when the grader dies, kill -9 included."""
    import ctypes

    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # 1 is PR_SET_PDEATHSIG


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
    """Return the student's function, None where the cell did not come to define one."""
    for cell in job["earlier"]:
        notebook.define(cell)
    grader.send(earlier=True)
    notebook.names.pop(job["name"], None)  # one of the same name in an earlier cell is not the answer
    seed()
    message = ""
    try:
        notebook.run(job["answer"], f"<exercise {job['exercise']}>")
    except BaseException as error:
        message = in_words(error)
        # What fails outside of the answer, its own file or a comparison with what is withheld, costs nothing.
        if type(error).__name__ == "Withheld" or job["name"] not in notebook.names:
            notebook.define(job["answer"])
    answer = notebook.names.get(job["name"])
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(BaseException):
            stream.flush()
    grader.send(cell=message, defined=callable(answer))
    return answer if callable(answer) else None


def _outcome(answer: Callable, given: str, job: dict[str, Any]) -> dict[str, Any]:
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
