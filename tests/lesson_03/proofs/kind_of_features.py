"""Proof of exercise 03.4."""

from __future__ import annotations

import numpy as np
import torch

from tests.proofs import Proof, Wrong


def by_lengths(before, after):
    trained = [
        any(np.linalg.norm(new - old) > 0.02 * np.linalg.norm(old) for old, new in zip(*layer, strict=True))
        for layer in zip(before, after, strict=True)
    ]
    return named(trained)


def named(trained):
    *hidden, readout = trained
    if all(hidden):
        return "learned"
    return "partly learned" if any(hidden) else "random" if readout else "untrained"


def in_torch(before, after):
    """A layer's arrays side by side would not do: a bias is small among weights."""
    trained = []
    for layer in zip(before, after, strict=True):
        pairs = [(torch.tensor(old).float().ravel(), torch.tensor(new).float().ravel())
                 for old, new in zip(*layer, strict=True)]
        trained.append(any(torch.dist(old, new) / old.norm() > 0.02 for old, new in pairs))
    return named(trained)


def by_rounding(before, after):
    """A layer was not trained where rounding to three digits gives the very numbers."""
    counts = {"hidden": [], "read-out": []}
    for place, (old, new) in enumerate(zip(before, after, strict=True)):
        same = all(
            float(f"{x:.3g}") == y for a, b in zip(old, new, strict=True) for x, y in zip(a.flat, b.flat, strict=True)
        )
        counts["read-out" if place == len(before) - 1 else "hidden"].append(not same)
    share = np.mean(counts["hidden"])
    return {0: "random" if counts["read-out"][0] else "untrained", 1: "learned"}.get(share, "partly learned")


def by_absolute_sums(before, after):
    moved = []
    for (weight, bias), (new_weight, new_bias) in zip(before, after, strict=True):
        shares = (np.abs(new_weight - weight).sum() / np.abs(weight).sum(),
                  np.abs(new_bias - bias).sum() / np.abs(bias).sum())
        moved.append(max(shares) > 0.015)
    return named(moved)


def as_one(before, after):
    """The distance of all numbers of a layer, over the length of them all."""
    flat = [[np.concatenate([np.ravel(part) for part in layer]) for layer in layers] for layers in (before, after)]
    return named([np.linalg.norm(new - old) > 0.02 * np.linalg.norm(old) for old, new in zip(*flat, strict=True)])


def deciding(has_moved, *, join=any, arrays=(0, 1), name=named):
    """The answer with another idea of what has moved, or of what follows."""

    def answer(before, after):
        return name([join([has_moved(old[i], new[i]) for i in arrays]) for old, new in zip(before, after, strict=True)])

    return answer


def far(old, new):
    return np.linalg.norm(new - old) > 0.02 * np.linalg.norm(old)


NAMES = ("untrained", "random", "partly learned", "learned")

PROOF = Proof(
    "03.4",
    right={"lengths": by_lengths, "torch": in_torch, "rounding": by_rounding, "sums": by_absolute_sums},
    wrong=[
        Wrong("off by one", deciding(far, name=lambda trained: named([*trained, False])), "read-out among the hidden"),
        Wrong("equality", deciding(lambda old, new: not np.array_equal(old, new)), "differs by rounding"),
        Wrong("allclose", deciding(lambda old, new: not np.allclose(old, new)), "differs by rounding"),
        Wrong("fixed number", deciding(lambda old, new: np.abs(new - old).max() > 0.01), "with a fixed number"),
        Wrong("fixed length", deciding(lambda old, new: np.linalg.norm(new - old) > 0.02), "with a fixed number"),
        Wrong("weights", deciding(far, arrays=[0]), "bias has moved"),
        Wrong("weight and bias as one", as_one, "bias has moved"),
        Wrong("biases", deciding(far, arrays=[1]), "biases alone"),
        Wrong("both", deciding(far, join=all), "one of them is enough"),
        Wrong("change of length", deciding(
            lambda old, new: abs(np.linalg.norm(new) - np.linalg.norm(old)) > 0.02 * np.linalg.norm(old)),
            "compare lengths"),
        Wrong("mean of differences", deciding(lambda old, new: abs((new - old).mean()) > 0.02 * np.abs(old).mean()),
              "mean of the differences"),
        Wrong("largest over largest", deciding(lambda old, new: np.abs(new - old).max() > 0.02 * np.abs(old).max()),
              "largest change"),
        Wrong("largest over length", deciding(lambda old, new: np.abs(new - old).max() > 0.02 * np.linalg.norm(old)),
              "largest change"),
        Wrong("mean share", deciding(lambda old, new: np.mean(np.abs(new / old - 1)) > 0.02), "by its own number"),
        Wrong("first layer", deciding(far, name=lambda trained: named([trained[0], trained[-1]])), "the first hidden"),
        Wrong("the last hidden", deciding(far, name=lambda trained: named(trained[-2:])), "the last hidden"),
        Wrong("any", deciding(far, name=lambda trained: named([any(trained[:-1]), trained[-1]])), "is enough for you"),
        Wrong("all", deciding(far, name=lambda trained: named([all(trained[:-1]), trained[-1]])),
              "whatever the read-out does"),
        Wrong("booleans", deciding(far, name=list), "letter by letter"),
        Wrong("never untrained", deciding(far, name=lambda trained: named([*trained[:-1], True])), "not trained at"),
        Wrong("partly by parity", deciding(far, name=lambda trained: {
            "partly learned": "learned" if sum(trained) % 2 else "random"}.get(named(trained), named(trained))),
            "decided by the hidden layers"),
    ],
    unforeseen={
        "a third moved": deciding(lambda old, new: np.linalg.norm(new - old) > 0.35 * np.linalg.norm(old)),
        "the first number": deciding(lambda old, new: abs(new.flat[0] / old.flat[0] - 1) > 0.05),
        "signs": deciding(lambda old, new: (np.sign(old) != np.sign(new)).any()),
        "learned and random exchanged": deciding(far, name=lambda trained: {
            "random": "learned", "learned": "random"}.get(named(trained), named(trained))),
        "learned wherever anything moved": deciding(
            far, name=lambda trained: "learned" if any(trained) else "untrained"),
        "by the depth": lambda before, after: NAMES[len(before) % 4],
        "the largest number": deciding(lambda old, new: new.max() > 1.1 * old.max()),
        "every number": deciding(lambda old, new: (np.abs(new - old) > 0.02 * np.abs(old)).all()),
    },
)
