"""Exercise 03.1: a layer of three ReLU units, and its read-out, that folds a sheet along any line."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.layers import evaluate
from utils.exercises.rules import Rule, Solver, hints_of

Layer = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
SHAPES = ((3, 2), (3,), (2, 3), (2,))
HALF = 2.0  # of the sheet's side
HIGH = 100.0  # a bias with which a unit is on all over the sheet
TOLERANCE = 1e-3  # room for float32, and for large biases that are taken away again


def fold_cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, None]]:
    """Yield the cases, the worked example first."""
    yield {"normal": np.array([1.0, 1.0]), "offset": 1.0}, None
    yield {"normal": np.array([0.0, -2.0]), "offset": 1.0}, None
    for length in (0.5, 3.0, 1.0, 1.6, 0.7):
        yield sample_case(rng, length), None
    yield {**sample_case(rng, 2.2), "offset": 0.0}, None


def sample_case(rng: np.random.Generator, length: float) -> Inputs:
    """Return a line through the sheet that is parallel to no side and does not pass through the origin."""
    angle = rng.choice(4) * np.pi / 2 + rng.uniform(0.35, 1.2)
    distance = rng.choice([-1, 1]) * rng.uniform(0.4, 1.0)
    normal = (length * np.array([np.cos(angle), np.sin(angle)])).round(3)
    return {"normal": normal, "offset": float((distance * np.linalg.norm(normal)).round(3))}


def sheet(given: Inputs) -> np.ndarray:
    """Return points of the sheet, [points, 2]: a grid up to its edges, and points on the crease."""
    places = np.linspace(-HALF, HALF, 33)
    return np.concatenate([np.stack(np.meshgrid(places, places), axis=-1).reshape(-1, 2), crease(given)])


def crease(given: Inputs) -> np.ndarray:
    """Return points of the line, from one edge of the sheet to the other."""
    foot = given["offset"] * given["normal"] / (given["normal"] @ given["normal"])
    points = foot + np.linspace(-2 * HALF, 2 * HALF, 401)[:, None] * across(given)
    return points[(np.abs(points) <= HALF).all(axis=1)]


def across(given: Inputs) -> np.ndarray:
    """Return the unit vector along the line."""
    return np.array([-given["normal"][1], given["normal"][0]]) / np.linalg.norm(given["normal"])


def folded(given: Inputs, points: np.ndarray) -> np.ndarray:
    """Return where the fold takes the points: p − 2 relu(n·p − c) n / |n|²."""
    normal = given["normal"]
    beyond = np.maximum(points @ normal - given["offset"], 0)
    return points - 2 * beyond[:, None] * normal / np.linalg.norm(normal) ** 2


# --- what comes of which idea of a fold ---------------------------------------------------------------------


def slipped(
    *, factor: float = 2.0, power: int = 2, side: int = 1, sign: int = 1, scale: int = 0, bias: float = HALF
) -> Solver:
    """Return the way to build the layer p ↦ p − factor · side · relu(side (n·p − sign |n|^scale c)) n / |n|^power.

    Its first two units hand the coordinates on, where they are above −bias.
    """

    def way(given: Inputs) -> Layer:
        normal, length = given["normal"], np.linalg.norm(given["normal"])
        W = np.vstack([np.eye(2), side * normal])
        V = np.column_stack([np.eye(2), -factor * side * normal / length**power])
        return W, np.array([bias, bias, -side * sign * length**scale * given["offset"]]), V, np.full(2, -bias)

    return way


def along_and_across(given: Inputs) -> Layer:
    """Return the layer of |n·p − c| and the coordinate along the line, with n for a vector of length 1."""
    n, t, c = given["normal"], across(given) * np.linalg.norm(given["normal"]), given["offset"]
    push = 100.0
    return np.stack([n, -n, t]), np.array([-c, c, push]), np.stack([-n, -n, t], axis=1), c * n - push * t


def transposed(*places: int) -> Solver:
    """Return the way whose matrices at these places of W, b, V and d are the transposed right ones."""
    return lambda given: [part.T if place in places else part for place, part in enumerate(slipped()(given))]


MISTAKES = [
    (
        *(slipped(power=power) for power in (0, 1, 3, 4)),
        *(slipped(scale=scale, power=power) for scale in (-1, 1) for power in (0, 1, 3, 4)),
        along_and_across,
        "Your fold would be right for a normal of length 1: n is not normalised, or not often enough. Its length comes "
        "in twice: n·p − c is |n| times the distance from the line, and a step of n is |n| long.",
    ),
    (
        slipped(factor=1.0),
        slipped(factor=-2.0),
        slipped(factor=-1.0),
        "What is beyond the line moves along n by the wrong amount, or the wrong way: it has to go back to the line, "
        "and as far again on the other side. Look at that unit's column in V.",
    ),
    (slipped(side=-1), "You fold the other half: the points with n·p > c are to move, those with n·p < c to stay."),
    (
        slipped(sign=-1),
        slipped(sign=0),
        slipped(scale=1),
        slipped(scale=-1),
        "You fold along another line, parallel to the right one. A unit opens at n·p = c if its weights are n and its "
        "bias is −c. If you divide n by its length, divide c by it as well.",
    ),
]
LIFTS = [
    (
        *(slipped(bias=bias) for bias in (0.0, 0.5, 1.0, 1.5, 1.9)),
        lambda given: (*slipped(bias=1.0)(given)[:3], np.zeros(2)),
        lambda given: slipped(bias=given["offset"])(given),
        "A unit that hands a coordinate on is off in part of the sheet, and what it should carry is lost there: the "
        "bias that lifts it is missing or too small. Make it so large that the unit is on all over the sheet, and take "
        "it away again in d.",
    ),
]
TRANSPOSED = [
    (
        transposed(2),
        transposed(0),
        transposed(0, 2),
        "A matrix is transposed. The layer computes V ReLU(W p + b) + d, so W has a row for each unit and V a column "
        "for each unit.",
    ),
]


# --- reading what was returned ------------------------------------------------------------------------------


def layer_of(value: object) -> Layer:
    """Return W, b, V and d as arrays; raises an error for what is not four of them, in whatever shapes."""
    W, b, V, d = (np.asarray(part, dtype=float) for part in value)
    return W, b, V, d


def _shapes_of(value: object) -> tuple:
    return tuple(part.shape for part in layer_of(value))


def image_of(value: object, points: np.ndarray) -> np.ndarray:
    """Return where the layer takes the points; raises ValueError where its arrays have other shapes."""
    if _shapes_of(value) != SHAPES:
        raise ValueError("other shapes than those that are asked for")
    W, b, V, d = layer_of(value)
    return evaluate([(W, b), (V, d)], points)


def off_by(given: Inputs, value: object) -> np.ndarray:
    """Return by how much the layer misses where the points of the sheet should be taken, [points, 2]."""
    points = sheet(given)
    return image_of(value, points) - folded(given, points)


def computes(*ways: Solver) -> Rule:
    """Return a rule: the layer takes the sheet where the layer of one of these ways does."""

    def matches(given: Inputs, value: object, expected: object) -> bool:
        points = sheet(given)
        image = image_of(value, points)
        return any([np.abs(image - image_of(way(given), points)).max() <= 1e-4 for way in ways])

    return matches


def is_mended_by_a_lift(*_: Solver) -> Rule:
    """Return a rule: the layer is the fold, perhaps shifted, once some units have biases with which they are on."""

    def matches(given: Inputs, value: object, expected: object) -> bool:
        points, (W, b, V, d) = sheet(given), layer_of(value)
        wanted = folded(given, points)
        for units in ([0], [1], [2], [0, 1], [0, 2], [1, 2]):
            lift = np.isin(range(3), units) * HIGH
            off = image_of((W, b + lift, V, d), points) - wanted
            if _shapes_of(value) == SHAPES and np.ptp(off, axis=0).max() <= TOLERANCE:
                return True
        return False

    return matches


def has_the_shapes_of(*ways: Solver) -> Rule:
    """Return a rule: the arrays have the shapes of those of one of these ways."""
    return lambda given, value, expected: _shapes_of(value) in [_shapes_of(way(given)) for way in ways]


def is_shifted(given: Inputs, value: object, expected: object) -> bool:
    """Return whether the layer is the fold but for a shift of the whole sheet, or is the fold."""
    return bool(np.ptp(off_by(given, value), axis=0).max() <= 1e-4)


def is_turned(given: Inputs, value: object, expected: object) -> bool:
    """Return whether the layer is the fold but for a turn, or a mirror, of the whole sheet, and perhaps a shift."""
    points = sheet(given)
    image, wanted = image_of(value, points), folded(given, points)
    image, wanted = image - image.mean(axis=0), wanted - wanted.mean(axis=0)
    turn = np.linalg.lstsq(wanted, image, rcond=None)[0]
    away = np.abs(image - wanted @ turn).max(), np.abs(turn @ turn.T - np.eye(2)).max()
    return max(away) <= TOLERANCE < np.abs(turn - np.eye(2)).max()


def explain_fold(given: Inputs, value: object, expected: object) -> str:
    """Say where the layer is furthest off, or which shapes its arrays have."""
    if _shapes_of(value) != SHAPES:
        return f"The shapes of W, b, V and d should be {_written(SHAPES)}; yours are {_written(_shapes_of(value))}."
    points = sheet(given)
    image, wanted = image_of(value, points), folded(given, points)
    worst = np.abs(image - wanted).max(axis=1).argmax()
    p, yours, right = (f"({x:.3g}, {y:.3g})" for x, y in (points[worst], image[worst], wanted[worst]))
    return f"Yours is furthest off at p = {p}: it takes this point to {yours}; {right} is wanted."


def _written(shapes: tuple) -> str:
    return ", ".join(map(str, shapes))


def plot_fold(given: Inputs, value: object) -> tuple[object, str]:
    """Return a figure of the sheet of squared paper, folded as it should be and by the layer, and its words."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(8, 3.8), sharex=True, sharey=True)
    plot_paper(given, lambda points: folded(given, points), axes[0])
    plot_paper(given, lambda points: image_of(value, points), axes[1])
    axes[0].set_title("the fold that is wanted")
    axes[1].set_title("your layer")
    figure.suptitle("Dashed: what lay beyond the line")
    off = np.abs(off_by(given, value)).max()
    normal = ", ".join(f"{number:.3g}" for number in given["normal"])
    return figure, (
        f"A square sheet of squared paper, folded along the line n·p = c with n = ({normal}) and c = "
        f"{given['offset']:.3g}, which is drawn black; dashed and orange is what lies beyond it before. Left as it "
        f"should be, right by your layer, which is nowhere off by more than {off:.2g}."
    )


