"""Exercise 01.4: a bump from two steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.rules import Rule, is_no

ORDERS = ((0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))  # of w, b and a, but for the right one
SLACK = 1e-6  # so that a steepness that just does it is not lost to rounding
KINDS = (  # of bumps: start, end, height, margin, tolerance
    (-7.5, -4.0, -3.0, 0.25, 0.05),
    (50.0, 50.5, 1.5, 0.002, 0.01),  # narrow margins, far from 0
    (-1.0, 1.0, 1.8, 0.95, 0.01),  # hardly a plateau: the errors of both units add up on it
    (0.0, 2.0, 4e5, 0.3, 1e-8),  # a steepness of 30 / margin is not enough
    (2.0, 2.5, -0.004, 0.1, 0.0005),
    (3e-12, 8e-12, 2.5, 4e-13, 0.1),  # a pulse, in seconds
    (-2e9, 5e9, -40.0, 3e8, 1.0),
)


def bump_cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, None]]:
    """Yield the cases: the worked example, one of each kind, on another scale of x, and some at random."""
    yield bump_case(1.0, 3.0, 2.0, 0.5, 0.1)
    for start, end, height, margin, tolerance in KINDS:
        scale = rng.uniform(0.8, 1.25)
        yield bump_case(scale * start, scale * end, height, scale * margin, tolerance)
    for _ in range(4):
        start, width = rng.uniform(-20, 20), rng.uniform(0.5, 10)
        height = rng.choice([-1, 1]) * rng.uniform(1.5, 30)
        yield bump_case(start, start + width, height, width * rng.uniform(0.02, 0.3), rng.uniform(0.003, 0.05))


def bump_case(start: float, end: float, height: float, margin: float, tolerance: float) -> tuple[Inputs, None]:
    """Return one case of the exercise."""
    return {"start": start, "end": end, "height": height, "margin": margin, "tolerance": tolerance}, None


def network_of(value: object) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Return (w, b, a, bias) as arrays of two numbers and a number; raises an error for anything else."""
    w, b, a = (np.asarray(part, dtype=float).reshape(2) for part in value[:3])
    (bias,) = value[3:]
    return w, b, a, float(np.asarray(bias, dtype=float).reshape(()))


def is_readable(value: object) -> bool:
    """Return whether ``value`` has the form of a network with two units."""
    try:
        network_of(value)
    except (TypeError, ValueError):
        return False
    return True


def evaluate(network: tuple, x: np.ndarray) -> np.ndarray:
    """Return the network's outputs; a steepness may be as large as floats are."""
    w, b, a, bias = network
    with np.errstate(over="ignore"):  # where w x is infinite the unit is 0 or 1
        return bias + (0.5 + 0.5 * np.tanh((np.multiply.outer(x, w) + b) / 2)) @ a


def probes(given: Inputs, network: tuple) -> np.ndarray:
    """Return the places to look at: evenly on and beside the bump, far away, and wherever a unit moves."""
    start, end, margin = given["start"], given["end"], given["margin"]
    w, b, _, _ = network
    width = end - start
    far = np.geomspace(1e-6, 1e15, 400) * width
    with np.errstate(all="ignore"):
        steps = (np.linspace(-40, 40, 1601)[:, None] - b) / w
    x = np.concatenate(
        [
            np.linspace(start - width, end + width, 3001),
            np.linspace(start + margin, end - margin, 1001),
            start - margin - far,
            end + margin + far,
            [start - margin, end + margin],
            steps.ravel(),
        ]
    )
    return x[np.isfinite(x)]


def worst_places(given: Inputs, network: tuple) -> list[tuple[float, float, float]]:
    """Return (x, output, wanted output) where the network is furthest off: on the plateau, and outside.

    Of places where it is equally far off the one nearest to the bump is taken.
    """
    start, end, margin = given["start"], given["end"], given["margin"]
    x = probes(given, network)
    x = x[np.argsort(np.abs(x - (start + end) / 2), kind="stable")]
    g = evaluate(network, x)
    plateau = (x >= start + margin) & (x <= end - margin)
    outside = (x <= start - margin) | (x >= end + margin)
    places = []
    for where, wanted in ((plateau, given["height"]), (outside, 0.0)):
        errors = np.abs(g[where] - wanted)
        worst = np.argmax(errors >= errors.max() * (1 - SLACK))
        places.append((float(x[where][worst]), float(g[where][worst]), wanted))
    return places


def explain_bump(given: Inputs, value: object, expected: object) -> str:
    """Say where the network is furthest off, and what is wanted there."""
    network, tolerance = network_of(value), given["tolerance"]
    if not np.isfinite(np.hstack(network)).all():
        return ""
    lines = []
    for name, (x, output, wanted) in zip(("on the plateau", "outside"), worst_places(given, network), strict=True):
        if abs(output - wanted) > tolerance * (1 + SLACK):
            allowed = f"{wanted - tolerance:.6g} to {wanted + tolerance:.6g}"
            lines.append(
                f"{name}, yours is furthest off at x = {x:.6g}: it is {output:.6g} there, and should be {allowed}"
            )
    return "\n".join(lines)


def is_bump(given: Inputs, network: tuple) -> bool:
    """Return whether the network keeps to the tolerance, on the plateau and outside."""
    if not np.isfinite(np.hstack(network)).all():
        return False
    allowed = given["tolerance"] * (1 + SLACK)
    return all(abs(output - wanted) <= allowed for _, output, wanted in worst_places(given, network))


