"""Exercise 08.6: a short text, a plan for a problem of one's own."""

from utils.exercises.definition import FreeText

PLAN = FreeText(
    id="08.6",
    points=2,
    rubric="Half a point for each of four statements, however they are worded, where they are said of the problem that "
    "was chosen and could be acted on. A baseline that is no network, named, is run first, and it is said how the "
    "error is measured and which error would be good enough, or what the error of guessing is. The split is fit "
    "for these data: rows that belong together (one person, one machine, one day) stay together, or what comes "
    "later is held out, and it is said why; what standardises or selects is fitted on training rows only. It is "
    "said what is searched (depth, width, rate), how it is chosen, by validation and not by the rows that are "
    "reported, which are looked at once, and that both sides get the same budget, over several seeds. It is said "
    "what would be seen before a layer is added (the training error is too high with a rate that was tuned, and "
    "more width or more steps do not bring it down; the target is made in steps, or validation gains more than "
    "its spread over seeds), and what would make one stop (the baseline is not beaten by more than the spread "
    "over seeds; validation no longer gains; the error is good enough). A quarter for a statement that would fit "
    "any problem word by word, or has no reason. Half a point off for held-out rows that choose anything, or for "
    "a deep network as the first step without a baseline.",
)
