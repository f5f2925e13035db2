"""Exercise 01.5: which hypothesis broke? Networks that fail, each for one reason, and others that do not fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from utils.constructions import polyline
from utils.exercises.definition import Exercise, Inputs
from utils.exercises.rules import Rule

POLYNOMIAL, NO_BIAS, NOT_COMPACT = "polynomial activation", "no bias", "not compact"
DISCONTINUOUS, NONE = "discontinuous target", "none"
ANSWERS = (POLYNOMIAL, NO_BIAS, NOT_COMPACT, DISCONTINUOUS, NONE)

WIDTHS = (5, 10, 20, 40, 80)
POINTS = 121
Random = np.random.Generator
Function = Callable[[np.ndarray], np.ndarray]
Network = Callable[[Random, Function, int, float], Function]  # of a target, a width and the end of the fit's interval
Maker = Callable[[Random, float], Inputs]  # of evidence, from that end; without "tolerance" where any one will do


def hypothesis_cases(rng: Random) -> Iterator[tuple[Inputs, None]]:
    """Yield the cases: the first is the same for every seed, the others come in any order."""
    yield {**evidence(rng, lambda x: np.abs(x - 1), squares, 6.0), "tolerance": 0.1}, None
    for index in rng.permutation(len(MAKERS)):
        given = MAKERS[index](rng, float(rng.uniform(5, 7)))
        yield {**given, "tolerance": given.get("tolerance", float(rng.uniform(0.08, 0.12)))}, None


def evidence(rng: Random, target: Function, network: Network, reach: float, *, far: float = 1.0) -> Inputs:
    """Return what is known of five networks that were fitted on [-reach, reach] and judged ``far`` times as far."""
    x = np.linspace(-far * reach, far * reach, POINTS)
    x = (x - x[::-1]) / 2  # symmetric to the last bit
    networks = np.stack([network(rng, target, width, reach)(x) for width in WIDTHS])
    return {"x": x, "target": target(x), "networks": networks, "fitted": [-reach, reach]}


# --- networks ---------------------------------------------------------------------------------------------------


def fitted(units: Callable[[Random, int, float], Function]) -> Network:
    """Return networks whose output weights are fitted by least squares on a grid finer than the one shown."""

    def network(rng: Random, target: Function, width: int, reach: float) -> Function:
        layer, x = units(rng, width, reach), np.linspace(-reach, reach, 301)
        # Singular values below 1e-6 of the largest are left out: the evidence must not hang on rounding.
        weights = np.linalg.lstsq(layer(x), target(x), rcond=1e-6)[0]
        return lambda x: layer(x) @ weights

    return network


@fitted
def squares(rng: Random, width: int, reach: float) -> Function:
    """Return units with the activation z² and random weights, and a constant."""
    w, b = rng.normal(size=(2, width))
    return lambda x: np.column_stack([(np.outer(x / reach, w) + b) ** 2, np.ones(len(x))])


@fitted
def tanhs(rng: Random, width: int, reach: float) -> Function:
    """Return units with the activation tanh and biases, and a constant."""
    steepness, centres = rng.uniform(0.5, 3, width), rng.uniform(-reach, reach, width)
    return lambda x: np.column_stack([np.tanh(steepness * (x[:, None] - centres)), np.ones(len(x))])


@fitted
def tanhs_without_bias(rng: Random, width: int, reach: float) -> Function:
    """Return units with the activation tanh and no bias, and no constant."""
    steepness = np.exp(rng.uniform(np.log(0.05), np.log(5), width))
    return lambda x: np.tanh(np.outer(x, steepness))


def hinges(rng: Random, target: Function, width: int, reach: float) -> Function:
    """Return the ReLU network through evenly spaced points of the target, of which one lies at 0."""
    return polyline(np.linspace(-reach, reach, width // 2 * 2 + 1), target)


def hinges_around(jump: float, gap: float) -> Network:
    """Return ReLU networks whose points lie evenly, but with one at 0 and ``jump`` between two of them.

    These are no nearer to it than this share of the interval's half, and the network climbs evenly from one to the
    other.
    """

    def network(rng: Random, target: Function, width: int, reach: float) -> Function:
        half = reach * max(1 / width, gap)
        left = max(2, round(width * (jump + reach) / (2 * reach)))
        knots = np.append(np.linspace(-reach, jump - half, left), np.linspace(jump + half, reach, width + 1 - left))
        knots[np.abs(knots).argmin()] = 0.0  # where the target is 0 at 0, so is every network
        return polyline(knots, target)

    return network


# --- targets ----------------------------------------------------------------------------------------------------


def any_sign(rng: Random, low: float, high: float) -> float:
    """Return a number whose size lies between low and high."""
    return float(rng.choice([-1, 1]) * rng.uniform(low, high))


def wave(rng: Random) -> Function:
    """Return a sine that is neither odd nor even, at some height above or below 0."""
    phase, height = any_sign(rng, 0.3, 1.2), any_sign(rng, 0.6, 1.5)
    return lambda x: height + np.sin(x + phase)


def kink(rng: Random) -> Function:
    """Return a target with a corner."""
    corner, height = any_sign(rng, 0.8, 2), rng.uniform(0.6, 1.5)
    return lambda x: height + np.abs(x - corner)


def odd_sine(rng: Random) -> Function:
    """Return a sine through 0."""
    pace = rng.uniform(0.4, 0.7)
    return lambda x: 2 * np.sin(pace * x)


def ramp(rng: Random) -> Function:
    """Return a target that is as straight as the networks beyond the interval of the fit."""
    corner, height, slope = any_sign(rng, 0.8, 2), any_sign(rng, 0.6, 1.5), any_sign(rng, 0.5, 1.0)
    return lambda x: height + slope * np.clip(x - corner, -1, 1)


def wave_at_zero(rng: Random) -> Function:
    """Return such a sine as `wave` does, moved up or down to be 0 at 0."""
    sine = wave(rng)
    return lambda x: sine(x) - sine(np.zeros(1))


# --- evidence ---------------------------------------------------------------------------------------------------


def made_of(target: Callable[[Random], Function], network: Network, *, far: float = 1.0) -> Maker:
    """Return what makes evidence of such networks on such a target."""
    return lambda rng, reach: evidence(rng, target(rng), network, reach, far=far)


def barely(
    target: Callable[[Random], Function], network: Network = hinges, *, share: float = 0.9, far: float = 1.0
) -> Maker:
    """Return what makes evidence of networks of which the widest is off by this share of the tolerance inside."""

    def maker(rng: Random, reach: float) -> Inputs:
        given = evidence(rng, target(rng), network, reach, far=far)
        return {**given, "tolerance": largest_error_inside(given) / share}

    return maker


def largest_error_inside(given: Inputs) -> float:
    """Return the widest network's largest error on the interval of the fit."""
    inside = np.abs(given["x"]) <= given["fitted"][1]
    return float(np.abs(given["networks"][-1] - given["target"])[inside].max())


