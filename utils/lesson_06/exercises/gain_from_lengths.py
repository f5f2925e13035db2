"""Exercise 06.3: the gain at which a network's signal neither grows nor shrinks, read from measured lengths."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from utils.exercises.definition import Exercise, Given
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rounding import rounded
from utils.exercises.rules import FOUR_DIGITS, Way, equals, hints_of, is_no, is_number, one_number, same_number

CROSSING, NEVER = 9, 3  # how many experiments have such a gain, and have none, besides the worked example
NOISE, OUTLIER = 0.3, 0.6  # the deviation of a step's logarithm, and by how much those of one seed are off
CLEAR = 0.003  # no median of the growth is nearer to 0
Growth = np.ndarray  # [gains]


def worked_example() -> Given:
    """Three seeds, three gains and four layers, the first of which does not count."""
    lengths = [
        [[5, 4, 2, 1], [5, 4, 3, 2], [5, 4, 4, 8]],
        [[5, 4, 3, 2], [5, 1, 1, 1], [5, 1, 2, 4]],
        [[5, 8, 2, 1], [5, 4, 2, 1], [5, 4, 4, 4]],
    ]
    return {"gains": np.array([1.0, 1.25, 1.5]), "lengths": np.array(lengths, dtype=float), "skip": 1}


def drawn(rng: np.random.Generator) -> list[Given]:
    """Return experiments that have such a gain, and some that have none, in a random order."""
    crossing = [experiment(rng, crosses=True, skip=i % 4) for i in range(CROSSING)]
    never = [experiment(rng, crosses=False, skip=i) for i in range(NEVER)]
    cases = [*crossing, *never]
    return [cases[i] for i in rng.permutation(len(cases))]


def experiment(rng: np.random.Generator, *, crosses: bool, skip: int) -> Given:
    """Return lengths of networks that were never built; their growth is about 0 within the gains, or beyond them."""
    while True:
        seeds, gains, layers = int(rng.integers(5, 8)), gains_of(rng), int(rng.integers(6, 9))
        ends = np.log(gains[[0, -1]])
        middle = rng.uniform(*ends) if crosses else rng.choice([ends[0] - 0.4, ends[1] + 0.4])
        distance = np.log(gains) - middle
        growth = 2 * distance + rng.uniform(-1, 1) * distance**2
        steps = growth[:, None] + NOISE * rng.normal(size=(seeds, len(gains), layers - 1))
        steps[0] += OUTLIER * rng.choice([-1, 1])
        steps[:, :, :skip] += rng.uniform(-1.5, 1.5)
        first = rng.uniform(-1, 1, (seeds, len(gains), 1))
        logarithms = np.concatenate([first, first + np.cumsum(steps, axis=-1)], axis=-1)
        given = {"gains": gains, "lengths": rounded(np.exp(logarithms)), "skip": skip}
        if is_clear(given, crosses):
            return given


def gains_of(rng: np.random.Generator) -> np.ndarray:
    """Return four to six gains that increase, by no constant step nor factor."""
    factors = rng.uniform(1.15, 1.6, int(rng.integers(3, 6)))
    return (rng.uniform(0.5, 1.2) * np.cumprod([1, *factors])).round(2)


def is_clear(given: Given, crosses: bool) -> bool:
    """Return whether the medians increase, through 0 or all on one side of it, and none is nearly 0."""
    medians = of_growth(given["lengths"], given["skip"])
    is_as_wanted = (medians[0] < 0 < medians[-1]) == crosses
    return bool(is_as_wanted and (np.diff(medians) > CLEAR).all() and np.abs(medians).min() > CLEAR)


# --- what comes of which way to read it ---------------------------------------------------------------------


def growth_of(lengths: np.ndarray, skip: int) -> np.ndarray:
    """Return the mean growth of the logarithm per layer [seeds, gains]."""
    counted = np.log(lengths[..., skip:])
    return (counted[..., -1] - counted[..., 0]) / (counted.shape[-1] - 1)


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


def read(growth: Callable[[np.ndarray, int], Growth] = of_growth, find: Callable = crossing) -> Way:
    """Return what reads an experiment with another idea of the growth, or of where it is 0."""
    return lambda given: float(find(given["gains"], growth(given["lengths"], given["skip"])))


def _skipping(first: Callable[[int], int]) -> Way:
    return read(lambda lengths, skip: of_growth(lengths, first(skip)))


def fitted(lengths: np.ndarray, skip: int) -> Growth:
    """Return the median slope of the straight line that fits the logarithms best."""
    counted = np.log(lengths[..., skip:])
    layers = np.arange(counted.shape[-1]) - (counted.shape[-1] - 1) / 2
    return np.median(counted @ layers / (layers @ layers), axis=0)


def median_of_steps(lengths: np.ndarray, skip: int) -> Growth:
    """Return the median over seeds and layers together."""
    steps = np.diff(np.log(lengths[..., skip:]), axis=-1)
    return np.median(np.moveaxis(steps, 1, 0).reshape(steps.shape[1], -1), axis=1)


def line(gains: np.ndarray, growth: Growth) -> float:
    """Return where a straight line through all of the growth, over the gains, is 0."""
    slope, height = np.polyfit(gains, growth, 1)
    return float(-height / slope)


def of_each_seed(given: Given) -> float:
    """Return the median of the gains that the seeds have one by one, of those that have one."""
    growth = growth_of(given["lengths"], given["skip"])
    found = [crossing(given["gains"], one) for one in growth]
    found = [one for one in found if one]
    return float(np.median(found)) if found else 0.0


right = read()
MISTAKES = [
    (read(lambda lengths, skip: growth_of(lengths, skip).mean(axis=0)),
     read(lambda lengths, skip: growth_of(lengths.mean(axis=0), skip)),
     "You take a mean over the seeds: the median is asked for. One network that is out of line can carry a mean."),
    (read(lambda lengths, skip: growth_of(np.median(lengths, axis=0), skip)),
     "You take the median of the lengths first and their growth then. Each seed has a growth of its own: take the "
     "median of these."),
    (_skipping(lambda skip: 0),
     "You count the layers that were to be left out as well: begin at layer `skip`."),
    (_skipping(lambda skip: skip + 1), _skipping(lambda skip: max(skip - 1, 0)),
     "You are off by one at the beginning: the first length that counts is that of layer `skip`, from 0."),
    (read(lambda lengths, skip: np.median(
        np.mean(lengths[..., skip + 1 :] / lengths[..., skip:-1], axis=-1) - 1, axis=0)),
     "You average the ratios of neighbouring layers. Growth multiplies from layer to layer: average logarithms."),
    (read(lambda lengths, skip: np.median(lengths[..., -1] / lengths[..., skip] - 1, axis=0)),
     read(lambda lengths, skip: np.median(lengths[..., -1] - lengths[..., skip], axis=0)),
     "You compare the last length with the first one without a logarithm. That does not change the sign, but the "
     "straight line."),
    (read(lambda lengths, skip: of_growth(lengths[..., -2:], 0)),
     "You use the last two layers alone: the growth from layer `skip` to the last layer is asked for."),
    (read(fitted),
     "You fit a line through all layers. The growth here is a difference of two logarithms, the last layer's and "
     "that of layer `skip`."),
    (read(lambda lengths, skip: np.median(np.log(lengths[..., -1]), axis=0)),
     "You look for the gain at which the last length is 1. What counts is whether it is larger than that of layer "
     "`skip`."),
    (read(median_of_steps),
     "You take the median over seeds and layers together. First comes one growth for each seed, then the median "
     "over the seeds."),
    (read(find=lambda gains, growth: crossing(gains, growth, lambda x: x, lambda x: x)),
     "Your straight line runs over the gains themselves: it is to run over their logarithms."),
    (read(find=lambda gains, growth: crossing(gains, growth, back=lambda x: x)),
     "This is the logarithm of the gain: take the exponential at the end."),
    (read(find=lambda gains, growth: gains[np.argmin(np.abs(growth))]),
     read(find=lambda gains, growth: gains[np.argmax(growth > 0)]),
     read(find=lambda gains, growth: gains[max((growth < 0).sum() - 1, 0)]),
     read(find=lambda gains, growth: (gains[np.argmax(growth > 0)] + gains[max((growth < 0).sum() - 1, 0)]) / 2),
     "You return a gain that was measured, or the middle of two. The growth is 0 between two of them: find the "
     "place on the straight line through these two."),
    (read(find=lambda gains, growth: np.exp(line(np.log(gains), growth))), read(find=line),
     "You fit one straight line to all gains. The growth need not be straight: use the two neighbours of 0 alone."),
    (of_each_seed,
     "You look for the gain of each seed and take the median of the gains. Take the median of the growth first."),
]
NESTED = [  # wrong only where some of those above are, and right more often
    (read(find=lambda gains, growth: np.exp(np.interp(0, growth, np.log(gains)))),
     "Where the growth has the same sign at all gains, the answer is 0: the data do not say where it is 0. "
     "`np.interp` returns the nearest end there."),
]
GUESSES = [  # that no hint is made for
    read(lambda lengths, skip: growth_of(lengths, skip).max(axis=0)),
    read(lambda lengths, skip: growth_of(lengths, skip).min(axis=0)),
    read(lambda lengths, skip: growth_of(lengths, skip)[0]),
]


def explain_gain(given: Given, value: object, expected: float) -> str:
    """Say what the medians of the growth are."""
    medians = of_growth(given["lengths"], given["skip"])
    shown = ", ".join(f"{one:.3g} at gain {gain:g}" for gain, one in zip(given["gains"], medians, strict=True))
    return f"The medians of the growth per layer: {shown}."


def plot_gain(given: Given, value: object) -> tuple[object, str]:
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
    cases=lambda rng: discriminating_cases(lambda: [worked_example(), *drawn(rng)], right, MISTAKES, GUESSES),
    verify=same_number(rtol=FOUR_DIGITS, atol=0),
    explain=explain_gain,
    plot=plot_gain,
    misconceptions=hints_of([*MISTAKES, *NESTED], equals),
    remarks=[
        (is_no(is_number),
         "Return one number: the gain, or 0."),
        (lambda given, value, expected: expected == 0,
         "Where the growth has the same sign at all gains, the answer is 0: nothing is measured beyond them."),
        (lambda given, value, expected: not given["gains"][0] <= one_number(value) <= given["gains"][-1],
         "Here the growth passes 0 between the smallest and the largest gain, and yours is not between these."),
    ],
)
