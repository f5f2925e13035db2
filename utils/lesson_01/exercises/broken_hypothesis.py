"""Exercise 01.5: which hypothesis broke? Networks that fail, each for one reason, and others that do not fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from utils.constructions import evaluate_hinges, relu_interpolant
from utils.exercises.definition import Exercise

POLYNOMIAL, NO_BIAS, NOT_COMPACT = "polynomial activation", "no bias", "not compact"
DISCONTINUOUS, NONE = "discontinuous target", "none"
ANSWERS = (POLYNOMIAL, NO_BIAS, NOT_COMPACT, DISCONTINUOUS, NONE)

WIDTHS = (5, 10, 20, 40, 80)
POINTS = 121
Function = Callable[[np.ndarray], np.ndarray]
Maker = Callable[[np.random.Generator], dict]


def hypothesis_cases(rng: np.random.Generator) -> Iterator[tuple[dict, None]]:
    """The first case is the same for every seed; the others come in any order."""
    yield evidence(lambda x: np.abs(x - 1), squares(rng), 6.0, tolerance=0.1), None
    for index in rng.permutation(len(MAKERS)):
        yield MAKERS[index](rng), None


def evidence(
    target: Function, network: Callable[[Function, int, float], Function], reach: float,
    *, far: float = 1.0, tolerance: float,
) -> dict:
    """Return what is known of five networks that were fitted on [-reach, reach] and judged ``far`` times as far."""
    x = np.linspace(-far * reach, far * reach, POINTS)
    x = (x - x[::-1]) / 2  # symmetric to the last bit
    networks = np.stack([network(target, width, reach)(x) for width in WIDTHS])
    return {"x": x, "target": target(x), "networks": networks, "fitted": [-reach, reach], "tolerance": tolerance}


def squares(rng: np.random.Generator) -> Callable:
    """Return networks with the activation z², random hidden weights and the best output weights."""

    def features(width: int, reach: float) -> Function:
        w, b = rng.normal(size=(2, width))
        return lambda x: np.column_stack([(np.outer(x / reach, w) + b) ** 2, np.ones(len(x))])

    return least_squares(features)


def tanhs(rng: np.random.Generator) -> Callable:
    """Return networks with the activation tanh and biases."""

    def features(width: int, reach: float) -> Function:
        steepness, centres = rng.uniform(0.5, 3, width), rng.uniform(-reach, reach, width)
        return lambda x: np.column_stack([np.tanh(steepness * (x[:, None] - centres)), np.ones(len(x))])

    return least_squares(features)


def tanhs_without_bias(rng: np.random.Generator) -> Callable:
    """Return networks with the activation tanh and no bias, neither hidden nor in the output."""

    def features(width: int, reach: float) -> Function:
        steepness = np.exp(rng.uniform(np.log(0.05), np.log(5), width))
        return lambda x: np.tanh(np.outer(x, steepness))

    return least_squares(features)


def least_squares(features: Callable[[int, float], Function]) -> Callable:
    """Return networks whose output weights are fitted by least squares on a grid finer than the one shown."""

    def network(target: Function, width: int, reach: float) -> Function:
        layer = features(width, reach)
        x = np.linspace(-reach, reach, 301)
        # Singular values below 1e-6 of the largest are left out: the evidence must not hang on rounding.
        weights = np.linalg.lstsq(layer(x), target(x), rcond=1e-6)[0]
        return lambda x: layer(x) @ weights

    return network


def hinges(rng: np.random.Generator) -> Callable:
    """Return ReLU networks through evenly spaced points of the target; the nearest to 0 is moved there."""
    return lambda target, width, reach: through(one_at_zero(np.linspace(-reach, reach, width + 1)), target)


def hinges_around(jump: float) -> Callable:
    """Return ReLU networks whose points lie evenly, but with one at 0 and ``jump`` between two of them."""

    def network(target: Function, width: int, reach: float) -> Function:
        half = reach / width
        left = max(2, round(width * (jump + reach) / (2 * reach)))
        knots = [np.linspace(-reach, jump - half, left), np.linspace(jump + half, reach, width + 1 - left)]
        return through(one_at_zero(np.concatenate(knots)), target)

    return network


def one_at_zero(knots: np.ndarray) -> np.ndarray:
    """Return the knots with the one nearest to 0 moved there: where the target is 0 at 0, so is every network."""
    return np.where(np.arange(knots.size) == np.abs(knots).argmin(), 0.0, knots)


def through(knots: np.ndarray, target: Function) -> Function:
    """Return the ReLU network through the target at these knots."""
    network = relu_interpolant(knots, target(knots))
    return lambda x: evaluate_hinges(x, *network)


def any_sign(rng: np.random.Generator, low: float, high: float) -> float:
    """Return a number whose size lies between low and high."""
    return float(rng.choice([-1, 1]) * rng.uniform(low, high))


def _some_tolerance(rng: np.random.Generator) -> float:
    return float(rng.uniform(0.08, 0.12))


def _some_reach(rng: np.random.Generator) -> float:
    return float(rng.uniform(5, 7))


def wave(rng: np.random.Generator) -> Function:
    """Return a sine that is neither odd nor even, at some height above or below 0."""
    phase, height = any_sign(rng, 0.3, 1.2), any_sign(rng, 0.6, 1.5)
    return lambda x: height + np.sin(x + phase)


def _kink(rng: np.random.Generator) -> Function:
    corner, height = any_sign(rng, 0.8, 2), rng.uniform(0.6, 1.5)
    return lambda x: height + np.abs(x - corner)


def _wave_or_kink(rng: np.random.Generator) -> Function:
    return wave(rng) if rng.random() < 0.5 else _kink(rng)


def _wave_or_bowl(rng: np.random.Generator) -> Function:
    height = any_sign(rng, 0.6, 1.5)
    return wave(rng) if rng.random() < 0.5 else lambda x: height + x**2 / 20


def _parabola(rng: np.random.Generator) -> Function:
    slope, height = any_sign(rng, 0.2, 0.6), any_sign(rng, 0.5, 1.5)
    return lambda x: height + slope * x + x**2 / 20


def _odd_sine(rng: np.random.Generator) -> Function:
    pace = rng.uniform(0.4, 0.7)
    return lambda x: 2 * np.sin(pace * x)


def ramp(rng: np.random.Generator) -> Function:
    """Return a target that is as straight as the networks beyond the interval of the fit."""
    corner, height, slope = any_sign(rng, 0.8, 2), any_sign(rng, 0.6, 1.5), any_sign(rng, 0.5, 1.0)
    return lambda x: height + slope * np.clip(x - corner, -1, 1)


def made_of(
    target: Callable[[np.random.Generator], Function], networks: Callable[[np.random.Generator], Callable],
    *, far: float = 1.0, tolerance: Callable[[np.random.Generator], float] = _some_tolerance,
) -> Maker:
    """Return what makes evidence of such networks on such a target."""
    return lambda rng: evidence(target(rng), networks(rng), _some_reach(rng), far=far, tolerance=tolerance(rng))


def barely(target: Callable[[np.random.Generator], Function], *, far: float = 1.0) -> Maker:
    """Return what makes evidence of ReLU networks of which the widest is only just good enough where it was fitted."""

    def maker(rng: np.random.Generator) -> dict:
        given = evidence(target(rng), hinges(rng), _some_reach(rng), far=far, tolerance=1.0)
        return {**given, "tolerance": largest_error_inside(given) / 0.9}

    return maker


def polynomial_fails(rng: np.random.Generator) -> dict:
    """By a quarter of the tolerance, not by more, but at more points than could pass for a few."""
    while True:
        target = _wave_or_kink(rng)
        given = evidence(target, squares(rng), _some_reach(rng), tolerance=1.0)
        tolerance = largest_error_inside(given) / 1.25
        if (np.abs(given["networks"][-1] - given["target"]) > tolerance).mean() > 0.1:
            return {**given, "tolerance": tolerance}


def far_jump_through_zero(rng: np.random.Generator) -> dict:
    """They looked farther out, where all is well, and every network is 0 at 0; but there is a jump."""
    reach = _some_reach(rng)
    x = np.linspace(-1.5 * reach, 1.5 * reach, POINTS)
    place = float(x[POINTS // 2 + int(any_sign(rng, 8, 25))]) - 1e-9
    slope, height = any_sign(rng, 0.3, 0.6), any_sign(rng, 1.2, 2.5)
    target = zero_at_zero(lambda x: slope * np.clip(x, -1, 2) + height * (x >= place))
    return evidence(target, hinges_around(place), reach, far=1.5, tolerance=_some_tolerance(rng))


def zero_at_zero(function: Function) -> Function:
    """Return the function, moved up or down to be 0 at 0."""
    return lambda x: function(x) - function(np.zeros(1))


def largest_error_inside(given: dict) -> float:
    """Return the widest network's largest error on the interval of the fit."""
    inside = np.abs(given["x"]) <= given["fitted"][1]
    return float(np.abs(given["networks"][-1] - given["target"])[inside].max())


