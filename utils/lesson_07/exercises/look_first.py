"""Exercise 07.6: a short text on what to look at first where a deep network is worse than a shallow one."""

from utils.exercises.definition import FreeText

LOOK_FIRST = FreeText(
    id="07.6",
    points=2,
    rubric="Half a point for each of four statements, however they are worded: the training error comes first, since "
    "it parts networks that have not been trained (blind or slow) from one that fits and generalises worse; if it is "
    "that of guessing, the gradient or the signal is to be looked at layer by layer before training, and the "
    "initialisation mended (or skips, or a start near the identity, or a normalisation put in); if it is falling but "
    "too large, the learning rate is tuned for this depth by itself and more steps are taken, or the start is brought "
    "nearer to the identity, before anything else is concluded; only if training data are fitted, more data, "
    "regularisation or early stopping come into question, or simply the network of 5 layers, which is the baseline "
    "that the other one has to beat on held-out data. A quarter for a statement that is named without a reason. Half a "
    "point instead of one of them for asking whether the comparison was fair (both rates tuned on validation data, the "
    "same budget, several seeds). Half a point off for an answer that begins with regularisation or with more data, "
    "whatever the training error is, or that calls a high training error overfitting.",
)
