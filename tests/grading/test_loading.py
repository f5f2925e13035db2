"""Who loads the libraries when: one process at a time, in the background, and whoever waits takes the first free.

Another is loaded only when that pays.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from grading import worker_pool
from grading.protocol import Job, SetUpFailed, Stopped
from grading.worker_pool import WorkerPool
from tests.grading.helpers import wait_for

SET_UP = ("import torch",)
JOB = Job("90.1", "f", (), SET_UP, (), "", (), 1.0)


class Stage:
    """Stands in for the fork servers: each loads, and each job runs, until the test lets it end."""

    def __init__(self) -> None:
        self.loads: list[Future] = []
        self.jobs: list[tuple[object, Future]] = []
        self.closed: list[object] = []
        self.loading = 0

    def server(self, sandbox, set_up, stop) -> object:
        """Return a fork server when the test says so, or raise what it says; Stopped, once nobody wants it."""
        self.loads.append(let := Future())
        self.loading += 1
        while not let.done() and not stop.is_set():
            time.sleep(0.001)
        self.loading -= 1
        if not let.done():
            raise Stopped
        let.result()
        made = SimpleNamespace(set_up=set_up)
        made.run = lambda job, stop: self._run(made)
        made.close = lambda: self.closed.append(made)
        return made

    def _run(self, server: object) -> object:
        self.jobs.append((server, let := Future()))
        return let.result(timeout=10)


@pytest.fixture
def stage(monkeypatch) -> Stage:
    made = Stage()
    monkeypatch.setattr(worker_pool, "ForkServerClient", made.server)
    return made


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as made:
        yield made


def a_runner(single_use: bool = False) -> WorkerPool:
    return WorkerPool(SimpleNamespace(single_use=single_use))


def test_what_was_prepared_is_what_the_first_job_gets(stage, pool):
    runner = a_runner()
    runner.prepare(SET_UP)
    runner.prepare(SET_UP)
    wait_for(lambda: stage.loads)
    came = pool.submit(runner.run, JOB, threading.Event())
    stage.loads[0].set_result(None)
    wait_for(lambda: stage.jobs)
    stage.jobs[0][1].set_result("a run")
    assert came.result(timeout=10) == "a run" and len(stage.loads) == 1
    runner.prepare(SET_UP)
    assert stage.loading == 0
    runner.close()
    assert stage.closed == [stage.jobs[0][0]]


def test_a_job_takes_the_first_that_is_free_and_nobody_waits_for_the_second(stage, pool):
    runner = a_runner()
    came = [pool.submit(runner.run, JOB, threading.Event()) for _ in range(2)]
    wait_for(lambda: stage.loads)
    time.sleep(0.05)
    assert stage.loading == 1  # two at the same time would take each other's core
    stage.loads[0].set_result(None)
    wait_for(lambda: stage.jobs and stage.loading == 1)
    stage.jobs[0][1].set_result("first")
    wait_for(lambda: len(stage.jobs) == 2)
    assert stage.jobs[1][0] is stage.jobs[0][0]
    stage.jobs[1][1].set_result("second")
    assert {one.result(timeout=10) for one in came} == {"first", "second"}
    runner.close()
    assert stage.loading == 0 and len(stage.closed) == 1


def test_another_is_loaded_only_when_as_long_was_waited_for_the_first_as_it_took(stage, pool, monkeypatch):
    """By a clock that shows one second more for each wait, of which there are two in each round, beside loading."""
    runner, seconds, allowed = a_runner(), 0, 0
    loading: list[bool] = []  # at each wait
    wait = runner._changed.wait

    def counted(timeout: float) -> bool:
        loading.append(bool(runner._loading))
        return wait(0.001 if len(loading) < allowed else 60)  # the last of a round is until the first job's end

    monkeypatch.setattr(runner._changed, "wait", counted)
    monkeypatch.setattr(worker_pool, "time", SimpleNamespace(monotonic=lambda: float(seconds + len(loading))))
    runner.prepare(SET_UP)
    wait_for(lambda: stage.loads)
    seconds = 6
    stage.loads[0].set_result(None)
    wait_for(lambda: runner._idle)
    for _ in range(4):
        assert len(stage.loads) == 1
        allowed += 2
        came = [pool.submit(runner.run, JOB, threading.Event()) for _ in range(2)]
        wait_for(lambda waits=allowed: len(loading) == waits)
        for _ in came:
            wait_for(lambda: stage.jobs)
            stage.jobs.pop()[1].set_result("a run")
        assert [one.result(timeout=10) for one in came] == ["a run"] * 2
    assert loading == 6 * [False] + 2 * [True] and len(stage.loads) == 2
    runner.close()


def test_where_a_sandbox_does_one_job_each_waiting_one_has_its_own_loaded(stage, pool):
    runner = a_runner(single_use=True)
    runner.prepare(SET_UP)
    assert not stage.loads
    came = [pool.submit(runner.run, JOB, threading.Event()) for _ in range(2)]
    wait_for(lambda: stage.loading == 2)
    for load in stage.loads:
        load.set_result(None)
    wait_for(lambda: len(stage.jobs) == 2)
    for _, job in stage.jobs:
        job.set_result("a run")
    assert [one.result(timeout=10) for one in came] == ["a run"] * 2
    runner.close()


def test_a_failure_is_told_to_a_job_which_tries_once_more(stage, pool):
    runner = a_runner()
    runner.prepare(SET_UP)
    wait_for(lambda: stage.loads)
    stage.loads[0].set_exception(SetUpFailed("the first"))
    wait_for(lambda: stage.loading == 0)
    came = pool.submit(runner.run, JOB, threading.Event())
    wait_for(lambda: len(stage.loads) == 2)
    stage.loads[1].set_exception(SetUpFailed("the second"))
    with pytest.raises(SetUpFailed, match="the second"):
        came.result(timeout=10)
    assert not runner._loading and not runner._idle


def test_an_interrupted_job_does_not_wait_for_the_loading(stage, pool):
    runner, stop = a_runner(), threading.Event()
    came = pool.submit(runner.run, JOB, stop)
    wait_for(lambda: stage.loads)
    stop.set()
    with pytest.raises(Stopped):
        came.result(timeout=10)
    runner.close()
    assert stage.loading == 0 and not stage.closed
