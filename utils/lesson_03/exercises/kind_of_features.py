"""Exercise 03.4: are a network's features random or learned? From its parameters before and after training."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases, draw_until
from utils.exercises.rules import Solver, hints_of, is_no, returned_by

UNTRAINED, RANDOM, PARTLY, LEARNED = KINDS = ("untrained", "random", "partly learned", "learned")
MOVED = 0.02  # of its length, by which an array has moved where its layer was trained
CLEARLY_NOT, CLEARLY = 0.005, 0.05  # no array moves by a share between these
DIGITS = 3  # that the second file keeps of each number
SIZES = ((2, 3, 2), (2, 4, 1), (3, 4, 3, 2), (2, 4, 4, 1), (2, 3, 4, 3, 1), (2, 3, 3, 3, 2))
WAYS = {  # in which a layer moves: how large its weight and its bias are, how far they move, and the kinds of networks
    "far": (1, 1, 1.0, (RANDOM, PARTLY, PARTLY, PARTLY, LEARNED)),
    "near": (1, 1, 0.08, (RANDOM, PARTLY, LEARNED)),
    "turned": (1, 1, 0.5, (RANDOM, PARTLY, LEARNED, LEARNED)),
    "one array": (1, 1, 0.5, (RANDOM, PARTLY, *[LEARNED] * 5)),
    "long weight": (100, 1, 0.5, (PARTLY, *[LEARNED] * 4)),
    "tiny": (0.002, 0.002, 0.4, (RANDOM, PARTLY, LEARNED, LEARNED)),
    "balanced": (1, 1, 0.3, (RANDOM, PARTLY, LEARNED, LEARNED)),
    "one number": (1, 1, 0.056, (PARTLY, LEARNED, LEARNED)),  # the largest, and just enough
    "evenly": (1, 1, 0.056, [LEARNED] * 4),  # beside one that is large
}
LARGE = 10  # times as large as another number

Arrays = tuple[np.ndarray, np.ndarray]
Distance = Callable[[np.ndarray, np.ndarray], float]


def kind_cases(rng: np.random.Generator) -> Iterator[tuple[Inputs, None]]:
    """Yield the cases, the worked example first."""
    kinds = [(kind, way) for way, (*_, kinds) in WAYS.items() for kind in kinds] + [(UNTRAINED, "far")] * 2

    def draw() -> list[Inputs]:
        return [worked_example(), *(network(rng, *kinds[place]) for place in rng.permutation(len(kinds)))]

    return discriminating_cases(draw, reference, MISTAKES, GUESSES)


def worked_example() -> Inputs:
    """Return a network whose hidden layer is what it was but for rounding, and whose read-out is not."""
    return {
        "before": [
            (np.array([[0.6124, -0.2871], [0.1539, 0.4402]]), np.array([0.3057, -0.5164])),
            (np.array([[0.5283, 0.1946]]), np.array([-0.2208])),
        ],
        "after": [
            (np.array([[0.612, -0.287], [0.154, 0.44]]), np.array([0.306, -0.516])),
            (np.array([[1.93, -1.27]]), np.array([0.348])),
        ],
    }


def network(rng: np.random.Generator, kind: str, way: str) -> Inputs:
    """Return a network before and after a training of which each layer that was trained moves in this way."""
    several = kind == PARTLY or way in ("one array", "long weight", "evenly")
    sizes = SIZES[rng.integers(2 if several else 0, len(SIZES))]
    before = [initial(rng, n_in, n_out, WAYS[way][:2]) for n_in, n_out in zip(sizes, sizes[1:], strict=False)]
    if way in ("one number", "evenly"):
        before = [tuple(np.where(is_largest(part), LARGE * part, part).round(4) for part in layer) for layer in before]
    if rng.random() < 0.5:  # then what was not trained is exactly what it was
        before = [tuple(map(rounded, layer)) for layer in before]

    def trained() -> Inputs:
        learning = zip(before, which(rng, kind, len(before)), strict=True)
        after = [tuple(map(rounded, moved(rng, layer, way) if learns else layer)) for layer, learns in learning]
        return {"before": before, "after": after}

    return draw_until(lambda given: is_clear(given) and reference(given) == kind, trained)


def initial(rng: np.random.Generator, n_in: int, n_out: int, scales: Sequence[float]) -> Arrays:
    """Return a weight and a bias of these scales, no number of which is near 0."""
    signs = rng.choice([-1, 1], (n_out, n_in + 1))
    both = (signs * rng.uniform(0.1, 0.9, signs.shape)).round(4)
    return (scales[0] * both[:, :-1]).round(7), (scales[1] * both[:, -1]).round(7)


def which(rng: np.random.Generator, kind: str, layers: int) -> list[bool]:
    """Return which layers are trained, the read-out last."""
    hidden = layers - 1
    if kind == PARTLY:
        first = [False, *rng.permutation([True, *(rng.random(hidden - 2) < 0.5)]).tolist()]
        trained = first if rng.random() < 0.5 else first[::-1]
    else:
        trained = [kind == LEARNED] * hidden
    return [*trained, kind == RANDOM or (kind in (LEARNED, PARTLY) and rng.random() < 0.7)]


def moved(rng: np.random.Generator, layer: Arrays, way: str) -> Arrays:
    """Return a layer after its training."""
    scale = WAYS[way][2]
    if way == "one number":
        return tuple(part + scale * np.linalg.norm(part) * is_largest(part) for part in layer)
    if way == "evenly":  # a bias has too few numbers for each to move so little
        weight, bias = layer
        return weight + scale * np.sqrt((weight**2).mean()) * rng.choice([-1, 1], weight.shape), bias
    new = [part + scale * np.sqrt((part**2).mean()) * rng.normal(size=part.shape) for part in layer]
    if way == "balanced":  # what some numbers gain, the others lose
        new = [part - (part - old).mean() if part.size > 1 else part for part, old in zip(new, layer, strict=True)]
    if way == "turned":  # as long as before
        new = [part * np.linalg.norm(old) / np.linalg.norm(part) for part, old in zip(new, layer, strict=True)]
    if way in ("one array", "long weight"):
        stays = rng.integers(2)
        new[stays] = layer[stays]
    return tuple(new)


def is_largest(part: np.ndarray) -> np.ndarray:
    """Return where an array's largest number is."""
    return np.abs(part) == np.abs(part).max()


