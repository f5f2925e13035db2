"""No function of the course answers an exercise by itself, unless the exercise withholds it.

Each function of the shared modules and of the lesson's own room is called as the answer, on the stored cases, with the
arguments in several orders and forms. What is right in most cases, in one of several parts of what came, is to be
withheld: a line around it does the rest. What compiles, draws, loads or keeps is not tried, nor what takes long.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import inspect
import io
import itertools
import json
import pkgutil
import signal
import sys
import threading
import warnings
import weakref
from collections import UserList
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from operator import itemgetter
from types import FrameType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

from cluster.processes import Processes
from tests import marks
from utils import meanfield, regions
from utils.exercises import Exercise, call_answer, load_lesson, serialization, stored_cases
from utils.exercises.definition import find, lessons_with_exercises
from utils.exercises.layers import layers_of
from utils.exercises.scoring import Case, score_answer
from utils.lesson_03 import probe_runs
from utils.models import mlp
from utils.regions import count_regions
from utils.withholding import withholding

pytestmark = pytest.mark.full  # what is new in utils is rarely an answer, and this takes a minute of computing
SECONDS = 0.1  # of computing that one call may take; waiting, twenty times as much
ALL_ORDERS = 3  # arguments: of more, only their own order is tried
NOT_TRIED = (  # modules that compile, draw, load or keep
    "compil",
    "claims",
    "downloads",
    "feedback",
    "files",
    "live_training",
    "local_storage",
    "pages",
    "player",
    "playground",
    "plots",
    "predictions",
    "progress",
    "reviews",
    "rooms",
    "widgets",
    "withholding",
)
DRAWN = ("Figure", "Axes", "Axis", "Widget", "HTML", "Iterator")  # what is returned by what is no answer
WRITES = (
    "os.remove",
    "os.rename",
    "os.mkdir",
    "os.rmdir",
    "os.fork",
    "shutil.rmtree",
    "socket.connect",
    "subprocess.Popen",
    "os.posix_spawn",
    "os.system",
)


class Lent(NamedTuple):
    """A function of the course, with its parameters."""

    name: str
    function: Callable
    parameters: list[inspect.Parameter]

    @property
    def needed(self) -> list[str]:
        fixed = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        return [one.name for one in self.parameters if one.default is one.empty and one.kind not in fixed]

    def takes(self, count: int) -> bool:
        """Return whether it can be called with so many positional arguments."""
        placed = [one.name for one in self.parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
        several = any(one.kind is one.VAR_POSITIONAL for one in self.parameters)
        return set(self.needed) <= set(placed) and len(self.needed) <= count <= (np.inf if several else len(placed))


class Way(NamedTuple):
    """A way to call a function with an answer's arguments, and with how many positional ones; 0: by their names."""

    count: int
    call: Callable[[Callable, Sequence[Any]], Any]


# --- what is lent -------------------------------------------------------------------------------------------


@cache
def lent(package: str) -> list[Lent]:
    """Return the functions that a package's own modules define."""
    names = [
        name
        for _, name, is_folder in pkgutil.iter_modules(importlib.import_module(package).__path__)
        if not is_folder and not name.startswith(NOT_TRIED)
    ]
    modules = [importlib.import_module(f"{package}.{name}") for name in names]
    functions = {
        f"{module.__name__}.{name}": inspect.unwrap(value)
        for module in modules
        for name, value in vars(module).items()
        if getattr(value, "__module__", "") == module.__name__
        and not isinstance(value, type)
        and inspect.isfunction(inspect.unwrap(value))
    }
    return [
        Lent(name, function, list(inspect.signature(function).parameters.values()))
        for name, function in functions.items()
        if may_answer(function)
    ]


def may_answer(function: Callable) -> bool:
    """Return whether a function returns what can be an answer, as far as its annotation says."""
    returned = str(inspect.signature(function).return_annotation)
    return returned != "None" and not any(word in returned for word in DRAWN)


# --- how it is called ---------------------------------------------------------------------------------------


def ways_to_call(one: Lent, named: dict[str, Any]) -> Iterator[Way]:
    """Yield ways to call a function with an answer's arguments that its signature allows."""
    if any(parameter.name in named for parameter in one.parameters):
        yield Way(0, partial(by_name, [parameter.name for parameter in one.parameters], list(named)))
    yield from (way for way in by_place(list(named.values())) if one.takes(way.count))


