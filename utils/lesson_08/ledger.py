"""What the course has measured of depth, read from its records: what it bought, and what it cost.

A ratio above 1 speaks for depth in `PARAMETERS` and `ERRORS`: one layer has so many times the parameters, or the
held-out error. In `COSTS` it is the deep network's over one layer's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import torch
import xarray as xr

from utils.claims import find, recorded
from utils.comparison import as_rates, at_best_rate, best_rates
from utils.lesson_08 import baselines
from utils.models import activation_bytes, mlp, mlp_parameters
from utils.statistics import Estimate, median

DEPTH, ONE, NOBODY, BOTH = "depth", "one layer", "nobody", "both"
Ratio = Callable[[], float | xr.DataArray]


@dataclass(frozen=True)
class Row:
    """A line of the ledger: what was done, for whose networks the task was made, and what the mirror control said.

    ``ratio`` is proved, a number, or measured, by "seed", after the longest training; ``short`` the same after both
    sides' short one, where there were two; ``rival`` the error of the best without a network over the deep network's.
    ``mirror`` says what was tried, with {} for its ratio, ``against``.
    """

    what: str
    ratio: Ratio
    made_for: str
    mirror: str
    against: Ratio | None = None
    short: Ratio | None = None
    rival: Ratio | None = None

    @property
    def estimate(self) -> Estimate:
        """Return the ratio's median with its interval; a proved one is its own interval."""
        return estimated(self.ratio)

    @property
    def tried(self) -> str:
        """Return what the mirror control said, with its number."""
        return self.mirror if self.against is None else self.mirror.format(shown(estimated(self.against), False))


@cache
def estimated(ratio: Ratio) -> Estimate:
    """Return the median of a ratio over its seeds, with a 95 % interval."""
    found = ratio()
    return Estimate(found, found, found) if isinstance(found, (int, float)) else median(found.values, method="order")


def errors(name: str, array: str, **cell: object) -> xr.DataArray:
    """Return held-out errors by "seed" of a record's cell, each rate chosen on validation data."""
    accurate = array == "accuracy"
    found = at_best_rate(recorded(name)[array].sel(**cell), larger_is_better=accurate)
    return 1 - found if accurate else found


def over(one: xr.DataArray, deep: xr.DataArray) -> xr.DataArray:
    """Return the ratio of two errors of a record, by seed."""
    return one / deep


def between(one: xr.DataArray, deep: xr.DataArray) -> float:
    """Return the ratio of two records' medians, whose seeds differ."""
    return float(one.median()) / float(deep.median())


# --- the same result, with fewer parameters: proved --------------------------------------------------------


def tent_parameters() -> float:
    """Return the parameters of 1,024 hidden units over those of ten layers of two, for ten folds of the tent."""
    return mlp_parameters([1, 2**10, 1]) / mlp_parameters([1, *[2] * 10, 1])


def board_parameters(k: int = 5) -> float:
    """Return the parameters of 4·2^k − 5 units over those of k + 1 layers of four, on boards of 2^k squares a side."""
    return mlp_parameters([2, 4 * 2**k - 5, 1]) / mlp_parameters([2, *[4] * (k + 1), 1])


PARAMETERS = (
    Row(
        "ten folds of the tent, exactly",
        tent_parameters,
        DEPTH,
        "three folds, trained: {} of the variance missed",
        lambda: effect("02.saw-narrow"),
    ),
    Row(
        "a board of 32 × 32 squares, exactly",
        board_parameters,
        DEPTH,
        "8 × 8, trained: ratio of errors {}",
        lambda: trained_board(),
    ),
)

# --- the same parameters: held-out errors ------------------------------------------------------------------


def trained_board() -> xr.DataArray:
    """Return one layer's error over that of four layers on a board of 8 × 8 squares, after 12,000 steps."""
    return over(*(errors("04_longer", "accuracy", folds=3, depth=depth, spread=0.5) for depth in (1, 4)))


def fair(task: str, longer: bool) -> tuple[xr.DataArray, xr.DataArray]:
    """Return the errors of one layer, and of three on the checkerboard or five on the swirl, with 2,552 parameters."""
    depth, shape = (5, "5 × 24") if task == "swirl" else (3, "3 × 34")
    if longer:
        return tuple(errors("02_longer", "accuracy", task=task, depth=d) for d in (1, depth))
    runs = (f"{one}, 150 epochs" for one in ("1 × 510", shape))
    return tuple(errors("02_fair", "accuracy", task=task, start="random biases", run=run) for run in runs)


def spiral(depth: int) -> xr.DataArray:
    """Return errors on the two spirals with 1,037 parameters."""
    return errors("02_spirals", "accuracy", budget=1037, depth=depth)


