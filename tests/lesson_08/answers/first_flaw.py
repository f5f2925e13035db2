"""Answers to exercise 08.4, right and wrong."""

from __future__ import annotations

import statistics

import numpy as np

from tests.answers import AnswerSuite, Wrong

FLAWS = (
    "unequal budgets",
    "scored on training data",
    "one seed",
    "rates tuned for one side",
    "best rate at the edge",
    "none",
)


def as_a_list(deep, shallow):
    both, edges = (deep, shallow), []
    for one in both:
        columns = one["errors"].T.tolist()
        medians = [statistics.median(column) for column in columns]
        rate = one["rates"][medians.index(min(medians))]
        edges.append(rate == min(one["rates"]) or rate == max(one["rates"]))
    ratios = [deep[name] / shallow[name] for name in ("parameters", "steps")]
    yes = [
        not all(1 / 1.05 <= ratio <= 1.05 for ratio in ratios),
        any(row in one["trained"] for one in both for row in one["scored"]),
        any(one["errors"].shape[0] == 1 for one in both),
        any(len(one["rates"]) == 1 for one in both),
        any(edges),
        True,
    ]
    return FLAWS[yes.index(True)]


def from_behind(deep, shallow):
    """Each flaw overwrites those that are asked for later."""
    said = "none"
    for one in (deep, shallow):
        order = np.argsort(one["rates"])
        if np.median(one["errors"][:, order], axis=0).argmin() in (0, len(order) - 1):
            said = "best rate at the edge"
    if len({len(deep["rates"]) > 1, len(shallow["rates"]) > 1}) == 2:
        said = "rates tuned for one side"
    if 1 in (len(deep["errors"]), len(shallow["errors"])):
        said = "one seed"
    if np.isin(deep["scored"], deep["trained"]).any() or np.isin(shallow["scored"], shallow["trained"]).any():
        said = "scored on training data"
    budgets = np.array([[one["parameters"], one["steps"]] for one in (deep, shallow)])
    return "unequal budgets" if (budgets.max(axis=0) / budgets.min(axis=0) > 1.05).any() else said


def by_ranks(deep, shallow):
    """By the share of the rates that are smaller than the best one, and logarithms of the budgets."""
    if max(abs(np.log(deep[name] / shallow[name])) for name in ("steps", "parameters")) > np.log(1.05):
        return np.str_(FLAWS[0])
    for one in (deep, shallow):
        if len({*one["trained"], *one["scored"]}) < len(set(one["trained"])) + len(set(one["scored"])):
            return FLAWS[1]
    sizes = np.array([one["errors"].shape for one in (deep, shallow)])
    if (sizes == 1).any():
        return FLAWS[2] if (sizes[:, 0] == 1).any() else FLAWS[3]
    for one in (deep, shallow):
        rates, medians = np.array(one["rates"]), np.quantile(one["errors"], 0.5, axis=0)
        if np.mean(rates < rates[medians.argmin()]) in (0, (len(rates) - 1) / len(rates)):
            return FLAWS[4]
    return FLAWS[5]


def with_rows_of(*pairs):
    """Rows that one side was trained on are looked for among those that another one was scored on."""

    def answer(deep, shallow):
        both = deep, shallow
        leaks = any(set(both[i]["trained"]) & set(both[j]["scored"]) for i, j in pairs)
        rows = {"trained": [0], "scored": [0 if leaks else 1]}
        return as_a_list({**deep, **rows}, {**shallow, **rows})

    return answer


def with_sides(**changes):
    """The right answer to dictionaries that are changed first."""
    return lambda deep, shallow: as_a_list(
        *({name: changes.get(name, lambda one: one)(value) for name, value in one.items()} for one in (deep, shallow))
    )


def renamed(**words):
    return lambda deep, shallow: words.get(as_a_list(deep, shallow).replace(" ", "_"), as_a_list(deep, shallow))


SUITE = AnswerSuite(
    "08.4",
    right={
        "a list of questions": as_a_list,
        "from behind": from_behind,
        "ranks": by_ranks,
        "own rows": with_rows_of((0, 0), (1, 1)),
    },
    wrong=[
        Wrong("other words", renamed(one_seed="a single seed"), "letter by letter"),
        Wrong("number", lambda deep, shallow: FLAWS.index(as_a_list(deep, shallow)) + 1, "letter by letter"),
        Wrong(
            "ends of the list",
            lambda deep, shallow: as_a_list(
                *({**one, "rates": list(range(len(one["rates"])))} for one in (deep, shallow))
            ),
            "ends of the list",
        ),
        Wrong("rows of the other", with_rows_of((0, 1), (1, 0)), "this same network was trained on"),
        Wrong("rows of both", with_rows_of((0, 0), (0, 1), (1, 0), (1, 1)), "this same network was trained on"),
        Wrong("rows of the deep one", with_rows_of((0, 0)), "only one of the two networks has"),
        Wrong("means", with_sides(errors=lambda errors: errors.mean(axis=0) + np.zeros_like(errors)), "means over"),
    ],
    unforeseen={
        "off by one": lambda deep, shallow: FLAWS[(FLAWS.index(as_a_list(deep, shallow)) + 1) % 6],
        "largest error": with_sides(errors=lambda errors: -errors),
        "never an edge": renamed(best_rate_at_the_edge="none"),
        "seeds before rows": renamed(scored_on_training_data="one seed"),
        "exchanged": renamed(one_seed="rates tuned for one side", rates_tuned_for_one_side="one seed"),
        "always flawed": renamed(none="best rate at the edge"),
        "least error": with_sides(errors=lambda errors: errors.min(axis=0) + np.zeros_like(errors)),
        "two seeds": lambda deep, shallow: as_a_list(*({**one, "errors": one["errors"][:5]} for one in (deep, deep))),
    },
)
