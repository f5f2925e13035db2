"""The search for small networks of excursion 08b, to be run again: python -m tests.lesson_08.search TARGET SIZES …

SIZES and activation are those of a network without what the target gives: `search digits 4-5 tanh` tries 64-4-5-10.
Of many starts the best on images or points of its own is judged on eleven seeds, as a line of the table is. A teacher's
network is trained on each teacher anew, and chosen by its training error; there more teachers than eleven are judged.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

import torch

from tests.lesson_08 import records
from utils.lesson_08 import capstone, small_networks
from utils.models import mlp_parameters
from utils.training import train_ensemble

JUDGED = range(300, 311)  # the seeds of the table's judge
AT_A_TIME = 50  # networks
BATCHES = {"spirals": 100, "digits": 100}
RATES = {"spirals": 0.03, "digits": 0.01}


def found(target: str, sizes: Sequence[int], activation: str, starts: int, epochs: int, seed: int) -> dict:
    """Return the best network as a line of the table has it, with its layers."""
    generator = capstone.generator_of(seed)
    draw = {"spirals": capstone.spiral_points, "digits": capstone.digit_images}[target]
    some, many = {"spirals": (4000, 20_000), "digits": (20, 5)}[target]
    (X, y), chosen_on = draw(some, generator=generator), draw(many, generator=generator)
    outputs = max(sizes[-1], 2)  # two of them, one a class, become one when they are rounded
    best, least, steps = None, 1.0, 0
    for first in range(0, starts, AT_A_TIME):
        count = min(AT_A_TIME, starts - first)
        models = small_networks.starts([*sizes[:-1], outputs], activation, count, generator)
        options = {"batch_size": BATCHES[target], "schedule": "one-cycle", "progress": False}
        steps = train_ensemble(models, X, y, epochs=epochs, lr=RATES[target], **options)[0].steps
        model, error = small_networks.best_of(models, *chosen_on)
        if error < least:
            best, least = small_networks.rounded(model), error
            print(f"after {first + count} starts: {least:.4f}", flush=True)
    activation, layers = best
    worst = max(capstone.judged(best, target, seed).error for seed in JUDGED)
    plain = [[weight.tolist(), bias.tolist()] for weight, bias in layers]
    entry = {"target": target, "activation": activation, "sizes": list(sizes), "how": "training", "starts": starts}
    return {**entry, "steps": steps, "worst_error": round(worst, 4), "layers": plain}


def students(sizes: Sequence[int], activation: str, starts: int, epochs: int, teachers: int) -> dict:
    """Return a teacher's line of the table, with the share of further teachers on which it misses the goal."""
    entry = {"target": "teacher", "activation": activation, "sizes": list(sizes), "how": "training, per teacher"}
    entry |= {"starts": starts, "steps": epochs * -(-capstone.LESSONS // 50), "epochs": epochs}
    errors = [records.worst_error(entry, range(seed, seed + 1)) for seed in JUDGED]
    more = [records.worst_error(entry, range(seed, seed + 1)) for seed in range(1000, 1000 + teachers)]
    missed = sum(error > capstone.TARGETS["teacher"].goal for error in more)
    return {**entry, "worst_error": round(max(errors), 4), "missed": f"{missed} of {teachers}"}


def main() -> None:
    """Search, and print what was found as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("target", choices=("spirals", "teacher", "digits"))
    parser.add_argument("hidden", help="units of the hidden layers, such as 4-5")
    parser.add_argument("activation", choices=("tanh", "relu"))
    for name, usual in (("starts", 100), ("epochs", 130), ("seed", 0), ("teachers", 40)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    given = parser.parse_args()
    torch.set_num_threads(1)
    target = capstone.TARGETS[given.target]
    sizes = [target.n_in, *map(int, given.hidden.split("-")), target.n_out]
    print(f"{'-'.join(map(str, sizes))} {given.activation}: {mlp_parameters(sizes)} parameters", flush=True)
    if given.target == "teacher":
        line = students(sizes, given.activation, given.starts, given.epochs, given.teachers)
    else:
        line = found(given.target, sizes, given.activation, given.starts, given.epochs, given.seed)
    print(json.dumps(line))


if __name__ == "__main__":
    main()