def by_name(parameters: Sequence[str], names: Sequence[str], function: Callable, given: Sequence[Any]) -> Any:
    """Return what a function makes of arguments that have its parameters' names, and the others in their order."""
    fitting = {name: value for name, value in zip(names, given, strict=True) if name in parameters}
    others = [value for name, value in zip(names, given, strict=True) if name not in parameters]
    left = [name for name in parameters if name not in fitting]
    return function(**fitting, **dict(zip(left, others, strict=len(others) > len(left))))


def by_place(given: Sequence[Any]) -> Iterator[Way]:
    """Yield ways to use positions: other orders, some of the arguments, pairs, a network, tensors, one for one."""
    count = len(given)
    for some in range(count, 0, -1):
        orders = itertools.permutations if count <= ALL_ORDERS else itertools.combinations
        for places in orders(range(count), some):
            yield arranged(some, lambda given, places=places: [given[place] for place in places])
    for activation in ("tanh", "relu"):
        yield arranged(count + 1, lambda given, activation=activation: [*given, activation])
    if count == 4:
        yield arranged(2, lambda given: [given[:2], given[2:]])
    if count > 1 and all(is_list_of(part, np.ndarray) for part in given[:2]) and given[1][0].ndim == 1:
        yield arranged(count - 1, lambda given: [list(zip(*given[:2], strict=True)), *given[2:]])
        yield arranged(count - 1, lambda given: [network_of(*given[:2]), *given[2:]])
        yield arranged(2, lambda given: [network_of(*given[:2]), given[2:]])
    if any(isinstance(part, np.ndarray) for part in given):
        yield arranged(count, lambda given: list(map(as_tensor, given)))
    if is_list_of(given[0], list):
        each, rest = len(given[0][0]), given[1:]
        yield Way(each + len(rest), lambda function, given: [function(*one, *given[1:]) for one in given[0]])
        yield Way(each + 1, lambda function, given: [function(*one, "tanh") for one in given[0]])


def arranged(count: int, arrange: Callable[[Sequence[Any]], Sequence[Any]]) -> Way:
    return Way(count, lambda function, given: function(*arrange(given)))


def is_list_of(value: Any, kind: type) -> bool:
    return isinstance(value, list) and len(value) > 0 and isinstance(value[0], kind)


def as_tensor(part: Any) -> Any:
    return torch.as_tensor(part) if isinstance(part, np.ndarray) else part


def network_of(weights: Sequence[np.ndarray], biases: Sequence[np.ndarray]) -> torch.nn.Sequential:
    """Return the ReLU network with these layers."""
    model = mlp([weights[0].shape[1], *map(len, weights)]).double()
    layers = itertools.chain(*zip(weights, biases, strict=True))
    torch.nn.utils.vector_to_parameters(torch.cat([torch.as_tensor(one).ravel() for one in layers]), model.parameters())
    return model


def parts(value: Any, depth: int = 2) -> Iterator[tuple[str, Any]]:
    """Yield the parts of a result that may be an answer: itself, an entry, all but one, a field, a network's layers."""
    if value is None or depth < 0:
        return
    yield "", value
    if isinstance(value, torch.nn.Sequential) and all(isinstance(one, torch.nn.Linear) for one in value[::2]):
        yield " (its layers)", layers_of([(one.weight.detach(), one.bias.detach()) for one in value[::2]])
    found = {}
    if isinstance(value, (tuple, list)) and len(value) <= 6:
        found |= {f"[{place}]": one for place, one in enumerate(value)}
    if isinstance(value, (tuple, list)) or isinstance(value, np.ndarray) and value.ndim:
        found |= {"[1:]": value[1:], "[:-1]": value[:-1]}
    fields = [field.name for field in dataclasses.fields(value)] if dataclasses.is_dataclass(value) else []
    found |= {f".{name}": getattr(value, name) for name in (*fields, *getattr(value, "_fields", ()))}
    for name, one in found.items():
        yield from ((name + inner, part) for inner, part in parts(one, depth - 1))


# --- safely and quickly -------------------------------------------------------------------------------------

_closed, _calling = [False], [False]
_slow: set[str] = set()  # functions that took too long once


class TooLong(BaseException):
    """A call that took longer than it may."""


