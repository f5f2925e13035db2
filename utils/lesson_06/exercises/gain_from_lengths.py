"""Exercise 06.3: the gain at which a network's signal neither grows nor shrinks, read from measured lengths."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rounding import rounded
from utils.exercises.rules import FOUR_DIGITS, Solver, equals, hints_of, one_number, same_number

CROSSING, NEVER = 9, 3  # how many experiments have such a gain, and have none, besides the worked example
NOISE, OUTLIER = 0.3, 0.6  # the deviation of a step's logarithm, and by how much those of one seed are off
CLEAR = 0.003  # no median of the growth is nearer to 0
Growth = np.ndarray  # [gains]


def worked_example() -> Inputs:
    """Return three seeds, three gains and four layers, the first of which does not count."""
    lengths = [
        [[5, 4, 2, 1], [5, 4, 3, 2], [5, 4, 4, 8]],
        [[5, 4, 3, 2], [5, 1, 1, 1], [5, 1, 2, 4]],
        [[5, 8, 2, 1], [5, 4, 2, 1], [5, 4, 4, 4]],
    ]
    return {"gains": np.array([1.0, 1.25, 1.5]), "lengths": np.array(lengths, dtype=float), "skip": 1}


def sample_cases(rng: np.random.Generator) -> list[Inputs]:
    """Return experiments that have such a gain, and some that have none, in a random order."""
    cases = [experiment(rng, crosses=True, skip=i % 4) for i in range(CROSSING)]
    cases += [experiment(rng, crosses=False, skip=i) for i in range(NEVER)]
    return [cases[i] for i in rng.permutation(len(cases))]


def experiment(rng: np.random.Generator, *, crosses: bool, skip: int) -> Inputs:
    """Return lengths of networks that were never built; their growth is about 0 within the gains, or beyond them.

    The medians increase, through 0 or all on one side of it, and none is nearly 0.
    """
    while True:
        factors = rng.uniform(1.15, 1.6, int(rng.integers(3, 6)))
        gains = (rng.uniform(0.5, 1.2) * np.cumprod([1, *factors])).round(2)
        seeds, layers, ends = int(rng.integers(5, 8)), int(rng.integers(6, 9)), np.log(gains[[0, -1]])
        middle = rng.uniform(*ends) if crosses else rng.choice([ends[0] - 0.4, ends[1] + 0.4])
        distance = np.log(gains) - middle
        growth = 2 * distance + rng.uniform(-1, 1) * distance**2
        steps = growth[:, None] + NOISE * rng.normal(size=(seeds, len(gains), layers - 1))
        steps[0] += OUTLIER * rng.choice([-1, 1])
        steps[:, :, :skip] += rng.uniform(-1.5, 1.5)
        first = rng.uniform(-1, 1, (seeds, len(gains), 1))
        lengths = rounded(np.exp(np.concatenate([first, first + np.cumsum(steps, axis=-1)], axis=-1)))
        medians = of_growth(lengths, skip)
        is_as_wanted = (medians[0] < 0 < medians[-1]) == crosses
        if is_as_wanted and (np.diff(medians) > CLEAR).all() and np.abs(medians).min() > CLEAR:
            return {"gains": gains, "lengths": lengths, "skip": skip}


# --- what comes of which way to read it ---------------------------------------------------------------------


def growth_of(lengths: np.ndarray, skip: int) -> np.ndarray:
    """Return the mean growth of the logarithm per layer [seeds, gains]."""
    return np.log(lengths[..., -1] / lengths[..., skip]) / (lengths.shape[-1] - 1 - skip)


def of_growth(lengths: np.ndarray, skip: int) -> Growth:
    """Return the median growth over the seeds."""
    return np.median(growth_of(lengths, skip), axis=0)


def crossing(gains: np.ndarray, growth: Growth, scale: Callable = np.log, back: Callable = np.exp) -> float:
    """Return where straight lines through the growth, over the scaled gains, cross 0, and 0 where they do not."""
    x = scale(gains)
    for i in range(len(gains) - 1):
        if growth[i] < 0 <= growth[i + 1]:
            share = -growth[i] / (growth[i + 1] - growth[i])
            return float(back(x[i] + share * (x[i + 1] - x[i])))
    return 0.0


def read(growth: Callable[[np.ndarray, int], Growth] = of_growth, find: Callable = crossing) -> Solver:
    """Return what reads an experiment with another idea of the growth, or of where it is 0."""
    return lambda given: float(find(given["gains"], growth(given["lengths"], given["skip"])))


def picking(pick: Callable[[Growth], int]) -> Solver:
    """Return the way that takes one of the gains that were measured, where the growth crosses 0."""
    return read(find=lambda gains, growth: gains[pick(growth)] * (growth[0] < 0 < growth[-1]))


def of_each_seed(given: Inputs) -> float:
    """Return the median of the gains that the seeds have one by one, of those that have one."""
    found = [crossing(given["gains"], one) for one in growth_of(given["lengths"], given["skip"])]
    return float(np.median([one for one in found if one] or [0.0]))


reference = read()
MISTAKES = [
    (
        read(lambda lengths, skip: growth_of(lengths, skip).mean(axis=0)),
        read(lambda lengths, skip: growth_of(lengths.mean(axis=0), skip)),
        "You take a mean over the seeds. Take the median: one network that is out of line can carry a mean away.",
    ),
    (
        read(lambda lengths, skip: growth_of(np.median(lengths, axis=0), skip)),
        of_each_seed,
        "Your median comes too early, over lengths, or too late, over gains. Each seed has a growth of its own at "
        "each gain: take the median of these growths over the seeds.",
    ),
    (
        read(lambda lengths, skip: of_growth(lengths, 0)),
        read(lambda lengths, skip: of_growth(lengths, skip + 1)),
        read(lambda lengths, skip: of_growth(lengths, max(skip - 1, 0))),
        read(lambda lengths, skip: of_growth(lengths, lengths.shape[-1] - 2)),
        "You begin at another layer. The first length that counts is that of layer `skip`, counted from 0.",
    ),
    (
        read(lambda lengths, skip: np.median(lengths[..., -1] - lengths[..., skip], axis=0)),
        "Your growth is a difference of lengths. Take the difference of their logarithms.",
    ),
    (
        read(find=lambda gains, growth: crossing(gains, growth, lambda x: x, lambda x: x)),
        "Your straight line runs over the gains themselves. Draw it over their logarithms.",
    ),
    (
        read(find=lambda gains, growth: crossing(gains, growth, back=lambda x: x)),
        "This is the logarithm of the gain: take the exponential at the end.",
    ),
    (
        picking(lambda growth: np.abs(growth).argmin()),
        picking(lambda growth: (growth > 0).argmax()),
        picking(lambda growth: (growth > 0).argmax() - 1),
        read(
            find=lambda gains, growth: crossing(gains, np.poly1d(np.polyfit(np.log(gains), growth, 1))(np.log(gains)))
        ),
        read(find=lambda gains, growth: crossing(gains, np.sign(growth))),
        "You return one of the gains, the middle between two, or what a line through all medians says. Take the two "
        "gains between which the median passes 0, and draw the line through their two medians.",
    ),
]


def explain_gain(given: Inputs, value: object, expected: float) -> str:
    """Say what the medians of the growth are."""
    medians = of_growth(given["lengths"], given["skip"])
    shown = ", ".join(f"{one:.3g} at gain {gain:g}" for gain, one in zip(given["gains"], medians, strict=True))
    return f"The medians of the growth per layer: {shown}."


def plot_gain(given: Inputs, value: object) -> tuple[object, str]:
    """Return a figure of the growth of each seed at each gain, with the gain that was returned, and its words.

    Where the medians cross 0, a second panel shows this place so near that the returned gain is seen to miss it.
    """
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    gains, growth = given["gains"], growth_of(given["lengths"], given["skip"])
    medians = np.median(growth, axis=0)
    said, crossed = one_number(value), crossing(gains, medians)
    figure, axes = plt.subplots(1, 2 if crossed else 1, figsize=(9, 3.4), squeeze=False)
    for ax in axes[0]:
        ax.plot(gains, growth.T, "o", color=COLOURS["grey"], alpha=0.6, markersize=4)
        ax.plot(gains, medians, "o-", color=COLOURS["blue"])
        ax.axhline(0, color="black", linewidth=0.8)
        ax.set(xscale="log", xlabel="gain")
        ax.set_xticks(gains, [f"{gain:g}" for gain in gains])
        ax.minorticks_off()
        if crossed:
            ax.plot(crossed, 0, "o", color=COLOURS["blue"], fillstyle="none", markersize=12)
        if said > 0:
            ax.axvline(said, color=COLOURS["red"], linestyle="--", linewidth=1.5)
    axes[0, 0].set_ylabel("growth of ln(length) per layer")
    if crossed:
        edge = 1 + max(3 * abs(said / crossed - 1), 0.03)
        near = np.array([crossed / edge, crossed * edge])
        axes[0, 1].set(xlim=near, ylim=np.interp(np.log(near), np.log(gains), medians), xticks=[], yticks=[0])
        axes[0, 1].set_xlabel("gain, near the ring")
    ring = "; ring: where it is 0" * bool(crossed)
    figure.suptitle(f"Your function returns {said:.4g} (dashed). Grey: each seed; blue: the median{ring}")
    return figure, f"{explain_gain(given, value, said)} Your function returns {said:.4g}."


GAIN_FROM_LENGTHS = Exercise(
    id="06.3",
    points=4,
    answer_name="gain_from_lengths",
    cases=lambda rng: discriminating_cases(lambda: [worked_example(), *sample_cases(rng)], reference, MISTAKES),
    verify=same_number(rtol=FOUR_DIGITS, atol=0),
    explain=explain_gain,
    plot=plot_gain,
    misconceptions=hints_of(MISTAKES, equals),
    remarks=[
        (
            lambda given, value, expected: expected == 0,
            "Where the growth has the same sign at all gains, the answer is 0: nothing is measured beyond them.",
        ),
    ],
)
