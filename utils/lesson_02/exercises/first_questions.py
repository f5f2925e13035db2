"""Exercise 02.10: a short text on what to ask of a comparison of one run each."""

from utils.exercises.definition import FreeText

QUESTIONS = FreeText(
    id="02.10",
    points=2,
    rubric="Two thirds of a point for each of three such questions with its reason, half of that without: was each "
    "network's learning rate tuned by itself, over the same rates, or does 0.01 suit one of them only; how many seeds "
    "are there, and how far apart are they, or are 3 points the luck of one run; are these accuracies of held-out "
    "data, or did the data choose the rate, the steps or the network; what else was held equal besides the parameters: "
    "steps, arithmetic, time; does it hold for other data sets.",
)