def rounded(part: np.ndarray) -> np.ndarray:
    """Return the numbers as the second file keeps them."""
    return np.vectorize(lambda number: float(f"{number:.{DIGITS}g}"))(part)


def is_clear(given: Inputs) -> bool:
    """Return whether no array has moved by a little."""
    return all(not CLEARLY_NOT <= relative(*pair) <= CLEARLY for layer in layers_of(given) for pair in layer)


def layers_of(given: Inputs) -> list[list[Arrays]]:
    """Return for each layer its weight and its bias, each as a pair (before, after)."""
    return [list(zip(*layer, strict=True)) for layer in zip(given["before"], given["after"], strict=True)]


# --- what comes of which way to decide ----------------------------------------------------------------------


def relative(old: np.ndarray, new: np.ndarray) -> float:
    """Return by which share of its length an array has moved."""
    return float(np.linalg.norm(new - old) / np.linalg.norm(old))


def kind_of(trained: Sequence[bool]) -> str:
    """Return the kind of features from which layers were trained, the read-out last."""
    *hidden, readout = trained
    if all(hidden):
        return LEARNED
    if any(hidden):
        return PARTLY
    return RANDOM if readout else UNTRAINED


def trained_layers(
    given: Inputs, distance: Distance = relative, least: float = MOVED, arrays: slice = slice(2), join: Callable = any
) -> list[bool]:
    """Return for each layer whether one of its arrays has moved that far."""
    return [join([distance(*pair) > least for pair in layer[arrays]]) for layer in layers_of(given)]


def deciding(*ideas: object, **more: object) -> Solver:
    """Return the way to decide with another idea of what has moved: other arguments of ``trained_layers``."""
    return lambda given: kind_of(trained_layers(given, *ideas, **more))


reference = deciding()


def _largest_change(old: np.ndarray, new: np.ndarray) -> float:
    return float(np.abs(new - old).max())


def pooled(given: Inputs) -> str:
    """Return what comes of measuring a layer's weight and bias as one array."""
    layers = [
        [np.concatenate([part.ravel() for part in parts]) for parts in zip(*layer, strict=True)]
        for layer in layers_of(given)
    ]
    return kind_of([relative(old, new) > MOVED for old, new in layers])


