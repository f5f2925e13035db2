"""What a straight line can read off each stage of a network, and what a learned layer has that a random one lacks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
import torch
import xarray as xr
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from torch import Tensor, nn

from utils.axes import over
from utils.claims import experiment
from utils.comparison import HELD_OUT, TRAINING, UNSEEN, VALIDATION, Sweep, at_best_rate, generators, score, sweep
from utils.data import load_table, spirals, split
from utils.models import initialize, mlp
from utils.types import Array, Data, Part

RATES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
NOISE = 0.05
PROBED = "probed"  # the points that probes are fitted on, and networks are not
PART_NAMES = (TRAINING, VALIDATION, PROBED, HELD_OUT)
PART_SIZES = (1000, 1000, 1000, 4000)
EPOCHS, BATCH = 500, 200
STEPS = EPOCHS * PART_SIZES[0] // BATCH
SCHEDULE = {"batch_size": BATCH, "schedule": "one-cycle", "progress": False}


def spiral_parts(turns: float, *, generator: torch.Generator) -> list[Part]:
    """Return four parts of two interleaved spirals, as PART_NAMES says."""
    return split(spirals, *PART_SIZES, generator=generator, turns=turns, noise=NOISE)


def train_on_spirals(build: Callable[..., nn.Module], turns: float, seeds: Sequence[int]) -> Sweep:
    """Return networks after training on spirals, with every rate; a seed has data and initial weights of its own."""
    options = {"seeds": seeds, "lrs": RATES, "part_names": PART_NAMES, "epochs": EPOCHS, **SCHEDULE}
    return sweep(build, partial(spiral_parts, turns), **options)


# --- a probe at each stage --------------------------------------------------------------------------------

BLOCKS, WIDTH = 4, 16
TURNS = (1.0, 1.5)
STAGES = tuple(range(BLOCKS + 1))  # how many blocks, or layers, are behind it: 0 is the input
LINE, NEIGHBOUR, OUTER, BEST = "line", "nearest neighbour", "line, outer half", "best line"
READERS, LINES = (LINE, NEIGHBOUR, OUTER), (LINE, BEST, NEIGHBOUR)  # of the two experiments
PENALTY = 0.01  # of the probe's squared weights, on scaled inputs: weak enough not to hide what a line can do
FALL = 0.02  # of accuracy from one stage to the next: six standard errors of a share of 4,000 points
TRIED = 120  # directions of the best line, evenly spaced


def blocks(*, generator: torch.Generator) -> nn.Sequential:
    """Return four blocks 2 → 16 → 2 and an affine read-out, in one row of layers, with PyTorch's initialisation."""
    layers = []
    with torch.device("meta"):  # no random numbers until initialize
        for _ in range(BLOCKS):
            layers += [nn.Linear(2, WIDTH), nn.ReLU(), nn.Linear(WIDTH, 2)]
        model = nn.Sequential(*layers, nn.Linear(2, 2))
    return initialize(model.to_empty(device="cpu"), generator=generator)


NETWORKS: dict[str, Callable[..., nn.Sequential]] = {"blocks": blocks, "plain": partial(mlp, [2, *[WIDTH] * BLOCKS, 2])}


@torch.no_grad()
def stages(model: nn.Sequential, X: Tensor) -> list[Array]:
    """Return X and what becomes of it after each block, or each layer of a plain network: an array for each stage."""
    length = (len(model) - 1) // BLOCKS  # layers of a stage; the last layer is the read-out
    found = [X]
    for start in range(0, BLOCKS * length, length):
        found.append(model[start : start + length](found[-1]))
    return [stage.numpy() for stage in found]


def line_reader(penalty: float = PENALTY) -> Pipeline:
    """Return an unfitted logistic regression on inputs scaled to variance 1."""
    return make_pipeline(StandardScaler(), LogisticRegression(C=1 / penalty, solver="newton-cholesky"))


