"""Networks compared fairly: each with the learning rate that suits it best, chosen on data of its own."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
import xarray as xr
from torch import Tensor, nn

from utils.checks import real_number, whole_number
from utils.training import History, train_ensemble
from utils.types import Part

TRAINING, VALIDATION, HELD_OUT = PARTS = ("training", "validation", "held-out")
UNSEEN = [VALIDATION, HELD_OUT]


@dataclass(frozen=True)
class Score:
    """What is measured of a trained network: the array's name, and which way it is better.

    ``of(model, X, y)`` is the number; without it, `score`.
    """

    name: str
    larger_is_better: bool = False
    of: Callable[..., float] | None = None


@dataclass(frozen=True, eq=False)
class Sweep:
    """One shape trained with every rate from every seed, each seed with data of its own.

    models: [seed][rate], trained. parts: [seed], the pairs (X, y) of its data, trained on first; part_names: what
    they are called. histories: [seed][rate]. What is here for one seed does not depend on the other seeds.
    """

    seeds: tuple[int, ...]
    lrs: tuple[float, ...]
    part_names: tuple[str, ...]
    models: list[list[nn.Module]] = field(repr=False)
    parts: list[list[Part]] = field(repr=False)
    histories: list[list[History]] = field(repr=False)

    @property
    def diverged(self) -> np.ndarray:
        """Return which runs diverged, bool [seeds, rates]."""
        return np.array([[history.diverged for history in row] for row in self.histories])

    def model(self, seed: int, rate: float | None = None) -> nn.Module:
        """Return the network of this seed and rate, which may be left out where there is but one."""
        place = 0 if rate is None and len(self.lrs) == 1 else self.lrs.index(rate)
        return self.models[self.seeds.index(int(seed))][place]

    def each(self, of: Callable[[nn.Module], float]) -> xr.DataArray:
        """Return what of(model) returns, by "seed" and "rate"."""
        numbers = [[of(model) for model in row] for row in self.models]
        return xr.DataArray(numbers, [("seed", [*self.seeds]), ("rate", [*self.lrs])])

    def scores(self, of: Callable[[nn.Module, Tensor, Tensor], float] | None = None) -> xr.DataArray:
        """Return accuracies or mean squared errors, or what of(model, X, y) returns, by "seed", "rate" and "part".

        NaN where a run diverged.
        """
        of = of or score
        numbers = [
            [[math.nan if lost else of(model, X, y) for X, y in parts] for model, lost in zip(row, gone, strict=True)]
            for row, parts, gone in zip(self.models, self.parts, self.diverged.tolist(), strict=True)
        ]
        return xr.DataArray(
            np.array(numbers, dtype=float),
            [("seed", [*self.seeds]), ("rate", [*self.lrs]), ("part", [*self.part_names])],
        )


def sweep(
    build: Callable[..., nn.Module],
    make_parts: Callable[..., Sequence[Part]],
    *,
    seeds: Sequence[int],
    lrs: Sequence[float],
    part_names: Sequence[str] = PARTS,
    **training: Any,
) -> Sweep:
    """Return networks of one shape after training: one for each seed and rate, all at the same time.

    build: takes generator=… and returns a network. make_parts: takes generator=… and returns pairs (X, y), as
    `split` does, of which the first is trained on; what each seed trains on has the same shape. A seed's data
    and its initial weights, which are the same for every rate, come from two generators of its own. part_names:
    of the pairs, in order. training: for `train_ensemble`, which batches alike for all.
    Raises TypeError or ValueError that names the argument at fault.
    """
    rates = tuple(real_number(f"lrs[{i}]", lr, above=0) for i, lr in enumerate(lrs))
    numbers = [whole_number(f"seeds[{i}]", seed, least=0) for i, seed in enumerate(seeds)]
    if not rates or not numbers:
        raise ValueError(f"there are {len(numbers)} seeds and {len(rates)} lrs: wanted at least one of each")
    parts = [list(make_parts(generator=generators(seed)[0])) for seed in numbers]
    if any(len(pairs) != len(part_names) for pairs in parts):
        raise ValueError(f"make_parts returned {len(parts[0])} pairs: wanted one each for part_names, {part_names}")
    models = [[build(generator=generators(seed)[1]) for _ in rates] for seed in numbers]
    X, y = (torch.stack([pairs[0][k] for pairs in parts for _ in rates]) for k in (0, 1))
    flat = [model for row in models for model in row]
    histories = train_ensemble(flat, X, y, lr=list(rates) * len(numbers), **training)
    rows = [histories[i : i + len(rates)] for i in range(0, len(histories), len(rates))]
    return Sweep(tuple(numbers), rates, tuple(part_names), models, parts, rows)


def best_rate(validation: xr.DataArray, *, larger_is_better: bool) -> float:
    """Return the rate with the best median over the seeds in scores on validation data, by "seed" and "rate".

    A rate at which a run diverged, NaN, is out. Raises ValueError when that leaves none, TypeError for other axes.
    """
    medians = _with_finite_rates(validation).median("seed")
    return float(medians.idxmax("rate") if larger_is_better else medians.idxmin("rate"))


def best_rates(validation: xr.DataArray, *, larger_is_better: bool) -> xr.DataArray:
    """Return by "seed" the rate that is best for all other seeds, as `best_rate` finds it: a seed chooses none itself.

    A rate chosen by the seeds that it is judged by flatters the side that has more rates to choose from. A single seed
    chooses its own. A rate at which any run diverged is out for all. Raises what `best_rate` raises.
    """
    finite = _with_finite_rates(validation)
    seeds = finite.sizes["seed"]
    others = [[other for other in range(seeds) if other != seed] or [seed] for seed in range(seeds)]
    medians = np.median(finite.transpose("seed", "rate").values[others], axis=1)
    places = medians.argmax(axis=1) if larger_is_better else medians.argmin(axis=1)
    return xr.DataArray(finite["rate"].values[places], {"seed": validation["seed"]}, ["seed"])


def at_best_rate(scores: xr.DataArray, *, larger_is_better: bool, part: str = HELD_OUT) -> xr.DataArray:
    """Return a part's scores by "seed", of scores by seed, rate and part.

    Each is at the rate that is best on validation data for all other seeds (`best_rates`).
    """
    rates = best_rates(scores.sel(part=VALIDATION), larger_is_better=larger_is_better)
    return scores.sel(part=part, rate=rates).reset_coords(drop=True)


def as_rates(data: Any, *axes: str) -> Any:
    """Return arrays with these axes as one that is called "rate" and numbered, so that they are chosen together."""
    stacked = data.stack(settings=axes).drop_vars(("settings", *axes)).rename(settings="rate")
    return stacked.assign_coords(rate=range(stacked.sizes["rate"]))


def _with_finite_rates(validation: xr.DataArray) -> xr.DataArray:
    """Return the scores at those rates at which all are finite."""
    axes = getattr(validation, "dims", None)
    if not isinstance(validation, xr.DataArray) or sorted(axes or ()) != ["rate", "seed"]:
        found = f"{type(validation).__name__} with the axes {axes}"
        raise TypeError(f'validation is a {found}: wanted an xarray.DataArray with the axes "seed" and "rate"')
    usable = np.isfinite(validation.transpose("rate", "seed").values).all(axis=1)
    finite = validation.isel(rate=np.flatnonzero(usable))
    if not finite.sizes["rate"]:
        raise ValueError(
            "validation has no rate at which all scores are finite: wanted at least one; try smaller rates"
        )
    return finite


@torch.no_grad()
def score(model: nn.Module, X: Tensor, y: Tensor) -> float:
    """Return the share of right answers for whole numbers y [n], the mean squared error for floats y [n, n_out]."""
    was_training = model.training
    y_hat = model.eval()(X)
    model.train(was_training)
    if y.is_floating_point():
        return (y_hat - y).square().mean().item()
    return (y_hat.argmax(1) == y).double().mean().item()


def share_missed(model: nn.Module, X: Tensor, y: Tensor) -> float:
    """Return the mean squared error over the variance of y [n, n_out]: 0 is perfect, 1 what the best constant gets."""
    return score(model, X, y) / y.var(dim=0, correction=0).mean().item()


ACCURACY = Score("accuracy", larger_is_better=True)
ERROR, MISSED = (Score(name, of=share_missed) for name in ("error", "missed"))


def generators(seed: int) -> tuple[torch.Generator, torch.Generator]:
    """Return of a seed's data and of its initial weights, as `sweep` seeds them."""
    return _seeded(2 * seed), _seeded(2 * seed + 1)


@contextmanager
def one_thread() -> Iterator[None]:
    """Let PyTorch compute with one thread inside, as do sums that are to come out alike, and times of one core."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def _seeded(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)