def step(rng: np.random.Generator, reach: float, sign: float) -> tuple[Function, float]:
    """Return a target with one jump, up or down, and the jump's place, which is one of the points shown."""
    middle = POINTS // 2
    place = np.linspace(-reach, reach, POINTS)[middle + int(any_sign(rng, 10, 40))]
    place -= 1e-9  # a hair to the left, so that rounding leaves the point itself on the right of the jump
    smooth, height = wave(rng), sign * rng.uniform(1.2, 2.5)
    return lambda x: 0.3 * smooth(x) + height * (x >= place), float(place)


def jump_up(rng: np.random.Generator, sign: float = 1.0) -> dict:
    """The widest network is off at a single point, and below the target there."""
    reach = _some_reach(rng)
    target, place = step(rng, reach, sign)
    return evidence(target, hinges_around(place), reach, tolerance=_some_tolerance(rng))


def jump_with_tanh(rng: np.random.Generator) -> dict:
    """Networks of which none comes much nearer than half of the jump."""
    while True:
        reach = _some_reach(rng)
        target, _ = step(rng, reach, rng.choice([-1, 1]))
        given = evidence(target, tanhs(rng), reach, tolerance=_some_tolerance(rng))
        errors = np.abs(given["networks"] - given["target"]).max(axis=1)
        if errors.min() > 0.4 * np.abs(np.diff(given["target"])).max():
            return given