def best_line(known: Array, y: Array) -> tuple[Array, float]:
    """Return n [2] and c of the line n · p = c that puts most points [n, 2] on their side: class 1 where n · p > c.

    Of lines in TRIED directions, all those that lie halfway between two neighbouring points, either side up. Where a
    logistic regression makes a loss small, this makes the number of wrong points small.
    """
    best = (0, 0.0, 0.0, 1)
    for angle in np.pi * np.arange(TRIED) / TRIED:
        along = known @ [np.cos(angle), np.sin(angle)]
        order = np.argsort(along)
        ones = np.concatenate([[0], np.cumsum(y[order])])  # of class 1 below each place for a line
        right = np.arange(len(y) + 1) - ones + ones[-1] - ones  # class 0 below it, class 1 above it
        ends = np.concatenate([[along[order[0]] - 1], along[order], [along[order[-1]] + 1]])
        for sign, counts in ((1, right), (-1, len(y) - right)):
            place = int(counts.argmax())
            best = max(best, (int(counts[place]), angle, (ends[place] + ends[place + 1]) / 2, sign))
    _, angle, at, sign = best
    return sign * np.array([np.cos(angle), np.sin(angle)]), sign * at


def right_of(line: tuple[Array, float], points: Array, y: Array) -> float:
    """Return the share of points [n, 2] with classes y that a line n · p = c has on their side."""
    n, c = line
    return float(((points @ n > c) == (y == 1)).mean())


def read_stages(model: nn.Sequential, probed: Part, held_out: Part, readers: Sequence[str] = READERS) -> xr.DataArray:
    """Return the accuracy of readers at each stage, fitted on some points and scored on others: "reader", "stage".

    All but OUTER tell the arms apart. That one tells the outer half of an arm from the inner one, which the network was
    never asked for, and which says nothing about the arm.
    """
    known, new = (stages(model, X) for X, _ in (probed, held_out))

    def accuracy(reader: str, stage: int) -> float:
        y, y_new = ((is_outer(X) if reader == OUTER else y).numpy() for X, y in (probed, held_out))
        if reader == BEST:
            return right_of(best_line(known[stage], y), new[stage], y_new)
        classifier = KNeighborsClassifier(1) if reader == NEIGHBOUR else line_reader()
        return classifier.fit(known[stage], y).score(new[stage], y_new)

    found = [[accuracy(reader, stage) for stage in STAGES] for reader in readers]
    return xr.DataArray(found, [("reader", [*readers]), ("stage", [*STAGES])])


def is_outer(X: Tensor) -> Tensor:
    """Return whether points of a spiral lie on the outer half of their arm: int64 [n]."""
    return (X.norm(dim=1) > 1).long()


def best_networks(build: Callable[..., nn.Module], turns: float, seeds: Sequence[int]) -> dict[int, tuple]:
    """Return by seed its data's parts and its network, at the rate that is best on its own validation points."""
    swept = train_on_spirals(build, turns, seeds)
    rates = swept.scores().sel(part=VALIDATION).idxmax("rate")
    pairs = zip(swept.seeds, swept.parts, strict=True)
    return {seed: (parts, swept.model(seed, float(rates.sel(seed=seed)))) for seed, parts in pairs}


@experiment("03_probes", minutes=1.5, network=NETWORKS, turns=TURNS, within={"reader": READERS, "stage": STAGES})
def probes(seeds: Sequence[int], network: str, turns: float) -> Data:
    """Return held-out accuracies: the trained network's own, and those of the readers, trained and untrained."""
    found = best_networks(NETWORKS[network], turns, seeds)

    def of_seed(seed: int) -> Data:
        (*_, probed, held_out), trained = found[seed]
        states = {"trained": trained, "untrained": NETWORKS[network](generator=generators(seed)[1])}
        read = xr.Dataset({state: read_stages(model, probed, held_out) for state, model in states.items()})
        return read.assign(accuracy=score(trained, *held_out))

    return over(of_seed, seed=seeds)