def spirals() -> xr.DataArray:
    """Return one layer's error over that of five on the two spirals with 1,037 parameters."""
    return over(spiral(1), spiral(5))


def raced(name: str, task: str, depth: int) -> xr.DataArray:
    """Return lesson 07's errors of plain networks of equal parameters, by 07_tasks or, four times longer, 07_longer."""
    return errors(name, "error", task=task, network=str(depth))


def started(depth: int) -> xr.DataArray:
    """Return the errors on lesson 07's board after few steps, the first layer's start and the rate chosen together."""
    cell = as_rates(recorded("07_starts")["error"].sel(network=str(depth)), "first", "rate")
    return at_best_rate(cell, larger_is_better=False)


def mirrored(target: str) -> xr.DataArray:
    """Return one layer's share missed over that of three, of a target of lesson 03's."""
    return over(*(errors("03_mirrors", "missed", target=target, depth=depth) for depth in (1, 3)))


def student(name: str) -> xr.DataArray:
    """Return a student's relative error of lesson 05, after Adam."""
    return errors("05_students", "adam", student=name)


def rival_over(task: str, deep: xr.DataArray) -> float:
    """Return the error of the better of nearest neighbours and boosted trees over a deep network's."""
    return between(baselines.best_of(recorded("08_baselines"), task), deep)


def untrained() -> xr.DataArray:
    """Return the error of 32 trained units over that of 1,000 random ones, on digits."""
    data = recorded("08_untrained")
    return over(*(baselines.wrong(name, data) for name in (baselines.LEARNED, baselines.RANDOM)))


GAME, BOARD, DIGITS = "game", "board", "digits"
SWIRL, CHECKERBOARD = "swirl", "checkerboard 5"
ERRORS = (
    Row(
        "game",
        lambda: over(*(raced("07_longer", GAME, d) for d in (1, 5))),
        DEPTH,
        "teacher of one layer: {}",
        lambda: mirrored("one-layer teacher"),
        lambda: over(*(raced("07_tasks", GAME, d) for d in (1, 5))),
        lambda: rival_over(GAME, raced("07_longer", GAME, 5)),
    ),
    Row(
        "teacher of four layers",
        lambda: over(*(student(name) for name in ("shallow 18", "same shape"))),
        DEPTH,
        "another deep shape: {}",
        lambda: over(*(student(name) for name in ("shallow 18", "deep 6-6-5"))),
        rival=lambda: between(recorded("05_students")["linear"], student("same shape")),
    ),
    Row(
        "teacher of one layer",
        lambda: mirrored("one-layer teacher"),
        ONE,
        "teacher of three narrow layers: {}",
        lambda: mirrored("three-layer teacher"),
    ),
    Row(
        "board, 8 × 8",
        lambda: over(*(raced("07_longer", BOARD, d) for d in (1, 5))),
        DEPTH,
        "few steps, better of two starts: {}",
        lambda: over(*(started(d) for d in (1, 5))),
        lambda: over(*(raced("07_tasks", BOARD, d) for d in (1, 5))),
    ),
    Row(
        "checkerboard, 10 × 10",
        lambda: over(*fair(CHECKERBOARD, True)),
        DEPTH,
        "",
        short=lambda: over(*fair(CHECKERBOARD, False)),
        rival=lambda: rival_over("checkerboard", fair(CHECKERBOARD, True)[1]),
    ),
    Row(
        "swirl",
        lambda: over(*fair(SWIRL, True)),
        NOBODY,
        "",
        short=lambda: over(*fair(SWIRL, False)),
        rival=lambda: rival_over("swirl", fair(SWIRL, True)[1]),
    ),
    Row(
        "two spirals, 152 parameters",
        lambda: over(*(errors("02_spirals_longer", "accuracy", depth=d) for d in (1, 5))),
        NOBODY,
        "with 1,037, few steps: {}",
        spirals,
        lambda: over(*(errors("02_spirals", "accuracy", budget=152, depth=d) for d in (1, 5))),
    ),
    Row(
        "digits",
        lambda: over(*(raced("07_longer", DIGITS, d) for d in (1, 5))),
        NOBODY,
        "at width 32: {}",
        lambda: over(*(errors("07_long", "error", network=f"he {depth}") for depth in (1, 5))),
        short=lambda: over(*(raced("07_tasks", DIGITS, d) for d in (1, 5))),
        rival=lambda: between(recorded("07_neighbours")["error"], raced("07_longer", DIGITS, 5)),
    ),
)


def effect(claim_id: str) -> xr.DataArray:
    """Return a claim's number by "seed", from its record."""
    claim = find(claim_id)
    return claim.effect(recorded(claim.experiment.name))


