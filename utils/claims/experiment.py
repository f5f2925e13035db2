"""The one place where an experiment is said: at the function that measures one cell of it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from utils.checks import real_number, whole_number
from utils.types import Data

if TYPE_CHECKING:
    import xarray as xr

    from utils.comparison import Score

NAME = re.compile(r"(\d\d)_[a-z0-9]+(_[a-z0-9]+)*")
LEAST_SEEDS = 11  # the fewest that can refute at 99.9 %: all on one side of a median has the probability 2/2¹¹
Axes = Mapping[str, Iterable[str | float]]


@dataclass(frozen=True)
class Experiment:
    """What is measured, once for all the claims that rest on it; `experiment` makes it of a function.

    ``name`` is NN_words, as in results/01_circles.json. ``measure(seeds)`` returns arrays by name, of which each has
    an axis "seed"; a seed's result must not depend on the other seeds in the call. ``axes`` has the names of their
    other axes, with the values along each of them (a dictionary gives its keys): a record with others is refused.
    ``seeds`` is how many a record has. ``minutes`` is about what all ``seeds`` take on 2 cores. ``chunk`` is how many
    seeds are measured in one call, so that an interrupted run loses no more than that. ``timing`` says that
    times are measured, which no second measurement gives again but for their order of magnitude. ``unstable``
    has, by array, the share of its numbers that rounding decides, at most: where trainings diverge, or searches fail,
    another kind of processor measures others. ``scores`` are those of the networks that it trains.

    Raises TypeError or ValueError for a field that is out of its range.
    """

    name: str
    measure: Callable[..., Data] = field(compare=False)
    axes: Axes = field(default_factory=dict, hash=False)
    seeds: int = 20
    minutes: float = 1
    chunk: int = 10
    timing: bool = False
    unstable: Mapping[str, float] = field(default_factory=dict, hash=False)
    scores: tuple[Score, ...] = ()

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise ValueError(f'the experiment {self.name!r} is not of the form "NN_words", such as "01_circles"')
        whole_number(f"seeds of {self.name} (with fewer nothing could be refuted)", self.seeds, least=LEAST_SEEDS)
        object.__setattr__(self, "axes", {name: tuple(values) for name, values in self.axes.items()})
        if "seed" in self.axes:
            raise ValueError(f'the axes of {self.name} name "seed": every experiment has that one')
        whole_number(f"chunk of {self.name}", self.chunk)
        real_number(f"minutes of {self.name}", self.minutes, above=0)
        for array, share in self.unstable.items():
            real_number(f"unstable[{array!r}] of {self.name}", share, above=0, below=1)

    @property
    def sample(self) -> int:
        """Return how many seeds are enough where nothing is recorded: a quarter, but so many that they can refute."""
        return max(LEAST_SEEDS, self.seeds // 4)

    def best(self, data: Data, *, part: str = "held-out", score: str = "", **cell: Any) -> xr.DataArray:
        """Return a part's scores by "seed" in a cell, at the rate that is best there on validation data.

        ``score`` names one of several, else it is the first; ``cell`` has the values of all axes but "rate" and "part".
        Raises KeyError for a score that there is not.
        """
        from utils.comparison import at_best_rate

        chosen = {one.name: one for one in self.scores}[score or self.scores[0].name]
        return at_best_rate(data[chosen.name].sel(**cell), larger_is_better=chosen.larger_is_better, part=part)


def experiment(
    name: str,
    *scores: Score,
    rates: Sequence[float] = (),
    parts: Sequence[str] = ("validation", "held-out"),
    within: Axes | None = None,
    seeds: int = 20,
    minutes: float = 1,
    chunk: int = 10,
    timing: bool = False,
    unstable: Mapping[str, float] | None = None,
    **axes: Iterable,
) -> Callable[[Callable[..., Any]], Experiment]:
    """Return what makes an `Experiment` of a function that measures one cell: cell(seeds, **values of the ``axes``).

    The cell returns arrays by name with the axis "seed". One that takes ``seed`` instead is called for each of them,
    and its arrays have not that axis. ``within`` are the axes that its arrays have of themselves. With ``scores`` the
    cell returns a `utils.comparison.Sweep` over ``rates``, of which these ``parts`` are recorded.
    ``measure(seeds, **values)`` measures fewer values of an axis where they are named. The other arguments are the
    fields of `Experiment`.
    """
    inner: Axes = {"rate": rates, "part": parts} if scores else dict(within or {})

    def made(cell: Callable[..., Any]) -> Experiment:
        each = "seed" in inspect.signature(cell).parameters

        def measure(seeds: Sequence[int], **values: Iterable) -> Data:
            from utils.axes import over

            outer = {"seed": seeds} if each else {}
            first = () if each else (seeds,)
            return over(lambda **at: _arrays(cell(*first, **at), scores, parts), **outer, **{**axes, **values})

        return Experiment(name, measure, {**axes, **inner}, seeds, minutes, chunk, timing, unstable or {}, scores)

    return made


def _arrays(measured: Any, scores: Sequence[Score], parts: Sequence[str]) -> Data:
    """Return what a cell has measured as a Dataset."""
    import xarray as xr

    if scores:
        return xr.Dataset({one.name: measured.scores(one.of).sel(part=list(parts)) for one in scores})
    return measured