def guard(event: str, arguments: tuple) -> None:
    """Refuse, while it is closed, what would leave a trace on the machine, or wait for another."""
    if _closed[0] and (event in WRITES or event == "open" and set(arguments[1] or "") & set("wax+")):
        raise PermissionError(f"{event} is not for here")


@cache
def guarded() -> None:
    """Set up what lasts as long as the process, load what optimisers need, and compile what counts regions."""
    torch.optim.SGD([torch.ones(1)])  # it asks for a temporary folder, which writes: refused, it is never loaded
    sys.addaudithook(guard)
    for n_in, bounds in ((1, (0, 1)), (2, ((0, 1), (0, 1)))):
        count_regions(mlp([n_in, 2, 1]), bounds)


def set_timers(of_computing: float = 0, of_waiting: float = 0) -> None:
    """Let TooLong be raised after so many seconds of either kind; 0: never."""
    signal.setitimer(signal.ITIMER_PROF, of_computing)
    signal.setitimer(signal.ITIMER_REAL, of_waiting)


def too_long(_: int, frame: FrameType | None) -> None:
    """Raise TooLong, but wait for an import: cut off, it would leave its package half-loaded for all later calls."""
    if is_importing(frame):
        set_timers(SECONDS, 20 * SECONDS)
        return
    set_timers()  # one of the two is enough
    raise TooLong


def is_importing(frame: FrameType | None) -> bool:
    """Return whether an import has led to what runs in this frame."""
    while frame and frame.f_code.co_filename != "<frozen importlib._bootstrap>":
        frame = frame.f_back
    return frame is not None


def overheard(before: Callable[[Any], object], unraisable: Any) -> None:
    """Wait once more where TooLong struck in what Python calls by itself, a weak reference's end, and ignores there.

    What else is ignored is told to ``before``.
    """
    if unraisable.exc_type is not TooLong:
        before(unraisable)
    elif _calling[0]:
        set_timers(SECONDS, 20 * SECONDS)


@contextlib.contextmanager
def nothing_left() -> Iterator[None]:
    """Hold back what is printed, warned and written within the block."""
    guarded()
    before = {number: signal.signal(number, too_long) for number in (signal.SIGPROF, signal.SIGALRM)}
    hook, sys.unraisablehook = sys.unraisablehook, partial(overheard, sys.unraisablehook)
    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(action="ignore"),
        np.errstate(all="ignore"),
    ):
        _closed[0] = True
        try:
            yield
        finally:
            _closed[0] = False
            sys.unraisablehook = hook
            for number, handler in before.items():
                signal.signal(number, handler)


def called(way: Way, function: Callable, given: Sequence[Any], without: Sequence[str]) -> Any:
    """Return what a function returns within its time, None for an error; raises TooLong."""
    # Outside of what may be cut off: what is withheld is given back, and autograd is on, also after a call that was cut
    # off as it had turned it off.
    with withholding(without), torch.enable_grad():
        try:
            _calling[0] = True
            set_timers(SECONDS, 20 * SECONDS)
            return way.call(function, given)
        except TooLong:
            raise
        except BaseException:  # SystemExit, too
            return None
        finally:
            _calling[0] = False
            set_timers()


# --- what it earns ------------------------------------------------------------------------------------------


def right_in(exercise: Exercise, answer: Callable) -> float:
    """Return in which share of the stored cases an answer earns points."""
    records = stored_cases.load(exercise)
    outcomes = [call_answer.call_answer(answer, json.dumps(r["given"]), exercise.id, exercise.without) for r in records]
    cases = map(stored_cases.case_of, records)
    return float(
        np.mean(
            [
                score_answer(exercise, [case], [outcome]).fraction > 0
                for case, outcome in zip(cases, outcomes, strict=True)
            ]
        )
    )


def constants(exercise: Exercise) -> float:
    """Return in which share of the stored cases the best of their values is right, returned for all of them."""
    values = [stored_cases.case_of(record).expected for record in stored_cases.load(exercise)]
    return max(right_in(exercise, lambda *_, value=value: value) for value in values)


def earns(exercise: Exercise, case: Case, part: Any) -> bool:
    try:
        return exercise.verify(case.given, case.hidden, serialization.normalise(part), case.expected) > 0
    except Exception:
        return False


