"""Exercise 05.3: which networks are ordered and which are chaotic, by χ₁ at the resting length."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from utils.exercises.definition import Exercise, Inputs
from utils.exercises.discrimination import discriminating_cases
from utils.exercises.rules import Solver, hints_of, returned_by
from utils.exercises.verdicts import Verdicts, right_unless, same_words
from utils.lesson_05.exercises.gaussian import mean, resting_length, slope, step

SIGMAS_W = np.union1d(np.arange(30, 401, 5), np.arange(114, 124)) / 100  # finer where the length map is slow
SIGMAS_B = np.array([0, 5, 10, 20, 30, 40, 50, 60, 80, 100, 120, 150, 180]) / 100
AWAY = 0.1  # from 1: the least distance of χ₁
SHORT, SHORT_AWAY = 0.5, 0.02  # where the resting length is short, for which a rough quadrature will do
CASES, EACH = 10, 4
ORDERED, CHAOTIC = "ordered", "chaotic"

Network = tuple[float, float]  # σ_w and σ_b
Look = Callable[[float, float], bool]  # from a network to whether it is called chaotic


def worked_example() -> Inputs:
    """Return two networks without biases, and one that they hold in order."""
    return {"networks": [[0.8, 0.0], [1.5, 0.0], [1.3, 0.5]]}


def sample_cases(rng: np.random.Generator) -> list[Inputs]:
    """Return cases in which networks of all kinds come, those most often that simple rules get wrong."""
    kinds = pool()
    networks = [kinds[i % len(kinds)][rng.integers(len(kinds[i % len(kinds)]))] for i in range(CASES * EACH)]
    order = rng.permutation(len(networks))
    return [{"networks": [list(networks[i]) for i in four]} for four in order.reshape(-1, EACH)]


@lru_cache(maxsize=1)
def pool() -> list[list[Network]]:
    """Return the networks away from the edge: those that are plainly ordered or chaotic, and those that mislead."""
    networks = [(float(w), float(b)) for w in SIGMAS_W for b in SIGMAS_B]
    clear = [(network, _is_chaotic(*network)) for network in networks if is_clear(*network)]
    misled = [[network for network, chaotic in clear if look(*network) != chaotic] for look in MISLEADING]
    plain = [[network for network, chaotic in clear if chaotic == wanted and network[1] > 0] for wanted in (0, 1)]
    without_biases = [network for network, _ in clear if network[1] == 0]
    return [*misled, *plain, without_biases]


def is_clear(sigma_w: float, sigma_b: float) -> bool:
    """Return whether χ₁ is far enough from 1."""
    q = resting_length(sigma_w, sigma_b)
    return abs(_chi_at(sigma_w, sigma_b, q) - 1) >= (SHORT_AWAY if q < SHORT else AWAY)


# --- what comes of which way to look ------------------------------------------------------------------------


def _chi_at(sigma_w: float, sigma_b: float, q: float) -> float:
    return sigma_w**2 * mean(lambda z: slope(np.sqrt(q) * z) ** 2)


def _is_chaotic(sigma_w: float, sigma_b: float) -> bool:
    return _chi_at(sigma_w, sigma_b, resting_length(sigma_w, sigma_b)) > 1


def _by_sigma(sigma_w: float, sigma_b: float) -> bool:
    return sigma_w > 1


def _after(steps: int, start: float = 1.0) -> Look:
    """Return the look at the length after that many steps."""

    def look(sigma_w: float, sigma_b: float) -> bool:
        q = start
        for _ in range(steps):
            q = step(q, sigma_w, sigma_b)
        return _chi_at(sigma_w, sigma_b, q) > 1

    return look


def _slope_not_squared(sigma_w: float, sigma_b: float) -> bool:
    return sigma_w**2 * mean(lambda z: slope(np.sqrt(resting_length(sigma_w, sigma_b)) * z)) > 1


def _q_for_its_root(sigma_w: float, sigma_b: float) -> bool:
    return _chi_at(sigma_w, sigma_b, resting_length(sigma_w, sigma_b) ** 2) > 1


def each(look: Look) -> Solver:
    """Return the way to answer that looks at each network like this."""
    return lambda given: [CHAOTIC if look(*network) else ORDERED for network in given["networks"]]


reference = each(_is_chaotic)
MISLEADING = (
    _by_sigma,
    _after(0),
    _after(1),
    _after(5, 0.5),
    _after(5, 0.1),
    _slope_not_squared,
    _q_for_its_root,
    lambda w, b: resting_length(w, b) > 1,
    lambda w, b: w > 1 + b,
)
MISTAKES = [
    (
        each(_by_sigma),
        "This is right only without biases. Biases lengthen the signal, and a longer signal lies where tanh is "
        "flatter, so compute χ₁ at the resting length.",
    ),
    (
        each(_after(0)),
        each(_after(1)),
        each(_after(5)),
        "You take χ₁ at a length at which the network does not stay. Iterate the length map until it rests.",
    ),
    (each(_slope_not_squared), "Square the derivative of tanh, then take the mean: χ₁ is about mean squares."),
    (
        each(lambda w, b: resting_length(w, b) > 1),
        "You judge by the length of the signal at rest. But a long signal need not be a chaotic one: compute χ₁ at "
        "that length.",
    ),
    (
        each(lambda w, b: not _is_chaotic(w, b)),
        "Your verdicts are the wrong way round. Neighbouring points separate if χ₁ is above 1, and that is chaos.",
    ),
]
GUESSES = [  # that no hint is made for
    each(_q_for_its_root),
    each(lambda w, b: _chi_at(w, b, resting_length(w, np.sqrt(b))) > 1),
    each(lambda w, b: w**2 + b**2 > 1),
]
FORM = Verdicts("networks", (ORDERED, CHAOTIC))


ORDER_OR_CHAOS = Exercise(
    id="05.3",
    points=3,
    answer_name="order_or_chaos",
    cases=lambda rng: discriminating_cases(
        lambda: [worked_example(), *sample_cases(rng)], reference, MISTAKES, GUESSES
    ),
    verify=FORM.verify,
    without=[
        f"utils.meanfield.{name}"
        for name in (
            "q_star",
            "chi_1",
            "c_star",
            "depth_scale",
            "phase",
            "critical_sigma_w",
            "phase_diagram",
            "correlation_map",
            "correlations",
            "measured_curve_lengths",
            "measured_lyapunov",
            "_cell",
            "_lengths_at_rest",
            "_averages",
        )
    ],
    explain=FORM.explain,
    misconceptions=hints_of(MISTAKES, returned_by, same=same_words),
    remarks=[
        (FORM.fits_not, 'Return a list with "ordered" or "chaotic" for each network.'),
        (
            right_unless(said=CHAOTIC),
            "You find every chaotic network, but you call ordered ones chaotic, too. Is your χ₁ too large?",
        ),
        (
            right_unless(said=ORDERED),
            "You find every ordered network, but you call chaotic ones ordered, too. Is your χ₁ too small?",
        ),
    ],
)