parabola_succeeds = made_of(_parabola, squares, tolerance=lambda rng: 0.1)


def parabola_nearly_succeeds(rng: np.random.Generator) -> dict:
    """A polynomial activation, and a target near enough to a parabola; no width lowers the error."""
    given = parabola_succeeds(rng)
    return {**given, "target": given["target"] + 0.05 * np.sin(2 * given["x"])}


def ripples(rng: np.random.Generator, size: float) -> dict:
    """Return networks that were judged farther out, on ripples above 0 that the two narrowest do not see: they are 0.

    On the right the wider ones go on as the ripple goes at the end of the interval. On the left they are flat, and so
    is the target.
    """
    reach = _some_reach(rng)
    return evidence(lambda x: size * np.sin(5 * np.pi * np.maximum(x, -reach) / reach) ** 2, evenly, reach, far=2.0,
                    tolerance=_some_tolerance(rng))


def evenly(target: Function, width: int, reach: float) -> Function:
    """Return the ReLU network through evenly spaced points of the target."""
    return through(np.linspace(-reach, reach, width + 1), target)


def far_improves(rng: np.random.Generator) -> dict:
    """The error falls with the width, outside too, to less than a quarter, which is still more than is accepted."""
    reach, height, slope = _some_reach(rng), any_sign(rng, 0.6, 1.5), any_sign(rng, 0.5, 0.6)
    corner, far_corner = 0.85 * reach, 1.5 * reach

    def target(x: np.ndarray) -> np.ndarray:
        return height + slope * (np.maximum(x - corner, 0) - 0.2 * np.maximum(x - far_corner, 0))

    return evidence(target, evenly, reach, far=2.0, tolerance=_some_tolerance(rng))


def far_nearly_odd(rng: np.random.Generator) -> dict:
    """Networks that are off farther out, and odd but for a thousandth, which is a bias."""
    reach, height, slope = _some_reach(rng), any_sign(rng, 0.0005, 0.001), any_sign(rng, 0.3, 0.6)

    def target(x: np.ndarray) -> np.ndarray:
        wave = 1.5 * np.sin(np.clip(3 * x / reach, -np.pi / 2, np.pi / 2))  # flat where the networks end
        return height + wave + slope * np.maximum(x - 1.1 * reach, 0)

    return evidence(target, evenly, reach, far=2.0, tolerance=_some_tolerance(rng))


