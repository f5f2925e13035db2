"""The grader's own processes beside its main one: what loads libraries, or reads what students returned, is there.

They are forked from one process, in which the exercises at hand are loaded once. That one holds no secret: solutions
run, and cases are drawn, in a child of it, and each submission is judged in another.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import multiprocessing
import multiprocessing.forkserver
import os
import signal
import threading
from collections.abc import Callable, Collection, Iterator
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from grading.scratch import SHORT, Scratch

LONGEST_FOLDER = 80  # bytes of the path in which multiprocessing's sockets lie: theirs has 18 more, of 103 at most
JUDGING = "grading.judging"  # and all that it imports
_context = multiprocessing.get_context("forkserver")
_starting = threading.Lock()
_loaded: set[str] = set()
_running: set[BaseProcess] = set()


def have_loaded(lessons: Collection[str]) -> None:
    """Begin to load the exercises of these lessons for all processes that follow, and return at once.

    A lesson that is not among them is loaded by each process that needs it. Where something is to be loaded, what still
    runs is ended.
    """
    if not _loaded.issuperset(lessons):
        for process in list(_running):
            process.kill()
        # There is no public way to load more.
        multiprocessing.forkserver._forkserver._stop()  # type: ignore[attr-defined]
        _loaded.update(lessons)
        _context.set_forkserver_preload([*(f"utils.lesson_{number}.exercises" for number in sorted(_loaded)), JUDGING])
        _have_sockets_swept()
        multiprocessing.forkserver.ensure_running()


@contextlib.contextmanager
def running(target: Callable[..., object], *arguments: object) -> Iterator[tuple[BaseProcess, Connection]]:
    """Have a process call ``target(sending, *arguments)``, and yield it with what it sends; it is dead afterwards."""
    receiving, sending = _context.Pipe(duplex=False)
    process = _context.Process(target=_uninterrupted, args=(target, sending, *arguments), daemon=True)
    with receiving:
        try:
            with sending, _starting:
                _have_sockets_swept()
                process.start()
                _running.add(process)
            yield process, receiving
        finally:
            _running.discard(process)
            if process.pid:
                process.kill()
                process.join()


def _uninterrupted(target: Callable[..., object], *arguments: object) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the grader gets it, too, and ends this process
    with contextlib.suppress(BrokenPipeError):  # the grader has gone, or has found something wrong meanwhile
        target(*arguments)


@functools.cache
def _have_sockets_swept() -> None:
    """Have multiprocessing keep its sockets in a folder that the next run sweeps away, should this one be killed.

    There is no public way: ``multiprocessing.util.get_temp_dir`` makes a folder of its own unless this names one.
    """
    folder = Scratch()
    if len(os.fsencode(folder.path)) > LONGEST_FOLDER and os.access(SHORT, os.W_OK):
        folder.close()
        folder = Scratch(SHORT)
    atexit.register(folder.close)
    atexit.register(_starting.acquire)  # a process whose start is cut off by the end of this one prints a traceback
    multiprocessing.current_process()._config["tempdir"] = str(folder.path)  # type: ignore[attr-defined]