@experiment("03_lines", minutes=0.5, within={"reader": LINES, "stage": STAGES})
def lines(seeds: Sequence[int]) -> Data:
    """Return held-out accuracies of LINES, for trained blocks on 1½ turns."""
    found = best_networks(blocks, TURNS[-1], seeds)

    def of_seed(seed: int) -> Data:
        (*_, probed, held_out), model = found[seed]
        return read_stages(model, probed, held_out, LINES).to_dataset(name="accuracy")

    return over(of_seed, seed=seeds)


# --- a layer that is learned, or random -------------------------------------------------------------------

FLAT, HARDER, LONGER = "1½ turns", "two turns", "two turns, longer"
MORE = (0, 2, 6, 18)  # inputs that say nothing, beside the two of a spiral
WITH_MORE = tuple(f"{2 + more} inputs" for more in MORE)
SPIRALS = {  # by name: turns, inputs that say nothing, examples, steps
    FLAT: (1.5, 0, 1000, STEPS),
    HARDER: (2.0, 0, 1000, STEPS),
    LONGER: (2.0, 0, 1000, 4 * STEPS),
    **{name: (1.0, more, 4000, STEPS) for name, more in zip(WITH_MORE, MORE, strict=True)},
}
DIGITS = (64, 32, 10)  # inputs, learned units, outputs
LEARNING_RATES = (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
UNITS, MANY, PARAMETERS = ("as many units", "a thousand units", "as many trained parameters")
PENALTIES = (1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1)  # of the read-out of a random layer
RIDGES = (0.1, 1.0, 10.0, 100.0, 1000.0, 10_000.0)
NEIGHBOURS = 3


def beside_noise(n: int, *, generator: torch.Generator, more: int, **options: float) -> Part:
    """Return points of two spirals and, beside their two inputs, more that are normal whatever the class."""
    X, y = spirals(n, generator=generator, **options)
    return torch.cat([X, torch.randn(n, more, generator=generator)], dim=1), y


def as_many(n_in: int, width: int, n_out: int) -> int:
    """Return how many random units have as many trained parameters as a learned layer of this width.

    Learned, a unit has a weight for each input and each output, and a bias; a random one only those to the outputs. The
    outputs' own biases are trained in both.
    """
    return width * (n_in + 1 + n_out) // n_out


@torch.no_grad()
def read_random(
    sizes: Sequence[int], parts: Sequence[Part], read_outs: Mapping[float, Pipeline], *, generator: torch.Generator
) -> xr.DataArray:
    """Return the accuracy on a random hidden layer of a network of these sizes, by "penalty" and "part", of UNSEEN.

    The read-outs are fitted to their optimum on the first of the three parts.
    """
    layer = mlp(sizes, generator=generator)[:2]
    known, *unseen = [(layer(X).double().numpy(), y.numpy()) for X, y in parts]
    fitted = [read_out.fit(*known) for read_out in read_outs.values()]
    found = [[one.score(*part) for part in unseen] for one in fitted]
    return xr.DataArray(found, [("penalty", list(read_outs)), ("part", UNSEEN)])


@experiment(
    "03_features",
    seeds=40,
    minutes=3,
    task=SPIRALS,
    within={"rate": LEARNING_RATES, "equal": (UNITS, PARAMETERS), "penalty": PENALTIES, "part": UNSEEN},
)
def features(seeds: Sequence[int], task: str) -> Data:
    """Return accuracies of one hidden layer on spirals, by part: learned, by rate; random, by equal and penalty."""
    turns, more, examples, steps = SPIRALS[task]
    options = {"turns": turns, "more": more, "noise": NOISE}
    make_parts = partial(split, beside_noise, examples, *PART_SIZES[2:], **options)
    units = {UNITS: WIDTH, PARAMETERS: as_many(2 + more, WIDTH, 2)}
    read_outs = {penalty: line_reader(penalty) for penalty in PENALTIES}
    return learned_and_random((2 + more, WIDTH, 2), units, read_outs, make_parts, seeds, steps * BATCH // examples)


@experiment(
    "03_digits",
    minutes=2,
    within={"rate": LEARNING_RATES, "equal": (PARAMETERS, MANY), "penalty": RIDGES, "part": UNSEEN},
)
def digits(seeds: Sequence[int]) -> Data:
    """Return the same on the digits, and "neighbours", the held-out accuracy of the nearest images."""
    make_parts = partial(load_table, "digits", (0.5, 0.25, 0.25))
    read_outs = {ridge: make_pipeline(StandardScaler(), RidgeClassifier(ridge)) for ridge in RIDGES}
    units = {PARAMETERS: as_many(*DIGITS), MANY: 1000}

    def of_neighbours(seed: int) -> xr.DataArray:
        known, _, held_out = make_parts(generator=generators(seed)[0])
        return xr.DataArray(KNeighborsClassifier(NEIGHBOURS).fit(*known).score(*held_out))

    measured = learned_and_random(DIGITS, units, read_outs, make_parts, seeds, STEPS // 5)  # 898 images: 5 batches
    return measured.assign(neighbours=over(of_neighbours, seed=seeds))


def learned_and_random(
    sizes: Sequence[int],
    units: Mapping[str, int],
    read_outs: Mapping[float, Pipeline],
    make_parts: Callable[..., list[Part]],
    seeds: Sequence[int],
    epochs: int,
) -> Data:
    """Return accuracies of networks of these sizes, "learned", and of read-outs from so many units, "random".

    A seed's data and the generator of its weights are the same for both.
    """
    swept = sweep(partial(mlp, sizes), make_parts, seeds=seeds, lrs=LEARNING_RATES, epochs=epochs, **SCHEDULE)
    parts = dict(zip(swept.seeds, swept.parts, strict=True))

    def of_random(seed: int, equal: str) -> xr.DataArray:
        n_in, _, n_out = sizes
        return read_random([n_in, units[equal], n_out], parts[seed], read_outs, generator=generators(seed)[1])

    random = over(of_random, seed=seeds, equal=units)
    return xr.Dataset({"learned": swept.scores().sel(part=UNSEEN), "random": random})


# --- reading what was measured ----------------------------------------------------------------------------


def probe(data: Data, network: str, turns: float, reader: str = LINE, state: str = "trained") -> xr.DataArray:
    """Return the accuracy by seed and stage of a reader of a network that is "trained" or "untrained"."""
    return data[state].sel(network=network, turns=turns, reader=reader).transpose("seed", "stage")


def line(data: Data, reader: str) -> xr.DataArray:
    """Return the accuracy by seed and stage of one of LINES, in the record of `lines`."""
    return data["accuracy"].sel(reader=reader).transpose("seed", "stage")


def rise(accuracy: xr.DataArray) -> xr.DataArray:
    """Return by seed the last stage's accuracy minus the input's, of accuracies by seed and stage."""
    return accuracy.sel(stage=BLOCKS) - accuracy.sel(stage=0)


def falls(accuracy: xr.DataArray) -> xr.DataArray:
    """Return by seed 1 where some stage lies more than FALL below the one before it, else 0."""
    return (accuracy.diff("stage") < -FALL).any("stage").astype(float)


def learned(data: Data, **cell: str) -> xr.DataArray:
    """Return held-out accuracy by seed of a learned hidden layer, at the rate that is best on validation data."""
    return at_best_rate(data["learned"].sel(**cell), larger_is_better=True)


def random_features(data: Data, equal: str = PARAMETERS, **cell: str) -> xr.DataArray:
    """Return held-out accuracy by seed on a random hidden layer, at the penalty that is best on validation data."""
    scores = data["random"].sel(equal=equal, **cell).rename(penalty="rate")
    return at_best_rate(scores, larger_is_better=True)


def lead(data: Data, equal: str = PARAMETERS, **cell: str) -> xr.DataArray:
    """Return by seed how far a learned layer is ahead of a random one."""
    return learned(data, **cell) - random_features(data, equal, **cell)