MAKERS = (
    polynomial_fails,
    made_of(_wave_or_kink, tanhs_without_bias),
    made_of(_wave_or_bowl, hinges, far=2.0),
    made_of(wave, tanhs, far=2.0),
    jump_up,
    lambda rng: jump_up(rng, -1.0),
    jump_with_tanh,
    made_of(wave, hinges),
    made_of(wave, tanhs),
    parabola_succeeds,
    made_of(_odd_sine, tanhs_without_bias, tolerance=lambda rng: 0.1),  # no bias is needed
    made_of(ramp, hinges, far=2.0),
    made_of(wave, squares, far=1.5),  # fails on the interval of the fit, too, as the next one does
    made_of(wave, tanhs_without_bias, far=1.5),
    far_jump_through_zero,
    barely(lambda rng: zero_at_zero(wave(rng)), far=2.0),  # all are 0 at 0 without being odd
    barely(_kink),
    lambda rng: ripples(rng, rng.uniform(0.05, 0.07)),  # the narrow networks are within the tolerance, the widest not
    lambda rng: ripples(rng, 0.006),  # all are within the tolerance, the wider ones with larger errors
    far_improves,
    far_nearly_odd,
    parabola_nearly_succeeds,
)


def takes(value: str | None, expected: str | None) -> Callable:
    """Return a rule: this answer was given where that one is right; None stands for any other than it."""

    def matches(given: dict, got: object, right: str) -> bool:
        return got in ANSWERS and (got == value or value is None) and (right == expected or expected is None)

    return matches


def looked_farther(given: dict, got: object, right: str) -> bool:
    """Return whether "not compact" was answered where they did look farther out, for another reason to fail."""
    return takes(NOT_COMPACT, None)(given, got, right) and right != NONE and given["x"][-1] > given["fitted"][1]


def zero_at_a_point(given: dict, got: object, right: str) -> bool:
    """Return whether "no bias" was answered where something else failed, of networks that are 0 at 0."""
    zero = np.abs(given["networks"][:, POINTS // 2]).max() < 1e-8
    return takes(NO_BIAS, None)(given, got, right) and right != NONE and bool(zero)


def explain_evidence(given: dict, value: object, expected: str) -> str:
    """Say where the widest network is furthest off, everywhere and on the interval of the fit."""
    errors, (low, high) = np.abs(given["networks"][-1] - given["target"]), given["fitted"]
    worst = errors.argmax()
    return (
        f"The widest network is furthest off at x = {given['x'][worst]:.3g}, by {errors[worst]:.3g}; "
        f"{given['tolerance']:.3g} is accepted.\n"
        f"On the interval of the fit, {low:.3g} to {high:.3g}, it is off by at most {largest_error_inside(given):.3g}."
    )


def plot_evidence(given: dict, value: object) -> tuple[object, str]:
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
        (lambda given, value, expected: value is not None and value not in ANSWERS,
         "Return one of the five texts, letter by letter as in the table."),
        (looked_farther,
         "They did look farther out here, but the widest network is off on the interval of the fit, too: so that is "
         "not why it failed."),
        (zero_at_a_point,
         "Any network can be 0 at a single place. What do sums of tanh(w x), without any bias, have in common at every "
         "x?"),
        (takes(NONE, DISCONTINUOUS),
         "The theorem speaks of the largest error, in size. It is above the tolerance here, if only at few points."),
        (takes(NONE, None),
         "Here something failed: the largest error of the widest network, in size and over all x, is above the "
         "tolerance."),
        (takes(None, NONE),
         "Nothing failed here: the widest network is within the tolerance at every x. Look at the errors before you "
         "look for reasons; a hypothesis can be broken without harm."),
        (takes(None, POLYNOMIAL),
         "Here the activation is z². Forget the target and look at the networks: which curves can they be, whatever "
         "their weights? And how does one see it in numbers, which are rounded?"),
        (takes(None, NO_BIAS),
         "Here the networks are sums of tanh(w x), without any bias. Forget the target: what do the networks at -x "
         "have to do with the networks at x?"),
        (takes(None, NOT_COMPACT),
         "Here the widest network is within the tolerance on the interval on which it was fitted. So where is it off?"),
        (takes(None, DISCONTINUOUS),
         "Here the widest network is off at a single place. What does the target do there, from one x to the next?"),
    ],
)