def plot_paper(given: Inputs, image: Callable[[np.ndarray], np.ndarray], ax: object) -> None:
    """Draw where a map takes the lines of the sheet, dashed and orange what lies beyond the crease, and the crease."""
    from utils.figures import COLOURS

    places, along = np.linspace(-HALF, HALF, 9), np.linspace(-HALF, HALF, 161)
    for place in places:
        across_it = np.stack([np.full_like(along, place), along], 1)
        for line in (across_it, across_it[:, ::-1]):
            beyond = (line @ given["normal"] > given["offset"])[:, None]
            for part, style, colour in ((~beyond, "-", "sky"), (beyond, "--", "red")):
                ax.plot(*np.where(part, image(line), np.nan).T, style, color=COLOURS[colour], linewidth=1)
    ax.plot(*crease(given).T, "-", color=COLOURS["black"], linewidth=2.5)
    ax.set(aspect="equal", xlabel="x₁", ylabel="x₂")


FOLD = Exercise(
    id="03.1",
    points=3,
    answer_name="fold_layer",
    cases=fold_cases,
    verify=lambda given, hidden, value, expected: float(np.abs(off_by(given, value)).max() <= TOLERANCE),
    wanted=lambda given, expected: (
        f"W, b, V and d of the shapes {_written(SHAPES)}: three ReLU units and their read-out\n"
        f"that fold the sheet along this line, to within {TOLERANCE:g}"
    ),
    explain=explain_fold,
    plot=plot_fold,
    misconceptions=[
        *hints_of(MISTAKES, computes),
        (
            is_shifted,
            "Your fold is right but for a shift of the whole sheet: what the biases add has to be taken away in d.",
        ),
        *hints_of(LIFTS, is_mended_by_a_lift),
        *hints_of(TRANSPOSED, has_the_shapes_of),
    ],
    remarks=[
        (
            is_turned,
            "Your sheet is folded, but it lies turned, or mirrored: whoever measures along the normal and across "
            "it has to turn these two numbers back into the two coordinates.",
        ),
    ],
)