MISTAKES = [
    (
        deciding(_largest_change, 0.0),
        "You take every difference for training, but the second file keeps three digits only: what was never trained "
        "differs by rounding.",
    ),
    (
        *(
            deciding(distance, least)
            for distance in (_largest_change, lambda old, new: np.linalg.norm(new - old))
            for least in (0.005, 0.01, 0.02, 0.05)
        ),
        deciding(relative, MOVED**0.5),
        "You compare the change with a fixed number, or its square with 2 %: it is to be more than 2 % of the "
        "length of what was there before. Where all weights are tiny, so is their change.",
    ),
    (
        deciding(arrays=slice(1)),
        pooled,
        deciding(join=all),
        "Look at a layer's weight and its bias each by itself: one of them that has moved is enough, the bias as well, "
        "however long the weight is.",
    ),
    (
        deciding(lambda old, new: abs(np.linalg.norm(new) / np.linalg.norm(old) - 1)),
        "You compare lengths: an array can turn and stay as long as it was. Take the length of the difference.",
    ),
    (
        lambda given: kind_of([*trained_layers(given), False]),
        lambda given: reference(given) if trained_layers(given)[-1] else UNTRAINED,
        "The read-out decides too much here. It is the last pair, no hidden layer, and tells random from untrained "
        "only, where no hidden layer was trained.",
    ),
    (
        lambda given: LEARNED if reference(given) == PARTLY else reference(given),
        "One trained hidden layer is enough for you to say that the features were learned: where others were not "
        'trained, it is "partly learned".',
    ),
]
GUESSES = [  # which no hint is made for
    deciding(lambda old, new: abs((new - old).mean()) / np.abs(old).mean()),
    deciding(lambda old, new: _largest_change(old, new) / np.abs(old).max()),
    deciding(lambda old, new: np.mean(np.abs(new - old) / np.abs(old))),
]


def _is_kind(value: object) -> bool:
    return isinstance(value, str) and value in KINDS


def explain_kind(given: Inputs, value: object, expected: str) -> str:
    """Say by how much the layer with the clearest movement, or with none, has moved."""
    if not _is_kind(value):
        return ""
    shares = [max(relative(*pair) for pair in layer) for layer in layers_of(given)]
    hidden = ", ".join(f"{share:.1%}" for share in shares[:-1])
    return f"The weight or the bias, whichever moved more: {hidden} (hidden layers), {shares[-1]:.1%} (read-out)."


def plot_kind(given: Inputs, value: object) -> tuple[object, str]:
    """Return a figure of the numbers after training over those before, layer by layer, and its words."""
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    layers = layers_of(given)
    figure, axes = plt.subplots(1, len(layers), squeeze=False, figsize=(10, 3.2))
    words = []
    for place, (ax, layer) in enumerate(zip(axes[0], layers, strict=True)):
        for name, (old, new), marker, colour in zip(("weight", "bias"), layer, "o^", ("blue", "red"), strict=True):
            ax.plot(old.ravel(), new.ravel(), marker, color=COLOURS[colour], label=name, alpha=0.7)
        ax.axline((0, 0), slope=1, color="black", linestyle=":", linewidth=1)
        title = "read-out" if place == len(layers) - 1 else f"hidden layer {place + 1}"
        ax.set(title=title, xlabel="before")
        ax.locator_params(nbins=4)
        moves = " and ".join(f"{relative(*pair):.1%}" for pair in layer)
        words.append(f"{title}: weight and bias moved by {moves}")
    axes[0, 0].set_ylabel("after")
    axes[0, 0].legend()
    figure.suptitle(f'Each number after training over what it was before. Your function says "{value}"')
    return figure, (
        "A panel for each layer with a dot for each number, after training over before; on the dotted line nothing "
        f'has changed. {"; ".join(words)}. Your function says "{value}".'
    )


FEATURES = Exercise(
    id="03.4",
    points=3,
    answer_name="kind_of_features",
    cases=kind_cases,
    verify=lambda given, hidden, value, expected: float(_is_kind(value) and value == expected),
    explain=explain_kind,
    plot=plot_kind,
    misconceptions=hints_of(MISTAKES, returned_by),
    remarks=[
        (
            lambda given, value, expected: (value, expected) == (RANDOM, UNTRAINED),
            'Nothing was trained here, the read-out neither: that is "untrained".',
        ),
        (
            is_no(_is_kind),
            'Return one of the four texts, letter by letter: "untrained", "random", "partly learned" or "learned".',
        ),
    ],
)
