"""Which sandbox marking takes: the best that works on this machine, after a trial run."""

from __future__ import annotations

import stat
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path

from grading import GradingError
from grading.protocol import Job, SetUpFailed
from grading.runner import Runner, SubprocessRunner
from grading.sandbox import candidates, refuse_what_is_lent
from grading.worker_pool import WorkerPool

NAMES = ("auto", "bubblewrap", "user", "none")
NO_SANDBOX = (
    "Students' code could not be shut in ({why}). Install bubblewrap (apt-get install bubblewrap), and check that "
    "user namespaces are allowed. Or add --sandbox none, for work that you trust as your own."
)
CLOSED = (
    "other users may not enter {folders}, where Python or the folder for temporary files lies: allow it (chmod o+x; "
    "for Python's own folder chmod -R o+rX), or use a Python and a TMPDIR that lie where everybody may read"
)


def choose(name: str, root: Path, set_up: Sequence[str] = ()) -> tuple[str, Runner]:
    """Return the sandbox's name and a runner for it; raises GradingError where ``name`` cannot be had.

    "auto" is bubblewrap where a trial run works, else another user's id where the grader is root. The trial loads this
    ``set_up``, with which jobs may go on. Raises OSError where the grader itself cannot write what a sandbox needs: on
    a full disk no sandbox is to blame.
    """
    if name == "none":
        return name, SubprocessRunner(root)
    refuse_what_is_lent(root)
    why: list[str] = []
    for sandbox in candidates(name, root):
        runner = WorkerPool(sandbox)
        try:
            try:
                try_out(runner, set_up)
            except SetUpFailed:
                try_out(runner)  # what a lesson loads may fail in the best of sandboxes
            return sandbox.name, runner
        except SetUpFailed as error:
            runner.close()
            closed = _closed_to_others() if sandbox.isolation == "user" else ""
            if closed and name == "user":
                raise GradingError(f"Students' code cannot run as another user: {closed}.") from None
            why.append(f"{sandbox.name}: {closed or error}")
        except OSError:
            runner.close()
            raise
    missing = "only root can run it as another user" if name == "user" else "bubblewrap was not found"
    raise GradingError(NO_SANDBOX.format(why="; ".join(dict.fromkeys(why)) or missing))


def try_out(runner: Runner, set_up: Sequence[str] = ()) -> None:
    """Run a job whose answer looks for the course, its home, and Python's and the environment's libraries.

    Raises SetUpFailed where it does not find them all.
    """
    code = (
        "def answer():\n    import numpy, os, utils.exercises.checking, wave\n"
        "    for module in (numpy, utils, wave): open(module.__file__).close()\n"
        "    os.listdir(os.path.expanduser('~'))\n    return wave.__name__"
    )
    job = Job("00.0", "answer", (), tuple(set_up), (), code, ['{"dict": []}'], 20.0)
    result = runner.run(job, threading.Event())
    if [message.value for message in result.messages.values()] != ['"wave"']:
        problems = [result.reason, result.cell_error, *(message.message for message in result.messages.values())]
        raise SetUpFailed(next(filter(None, problems), "a trial run returned something else"))


def _closed_to_others() -> str:
    """Return which folders keep another user from Python or from temporary files, "" where none does."""
    needed = map(Path, (sys.prefix, sys.base_prefix, tempfile.gettempdir()))
    folders = {folder for path in needed for lies in (path, path.resolve()) for folder in (lies, *lies.parents)}
    closed = sorted(str(folder) for folder in folders if not folder.stat().st_mode & stat.S_IXOTH)
    return CLOSED.format(folders=", ".join(closed)) if closed else ""
