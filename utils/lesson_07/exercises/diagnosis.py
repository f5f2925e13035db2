"""Exercise 07.1: which patient a deep network is, from its errors epoch by epoch and a shallow network's."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases, draw_until
from utils.exercises.rules import Solver, hints_of, is_no, returned_by

BLIND, SLOW, WORSE, HEALTHY = PATIENTS = ("blind", "slow", "worse", "healthy")
LAST = 5  # epochs whose median is the error at the end
BARELY, FITTED, MARGIN = 0.9, 0.01, 0.01  # of the error of guessing; of training errors; above the shallow network's
EACH = 7  # cases of each patient
OUT_OF_LINE = {  # by variant: these epochs, so that the median of no other window will do
    1: (-1, -2),
    2: (-2, -3),
    4: (-1, -3, -6, -7),
    5: (-2, -4, -6, -7),
}
Errors = np.ndarray  # [epochs]
End = Callable[[Errors], float]


def worked_example() -> Inputs:
    """Return eight epochs, of which the last but one is out of line."""
    return {
        "training": np.array([0.75, 0.40, 0.10, 0.01, 0.00, 0.00, 0.30, 0.00]),
        "unseen": np.array([0.74, 0.45, 0.20, 0.09, 0.08, 0.09, 0.31, 0.08]),
        "classes": 4,
        "shallow": 0.05,
    }


def sample_cases(rng: np.random.Generator) -> list[Inputs]:
    """Return runs of all patients in a random order."""
    kinds = [(kind, variant) for kind in PATIENTS for variant in range(EACH)]
    return [run(rng, *kinds[place]) for place in rng.permutation(len(kinds))]


def run(rng: np.random.Generator, kind: str, variant: int) -> Inputs:
    """Return errors that nobody measured, of this patient, and clearly so.

    A variant decides where single epochs are out of line, and whether a network was better for a while.
    """
    make = {BLIND: blind, SLOW: slow}.get(kind, partial(fitted, kind))

    def drawn() -> Inputs:
        epochs, classes = int(rng.integers(16, 31)), int(rng.choice([2, 3, 4, 5, 10, 20][: 6 - 2 * (variant == 0)]))
        low, high = (0.001, 0.003) if kind == HEALTHY and variant in (0, 2) else (0.02, 0.2)
        shallow, noise = round(rng.uniform(low, high), 3), rng.normal(size=(2, epochs))
        both = make(rng, variant, guessing(classes), shallow, noise)
        for errors in both:
            errors[[*OUT_OF_LINE.get(variant, ())]] += -0.6 * guessing(classes) if kind == BLIND else 0.35
        training, unseen = (np.clip(errors, 0, 1).round(3) for errors in both)
        return {"training": training, "unseen": unseen, "classes": classes, "shallow": shallow}

    return draw_until(lambda given: is_clear(given) and reference(given) == kind, drawn)


def blind(rng: np.random.Generator, variant: int, guess: float, shallow: float, noise: np.ndarray) -> list[Errors]:
    """Return both errors of a network that guesses; of some variants it learned, and lost everything."""
    training = guess * (1 + 0.01 * noise[0])
    if variant % 2:
        training[3:8] *= rng.uniform(0.2, 0.7)
    return [training, training + 0.01 * noise[1]]


def slow(rng: np.random.Generator, variant: int, guess: float, shallow: float, noise: np.ndarray) -> list[Errors]:
    """Return both errors of a network that learns late; of some variants it is as good as the shallow one by then."""
    time, waits, ends = np.linspace(0, 1, noise.shape[1]), rng.uniform(0.1, 0.7), rng.uniform(0.03, 0.7 * guess)
    training = guess * np.minimum(1, (ends / guess) ** ((time - waits) / (1 - waits))) * (1 + 0.01 * noise[0])
    gap = rng.uniform(0.03, 0.1) if variant % 3 else shallow - ends + 0.005
    return [training, training + gap * time]


def fitted(
    kind: str, rng: np.random.Generator, variant: int, guess: float, shallow: float, noise: np.ndarray
) -> list[Errors]:
    """Return both errors of a network that fits, worse or healthy; of some variants it was better before."""
    time = np.linspace(0, 1, noise.shape[1])
    falling = np.maximum(1 - 1.6 * time, 0)
    training = np.where(time > 0.7, 0.002 * np.abs(noise[0]), guess * np.maximum(falling, 0.001) ** 2)
    above = (0.025, 0.12) if kind == WORSE else (0.004, 0.006) if variant < 3 else (-0.03, 0.003)
    ends = shallow + rng.uniform(*above)
    unseen = ends + (guess - ends) * falling**2 + 0.002 * noise[1]
    if variant % 2:
        unseen[len(time) // 2 : -LAST - 1] -= 0.8 * (ends - max(0.0, shallow - 0.03))
    return [training, unseen]


def is_clear(given: Inputs) -> bool:
    """Return whether no error at the end is near a limit, and what is not fitted is still falling."""
    training, unseen, guess = at_end(given["training"]), at_end(given["unseen"]), guessing(given["classes"])
    if training > FITTED:
        falls = training < 0.9 * at_end(given["training"][: -len(given["training"]) // 4])
        return training > 0.95 * guess or (0.02 <= training < 0.85 * guess and falls)
    return training <= 0.006 and not 0.0075 < unseen - given["shallow"] < 0.02


# --- what comes of which way to look ------------------------------------------------------------------------


def at_end(errors: Errors) -> float:
    """Return an error at the end of a run."""
    return float(np.median(errors[-LAST:]))


def guessing(classes: int) -> float:
    """Return the error of guessing among classes that are equally frequent."""
    return 1 - 1 / classes


def deciding(
    end: End = at_end,
    guess: Callable[[int], float] = guessing,
    is_worse: Callable[[Inputs, float, float], bool] = lambda given, training, unseen: (
        unseen > given["shallow"] + MARGIN
    ),
    fit_of: str = "training",
    barely: float = BARELY,
) -> Solver:
    """Return the way to diagnose with another error at the end, another guess, or another idea of what is worse.

    ``barely`` is the share of the error of guessing beyond which a network is blind.
    """

    def way(given: Inputs) -> str:
        fit, training, unseen = (end(given[name]) for name in (fit_of, "training", "unseen"))
        if fit > barely * guess(given["classes"]):
            return BLIND
        if fit > FITTED:
            return SLOW
        return WORSE if is_worse(given, training, unseen) else HEALTHY

    return way


reference = deciding()


def worse_first(given: Inputs) -> str:
    """Return what comes of looking at unseen data before the training error."""
    return WORSE if at_end(given["unseen"]) > given["shallow"] + MARGIN else reference(given)


MISTAKES = [
    (
        deciding(end=lambda errors: errors[-1]),
        deciding(end=lambda errors: errors[-LAST:].mean()),
        deciding(end=np.min),
        *(deciding(end=lambda errors, n=n: np.median(errors[-n:])) for n in (3, 4, 6, 7)),
        deciding(end=lambda errors: np.median(errors[-LAST:-1])),
        "You read another error at the end. Take the median over the last five epochs, the very last one included. "
        "Up to two of them may be out of line, and the median does not mind.",
    ),
    (
        deciding(guess=lambda classes: 0.9),
        deciding(guess=lambda classes: 1.0),
        deciding(guess=lambda classes: 1 / classes),
        "Your error of guessing is a different one. It depends on the number of classes. Among four, a guess is "
        "right once in four times.",
    ),
    (
        deciding(barely=1.0),
        "You call a network blind only if it misses more than guessing does. But the errors of a blind network lie "
        "around that of guessing, about half of them below it. Read the first question again: it leaves some room.",
    ),
    (
        deciding(is_worse=lambda given, training, unseen: unseen > training + MARGIN),
        "You compare the errors on unseen and on training data. There is nearly always a gap between them. A "
        "network is worse if it has more errors on unseen data than the shallow one.",
    ),
    (
        deciding(is_worse=lambda given, training, unseen: unseen > given["unseen"].min() + MARGIN),
        "You compare the network with itself at an earlier epoch. Compare it with the shallow network.",
    ),
    (
        deciding(is_worse=lambda given, training, unseen: unseen > (1 + MARGIN) * given["shallow"]),
        deciding(is_worse=lambda given, training, unseen: unseen > given["shallow"]),
        "Your margin is a different one. A network is worse if its error is above the shallow one's by more than "
        "0.01. The margin is added, not multiplied.",
    ),
    (
        worse_first,
        deciding(fit_of="unseen"),
        "You let the error on unseen data decide where the training error should. The training error alone tells "
        "whether a network is blind or slow, and it comes first, whatever the network does on unseen data.",
    ),
]


def _is_patient(value: object) -> bool:
    return isinstance(value, str) and value in PATIENTS


def explain_diagnosis(given: Inputs, value: object, expected: str) -> str:
    """Say what the errors are at the end."""
    training, unseen = at_end(given["training"]), at_end(given["unseen"])
    return (
        f"At the end: {training:.3g} on training data, where guessing has {guessing(given['classes']):.3g}; "
        f"{unseen:.3g} on unseen data, and the shallow network {given['shallow']:.3g}."
    )


def plot_diagnosis(given: Inputs, value: object) -> tuple[object, str]:
    """Return a figure of both errors over the epochs, with the limits, and its words."""
    import matplotlib.pyplot as plt

    from utils.figures import COLOURS

    figure, ax = plt.subplots(figsize=(7, 3.6))
    epochs, guess = np.arange(1, 1 + len(given["training"])), guessing(given["classes"])
    ax.plot(epochs, given["training"], "-", color=COLOURS["blue"], label="training data")
    ax.plot(epochs, given["unseen"], "--", color=COLOURS["red"], label="unseen data")
    ax.axhline(guess, color=COLOURS["black"], linestyle=":", label="guessing")
    ax.axhline(given["shallow"], color=COLOURS["grey"], linestyle="-.", label="shallow, unseen data")
    ax.set(xlabel="epoch", ylabel="error", ylim=(-0.02, 1))
    figure.legend(loc="outside lower center", ncols=4)
    figure.suptitle(f'Both errors, epoch by epoch. Your function says "{value}"')
    return figure, f'{explain_diagnosis(given, value, "")} Your function says "{value}".'


DIAGNOSIS = Exercise(
    id="07.1",
    points=3,
    answer_name="diagnosis",
    cases=lambda rng: discriminating_cases(lambda: [worked_example(), *sample_cases(rng)], reference, MISTAKES),
    verify=lambda given, hidden, value, expected: float(_is_patient(value) and value == expected),
    explain=explain_diagnosis,
    plot=plot_diagnosis,
    misconceptions=hints_of(MISTAKES, returned_by),
    remarks=[
        (is_no(_is_patient), 'Return one of the four texts, letter by letter: "blind", "slow", "worse" or "healthy".'),
    ],
)