def mended(*changes: Callable) -> Rule:
    """Return a rule: roughly, the value is no bump, and would be one if it were changed like one of these.

    Roughly means to a quarter of the height: what is in the wrong place is to be told before what is not
    steep enough.
    """

    def matches(given: Inputs, value: object, expected: object) -> bool:
        network, roughly = network_of(value), {**given, "tolerance": abs(given["height"]) / 4}
        return not is_bump(roughly, network) and any(is_bump(roughly, change(given, *network)) for change in changes)

    return matches


def steeper(given: Inputs, w: np.ndarray, b: np.ndarray, a: np.ndarray, bias: float) -> tuple:
    """Return the network with steps in the same places that are as steep as can be wished."""
    with np.errstate(all="ignore"):  # a unit without a step, w = 0, cannot be mended so
        factor = 1e4 / (np.abs(w).min() * given["margin"])
        return factor * w, factor * b, a, bias


def in_wrong_places(given: Inputs, value: object, expected: object) -> bool:
    """Return whether steps as steep as can be wished make no bump, and would at the start and the end."""
    network, ends = steeper(given, *network_of(value)), np.array([given["start"], given["end"]])
    w, _, a, bias = network
    return not is_bump(given, network) and any(is_bump(given, (w, -w * ends[::way], a, bias)) for way in (1, -1))


def is_not_0_far_away(given: Inputs, value: object, expected: object) -> bool:
    """Return whether the network is off by more than a quarter of the height where each unit is at 0 or at 1."""
    w, _, a, bias = network_of(value)
    return bool(w.all()) and max(abs(bias + a[side * w > 0].sum()) for side in (1, -1)) > abs(given["height"]) / 4


def plot_bump(given: Inputs, value: object) -> tuple[object, str]:
    """Return a figure of the network between the bounds that it has to keep, and its words."""
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    network = network_of(value)
    start, end, height, margin, tolerance = given.values()
    left, right = start - (end - start), end + (end - start)
    figure, ax = plt.subplots()
    pieces = [(left, start - margin, 0.0), (start + margin, end - margin, height), (end + margin, right, 0.0)]
    for index, (low, high, level) in enumerate(pieces):
        ax.fill_between(
            [low, high],
            level - tolerance,
            level + tolerance,
            color=COLOURS["orange"],
            alpha=0.5,
            label="allowed" if index == 0 else None,
        )
    x = np.linspace(left, right, 1201)
    ax.plot(x, evaluate(network, x), color=COLOURS["blue"], linestyle="-", label="your network")
    ax.set(xlabel="x", ylabel="g(x)")
    ax.legend(loc="upper right")
    on, off = (abs(output - wanted) for _, output, wanted in worst_places(given, network))
    words = (
        f"Your network for a bump of height {height:g} between {start:g} and {end:g}. Its largest error on the plateau "
        f"is {on:.3g}, outside it is {off:.3g}; {tolerance:g} is allowed, and drawn as a band."
    )
    return figure, words


BUMP = Exercise(
    id="01.4",
    points=3,
    answer_name="bump",
    cases=bump_cases,
    verify=lambda given, hidden, value, expected: float(is_bump(given, network_of(value))),
    wanted=lambda given, expected: (
        "w, b, a, bias of a network that is\n"
        f"from {given['height'] - given['tolerance']:.6g} to {given['height'] + given['tolerance']:.6g} "
        f"for start + margin <= x <= end - margin,\n"
        f"from {-given['tolerance']:.6g} to {given['tolerance']:.6g} for x <= start - margin and for x >= end + margin"
    ),
    explain=explain_bump,
    plot=plot_bump,
    misconceptions=[
        (
            mended(
                lambda given, w, b, a, bias: (w, -b, a, bias),
                lambda given, w, b, a, bias: (w, w * b, a, bias),
                lambda given, w, b, a, bias: (w, -w * b, a, bias),
            ),
            "Your steps are in the wrong places. A unit has its step where w x + b is 0, and that is not x = b. Mind "
            "the sign; and when the steepness grows, the offset has to grow with it.",
        ),
        (
            mended(*(lambda given, *parts, order=order: (*(parts[i] for i in order), parts[3]) for order in ORDERS)),
            "These weights come in another order. Return w (what x is multiplied by in a unit), then b (what is "
            "added there), then a (what the unit's output is multiplied by), then the bias.",
        ),
        (
            mended(
                *(
                    lambda given, w, b, a, bias, of=of: (w, b, of(given) * a, of(given) * bias)
                    for of in (lambda given: given["height"], lambda given: 2, lambda given: 0.5, lambda given: -1)
                )
            ),
            "Your bump has the wrong height, or points the other way: mind the sign of the height. On the plateau "
            "one unit is at 1 and the other is still at 0, so the first alone has to make the height.",
        ),
    ],
    remarks=[
        (
            is_no(is_readable),
            "Return four things, `return w, b, a, bias`, with two numbers each for w, b and a, and one number for "
            "the bias. The network has exactly two units.",
        ),
        (
            lambda given, value, expected: (
                given["height"] < 0 if value is None else not np.isfinite(np.hstack(network_of(value))).all()
            ),
            "A number is missing here, or infinite: is there a logarithm or square root of something negative, or a "
            "weight without limit? Which of the arguments can be negative, and which part of it do you need?",
        ),
        (
            is_not_0_far_away,
            "Far away on one side of the bump, your network is not 0, however steep its steps. There each unit is at "
            "0 or at 1: make the bias and what the units at 1 contribute cancel.",
        ),
        (
            in_wrong_places,
            "Your steps are in the wrong places. In the middle of a step the unit is at 1/2: put one middle within a "
            "margin of the start, and one within a margin of the end.",
        ),
        (
            lambda given, value, expected: is_bump(given, steeper(given, *network_of(value))),
            "The steps are in the right places, but too gentle. How steep they have to be depends on the margin, on "
            "the tolerance and on the height.",
        ),
    ],
)