def findings(exercise: Exercise, functions: Sequence[Lent]) -> dict[str, float]:
    """Return which functions are right in which share of the cases, of those that are right in the first one."""
    record = stored_cases.load(exercise)[0]
    case, text = stored_cases.case_of(record), json.dumps(record["given"])
    found = {}
    for one in functions:
        if one.name in _slow:
            continue
        try:
            for way in ways_to_call(one, dict(case.given)):
                given = list(serialization.loads(text, tensors=True).values())
                for name, part in parts(called(way, one.function, given, exercise.without)):
                    if earns(exercise, case, part):
                        share = right_in(exercise, partial(answer, way, one.function, name))
                        found[one.name + name] = max(found.get(one.name + name, 0), share)
        except TooLong:
            _slow.add(one.name)
    least = max(0.5, constants(exercise) + 1e-9) if found else 1
    return {name: share for name, share in found.items() if share >= least}


def findings_in(number: str) -> dict[str, dict[str, float]]:
    """Return what is found in a lesson, by the ids of its exercises."""
    functions = [*lent("utils"), *lent("utils.engine"), *lent(f"utils.lesson_{number}")]
    exercises = [one for one in load_lesson(number).values() if isinstance(one, Exercise)]
    with nothing_left():
        return {one.id: findings(one, functions) for one in exercises}


def answer(way: Way, function: Callable, name: str, *given: Any) -> Any:
    """Return the part of this name of what a function makes of an answer's arguments."""
    return dict(parts(way.call(function, given)))[name]


def test_a_call_ends_in_time_also_where_python_ignores_that():
    def spins() -> None:
        def lasts(_: object) -> None:
            while True:
                pass

        thing = UserList()
        _ref = weakref.ref(thing, lasts)
        del thing  # TooLong strikes in ``lasts``, and is ignored
        while True:
            pass

    with nothing_left(), pytest.raises(TooLong):
        called(SimpleNamespace(call=lambda function, given: function(*given)), spins, [], ())


@pytest.mark.parametrize("number", marks.by_lesson(lessons_with_exercises(), str))
def test_what_answers_an_exercise_is_withheld(number: str):
    """In a process of its own: what a call that was cut off has left undone is no other test's."""
    with Processes(1) as processes:
        found = processes.run(findings_in, number, threading.Event())
    assert {exercise_id: names for exercise_id, names in found.items() if names} == {}


# --- what takes a line ---------------------------------------------------------------------------------------


def leaky(left: float, right: float) -> meanfield.Activation:
    return meanfield.Activation(lambda z: np.where(z > 0, right, left) * z, lambda z: np.where(z > 0, right, left))


def walked(weights: list, biases: list, low: float, high: float) -> list[float]:
    layers, box = regions._checked(network_of(weights, biases), (low, high))
    cells = regions._assembled(layers, box, regions._walk(layers, box, True))
    ends, slopes = cells.vertices[1:-1:2, 0], cells.A.ravel()
    return ends[np.abs(np.diff(slopes)) > 1e-3].tolist()


TANH = meanfield.ACTIVATIONS["tanh"]
LINES = [
    ("02.6", lambda *given: 1 + len(walked(*given))),
    ("03.2", lambda fit_H, fit_y, score_H, score_y: probe_runs.probe((fit_H, fit_y), (score_H, score_y))),
    ("04.8", walked),
    ("05.2", lambda q, sigma_b: ((q - sigma_b**2) / meanfield._square(TANH, np.array([q]))[0]) ** 0.5),
    ("05.3", lambda all_: ["chaotic" if meanfield._cell(*one, TANH)[2] > 1 else "ordered" for one in all_]),
    ("06.1", lambda left, right, n_in, _: meanfield.critical_sigma_w(0.0, leaky(left, right)) / n_in**0.5),
    ("06.1", lambda left, right, n_in, _: (n_in * meanfield.chi_1(1.0, 0.0, leaky(left, right))) ** -0.5),
]


@pytest.mark.parametrize("of_line", marks.by_lesson(LINES, itemgetter(0)))
def test_a_line_around_what_is_withheld_would_answer(of_line: tuple[str, Callable]):
    exercise, line = find(of_line[0]), of_line[1]
    assert right_in(replace(exercise, without=()), line) == 1
    assert right_in(exercise, line) == 0