def jump(sign: float, *, far: float = 1.0, gap: float = 0.0) -> Maker:
    """Return what makes evidence of ReLU networks of which the widest is off at a single point, beside a jump.

    With a ``gap``, for which see ``hinges_around``, it is off at some more. Where they looked farther out, all is well
    there, and every network is 0 at 0.
    """
    nearest = 8 if gap == 0 else 16  # points from the middle, where one of the network's is

    def maker(rng: Random, reach: float) -> Inputs:
        place = np.linspace(-far * reach, far * reach, POINTS)[POINTS // 2 + int(any_sign(rng, nearest, 25))]
        place -= 1e-9  # a hair to the left, so that rounding leaves the point itself on the right of the jump
        slope, height = any_sign(rng, 0.3, 0.6), sign * rng.uniform(1.2, 2.5)
        level = any_sign(rng, 0.6, 1.5) if far == 1 else -height * (place < 0)

        def target(x: np.ndarray) -> np.ndarray:
            return level + slope * np.clip(x, -1, 2) + height * (x >= place)

        return evidence(rng, target, hinges_around(place, gap), reach, far=far)

    return maker


def parabola_nearly_succeeds(rng: Random, reach: float) -> Inputs:
    """Return a polynomial activation, and a target near enough to a parabola; no width lowers the error."""
    slope, height = any_sign(rng, 0.2, 0.6), any_sign(rng, 0.5, 1.5)
    given = evidence(rng, lambda x: height + slope * x + x**2 / 20, squares, reach)
    return {**given, "target": given["target"] + 0.05 * np.sin(2 * given["x"])}


def ripples(low: float, high: float, waves: int) -> Maker:
    """Return what makes evidence of networks judged farther out, on so many ripples of a size from low to high.

    With 10 units they do not see the ripples, and are 0. On the right the wider ones go on as the ripple goes at the
    end of the interval. On the left they are flat, and so is the target.
    """

    def maker(rng: Random, reach: float) -> Inputs:
        size = rng.uniform(low, high)
        return evidence(
            rng, lambda x: size * np.sin(waves * np.pi * np.maximum(x, -reach) / reach) ** 2, hinges, reach, far=2.0
        )

    return maker


def far_improves(rng: Random, reach: float) -> Inputs:
    """Return evidence: the error falls with the width, outside too, to under a quarter, still more than is accepted."""
    height, slope = any_sign(rng, 0.6, 1.5), any_sign(rng, 0.5, 0.6)

    def target(x: np.ndarray) -> np.ndarray:
        return height + slope * (np.maximum(x - 0.85 * reach, 0) - 0.2 * np.maximum(x - 1.5 * reach, 0))

    return evidence(rng, target, hinges, reach, far=2.0)


def far_nearly_odd(rng: Random, reach: float) -> Inputs:
    """Return networks that are off farther out, and odd but for a thousandth, which is a bias."""
    height, slope = any_sign(rng, 0.0005, 0.001), any_sign(rng, 0.3, 0.6)

    def target(x: np.ndarray) -> np.ndarray:
        wave = 1.5 * np.sin(np.clip(3 * x / reach, -np.pi / 2, np.pi / 2))  # flat where the networks end
        return height + wave + slope * np.maximum(x - 1.1 * reach, 0)

    return evidence(rng, target, hinges, reach, far=2.0)


MAKERS = (
    barely(kink, squares, share=1.25),
    made_of(wave, tanhs_without_bias),
    made_of(wave, hinges, far=2.0),
    made_of(wave, tanhs, far=2.0),
    jump(1.0),
    jump(-1.0),
    made_of(wave, hinges),
    made_of(wave, tanhs),
    parabola_nearly_succeeds,
    made_of(odd_sine, tanhs_without_bias),  # no bias is needed
    made_of(ramp, hinges, far=2.0),
    made_of(wave, squares, far=1.5),  # fails on the interval of the fit, too, as the next one does
    made_of(wave, tanhs_without_bias, far=1.5),
    jump(1.0, far=1.5),
    jump(1.0, gap=0.1),  # no network has a step like the target's
    barely(wave_at_zero, far=2.0),  # all are 0 at 0 without being odd
    barely(kink),
    ripples(0.05, 0.07, 10),  # a narrow network is within the tolerance, the widest is not
    ripples(0.006, 0.006, 5),  # all are, the wider ones with larger errors
    far_improves,
    far_nearly_odd,
)


def takes(value: str | None, expected: str | None) -> Rule:
    """Return a rule: this answer was given where that one is right; None stands for any other than it."""

    def matches(given: Inputs, got: object, right: str) -> bool:
        return got in ANSWERS and (got == value or value is None) and (right == expected or expected is None)

    return matches


def explain_evidence(given: Inputs, value: object, expected: str) -> str:
    """Say where the widest network is furthest off, everywhere and on the interval of the fit."""
    errors, (low, high) = np.abs(given["networks"][-1] - given["target"]), given["fitted"]
    worst = errors.argmax()
    return (
        f"The widest network is furthest off at x = {given['x'][worst]:.3g}, by {errors[worst]:.3g}; "
        f"{given['tolerance']:.3g} is accepted.\n"
        f"On the interval of the fit, {low:.3g} to {high:.3g}, it is off by at most {largest_error_inside(given):.3g}."
    )


def plot_evidence(given: Inputs, value: object) -> tuple[object, str]:
    """Return a figure of the target and of the narrowest and the widest network, and its words."""
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    low, high = given["fitted"]
    figure, ax = plt.subplots()
    ax.axvspan(low, high, color=COLOURS["sky"], alpha=0.15, label="fitted here")
    ax.plot(given["x"], given["target"], color=COLOURS["grey"], linestyle="-", linewidth=4, alpha=0.45, label="target")
    ax.plot(given["x"], given["networks"][0], color=COLOURS["orange"], linestyle="--", linewidth=4, label="5 units")
    ax.plot(given["x"], given["networks"][-1], color=COLOURS["blue"], linestyle="-", label="80 units")
    ax.set(xlabel="x", ylabel="y", title=f"your answer: {value}")
    ax.legend(loc="upper right")
    errors = np.abs(given["networks"] - given["target"]).max(axis=1)
    words = (
        f"A target and the networks with 5 and with 80 units, fitted from {low:g} to {high:g}. The "
        f"largest errors for 5, 10, 20, 40 and 80 units are {np.round(errors, 2)}. Your function answers: {value}."
    )
    return figure, words


HYPOTHESIS = Exercise(
    id="01.5",
    points=3,
    answer_name="broken_hypothesis",
    cases=hypothesis_cases,
    verify=lambda given, hidden, value, expected: float(isinstance(value, str) and value == expected),
    wanted=lambda given, expected: f'"{expected}"',
    explain=explain_evidence,
    plot=plot_evidence,
    misconceptions=[],
    remarks=[
        (
            lambda given, value, expected: value is not None and value not in ANSWERS,
            "Return one of the five texts, letter by letter as in the table.",
        ),
        (
            lambda given, value, expected: value == NO_BIAS and expected not in (NONE, NO_BIAS),
            "The biases are not the reason here. Being 0 at x = 0, or almost odd, is not enough: without biases "
            "something holds for every pair of places, x and -x, up to rounding.",
        ),
        (
            lambda given, value, expected: (
                value == NOT_COMPACT and expected not in (NONE, NOT_COMPACT) and given["x"][-1] > given["fitted"][1]
            ),
            "That they looked farther out is not the reason here: the widest network is already too far off on the "
            "interval of the fit.",
        ),
        (
            lambda given, value, expected: value in ANSWERS and NONE in (value, expected),
            '"none" is right if the widest network\'s largest error, in size and over all x, is within the tolerance, '
            "and only then. A few points are enough to fail, and a hypothesis can be broken without harm. So look at "
            "the errors before you look for reasons.",
        ),
        (
            takes(None, POLYNOMIAL),
            "Here the activation is z². Forget the target and look at the networks: which curves can they be, "
            "whatever their weights? And how do you see that in numbers, which are rounded?",
        ),
        (
            takes(None, NO_BIAS),
            "Here the networks are sums of tanh(w x), without any bias. Forget the target: how are the networks at "
            "-x related to the networks at x?",
        ),
        (
            takes(None, NOT_COMPACT),
            "Here the widest network is within the tolerance on the interval on which it was fitted. So where is it "
            "off?",
        ),
        (
            takes(None, DISCONTINUOUS),
            "Here the widest network is off near a single place. What does the target do there, from one x to the "
            "next? Look at the target itself: a network of this kind is continuous, and may cross that place gently.",
        ),
    ],
)