# --- what depth cost ---------------------------------------------------------------------------------------


def steps(network: str) -> xr.DataArray:
    """Return the steps until 1 % of lesson 07's training images are missed, by "seed", at the fastest rate."""
    until = recorded("07_short")["until"].sel(network=network).fillna(1e9)  # a number for never
    return until.sel(rate=best_rates(until, larger_is_better=False)).reset_coords(drop=True)


def step_time(parameters: int) -> xr.DataArray:
    """Return the time of a training step with 16 hidden layers over that with one."""
    step = recorded("02_cost")["step"].sel(budget=parameters)
    return step.sel(depth=16) / step.sel(depth=1)


def memory() -> float:
    """Return the bytes that five layers of 24 keep for the way back over those of one layer of 510."""
    five, one = (activation_bytes(mlp(sizes), torch.zeros(1, 2)) for sizes in ([2, *[24] * 5, 2], [2, 510, 2]))
    return five / one


COSTS = (
    Row(
        "steps until 1 % of the training digits are missed, 21 plain layers of 32",
        lambda: steps("he 21") / steps("he 1"),
        NOBODY,
        "with skips: {}",
        lambda: steps("skip 21") / steps("he 1"),
    ),
    Row(
        "time of a step, 16 layers, 20,000 parameters",
        lambda: step_time(20_000),
        NOBODY,
        "with fifty times the parameters: {}",
        lambda: step_time(1_000_000),
    ),
    Row("memory for the backward pass, 5 × 24 units against 510", memory, NOBODY, "counted, not measured"),
)

# --- as a table --------------------------------------------------------------------------------------------


def shown(estimate: Estimate, interval: bool = True) -> str:
    """Return an estimate with two digits, and its interval, where it has one."""
    value, *ends = (_two(number) for number in (estimate.value, estimate.low, estimate.high))
    return f"{value} [{', '.join(ends)}]" if interval and estimate.low < estimate.high else value


def _two(number: float) -> str:
    return in_words(number).removeprefix("0")


def in_words(number: float) -> str:
    """Return a number with two digits as it stands in a sentence."""
    rounded = float(f"{number:.2g}")
    return f"{rounded:,.0f}" if rounded >= 10 else np.format_float_positional(rounded, trim="-")


def _of(ratio: Ratio | None) -> str:
    return "" if ratio is None else shown(estimated(ratio), False)


def parameters_table() -> str:
    """Return the rows of what depth spares, as Markdown."""
    return _table(("", "ratio", "against it"), ((row.what, shown(row.estimate), row.tried) for row in PARAMETERS))


def errors_table() -> str:
    """Return the rows of equal parameters, as Markdown: both sides after few steps, both after many."""
    head = ("", "made for", "few steps", "many steps", "no network", "against it")
    return _table(head, (_errors(row) for row in ERRORS))


def _errors(row: Row) -> tuple[str, ...]:
    both = (
        ("one budget", shown(row.estimate)) if row.short is None else (shown(estimated(row.short)), shown(row.estimate))
    )
    return row.what, row.made_for, *both, _of(row.rival), row.tried


def costs_table() -> str:
    """Return the rows of what depth costs, as Markdown."""
    return _table(("", "ratio", "against it"), ((row.what, shown(row.estimate), row.tried) for row in COSTS))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


# --- as numbers of the page --------------------------------------------------------------------------------


OWN_CLASS = ("game", "teacher of four layers", "teacher of one layer")  # the large wins, each at home


def ratio(what: str, *, turned: bool = False, short: bool = False, control: bool = False) -> str:
    """Return the ratio of a row of the ledger, or, ``turned``, one over it; ``short`` after few steps.

    ``control``: the ratio of its mirror control instead.
    Raises StopIteration where no row begins so.
    """
    row = next(row for row in (*PARAMETERS, *ERRORS, *COSTS) if row.what.startswith(what))
    found = row.against if control else row.short if short else None
    value = estimated(found or row.ratio).value
    return in_words(1 / value if turned else value)


def of_claim(claim_id: str) -> str:
    """Return a claim's effect, as it stands in prose."""
    return in_words(estimated(lambda: effect(claim_id)).value)


def elsewhere() -> str:
    """Return the least and the largest ratio of errors where no large win was, after the longest training.

    Raises ValueError where a win among them was by more than two: the page says that there was none.
    """
    values = [estimated(row.ratio).value for row in ERRORS if row.what not in OWN_CLASS]
    if max(values) > 2:
        raise ValueError("depth leads by more than two on a task that was not made for it: the page says otherwise")
    return f"{in_words(min(values))} to {in_words(max(values))}"
