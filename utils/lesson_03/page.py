"""What lesson 03's pages use, under one name, and what is said of their figures and predictions."""

from utils.lesson_03.probing_figures import learned_or_random, probe_answer, probe_by_stage, random_answer
from utils.pages import Prediction, Words, register

__all__ = ["learned_or_random", "probe_answer", "probe_by_stage", "random_answer"]

FIGURES: dict[str, Words] = {
    "03.probe": Words(
        "Trained blocks let a line tell the arms apart; random blocks do not",
        """Two plots of the held-out accuracy of a probe at the input and after each of four blocks: medians of 20 seeds
        with intervals, and a thin line for each trained network. Left, one turn: untrained it stays near a half;
        trained it jumps from a half to near one, in most networks in the first block, in the others in the second.
        Right, 1½ turns: after the first block it is a little lower than at the input, trained or not, and the thin
        lines spread widely, many of them downwards. Trained it is near one from the second block on, but some thin
        lines get there only with the third or the fourth. Untrained it sinks a little further.""",
    ),
    "03.random": Words(
        "Unit for unit, learning wins; parameter for trained parameter, it does not",
        """Two plots of held-out accuracy against 8, 16, 32 and 64 learned hidden units, medians of 20 seeds with
        intervals. Left, 1½ turns: as many random units lie far below at 8 and 16 and catch up from 32 on; random
        units with as many trained parameters lie on the learned ones throughout. Right, two turns: as many random
        units stay clearly below up to 32, and a little at 64; with as many trained parameters they lie on the learned
        ones, with wider intervals at 8 and 16.""",
    ),
}
PREDICTIONS: dict[str, Prediction] = {
    "03.probe": Prediction(
        ["it rises from each plane to the next, in nearly every network",
         "it is high in the end, but in many networks it falls on the way",
         "it stays as low as at the input up to the last plane"],
        "It goes from {first} to {last}. In {falls} of {seeds} networks it falls on the way, {early} of them in "
        "the first block.",
        lambda falls, seeds, **_: 2 if falls > seeds / 5 else 1,
    ),
    "03.random": Prediction(
        ["hardly anything: at most two points in a hundred", "up to ten points", "more than ten points"],
        "Learned minus random, at 16 units each: {units}.",
        lambda units, **_: 1 + sum(units.value > limit for limit in (0.02, 0.1)),
    ),
    "03.random-parameters": Prediction(
        ["the learned layer, by more than two points in a hundred", "neither, by more than two points",
         "the random one, by more than two points"],
        "Learned minus random: {parameters} at 1½ turns. At two turns: {harder}.",
        lambda parameters, **_: 1 if parameters.value > 0.02 else 3 if parameters.value < -0.02 else 2,
    ),
}  # fmt: skip
FIGURES_OF_03A: dict[str, Words] = {}
PREDICTIONS_OF_03A: dict[str, Prediction] = {}
FIGURES_OF_03B: dict[str, Words] = {}
PREDICTIONS_OF_03B: dict[str, Prediction] = {}
register(FIGURES, PREDICTIONS)
register(FIGURES_OF_03A, PREDICTIONS_OF_03A)
register(FIGURES_OF_03B, PREDICTIONS_OF_03B)
