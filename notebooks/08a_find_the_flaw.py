# %% [markdown]
r"""
# 08a Find the flaw

**Would you have noticed?** Here are five short experiments, modelled on what you meet in slides, papers and notebooks.
Nobody cheats in them. You read ten lines, say what is wrong, if anything is, and see what becomes of the conclusion.
This is an excursion from lesson 08, in 21 minutes. Exercises 08.7, 08.8 and 08.9 belong to it: there you mend
experiments, and some of them are sound.
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np
import torch
from torch.nn.functional import cross_entropy

from utils.claims import claimed, recorded
from utils.feedback import download, feedback
from utils.figures import use_style
from utils.lesson_08 import page
from utils.predictions import predict, reveal

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work
SEED = 0  # try others
rng = np.random.default_rng(SEED)
seeds = range(SEED, SEED + 10)
record = recorded("08_flaws")


def rounded(sides):
    return [f"{side:.3f}" for side in sides]

# %% [markdown]
r"""
Every experiment compares two **sides** and returns a number for each, mostly the share of held-out examples that the
side misses. The experiments' letters are those of the exercises. `page.errors(hidden, seeds)` trains ReLU networks with
these hidden layers on the board of 4×4 squares, from He's weights, with Adam, for {{= flaws.STEPS}} steps on
{{= flaws.POINTS[0]}} points. Each seed has weights and points of its own. The function returns two arrays: the errors
on validation and held-out points.

## 1 One layer and three (4 min)

Experiment D compares one hidden layer with three.
"""

# %% tags=["idea"]
def experiment_d(width, seeds):
    _, one = page.errors([width], seeds)
    _, three = page.errors([width, width, width], seeds)
    return [one.mean(), three.mean()]


print(rounded(experiment_d(12, seeds)))

# %% [markdown]
r"""
The authors write: *"All layers have the same width, so the only difference is depth. Three layers miss far fewer
points."* **What would you say to them?**
"""

# %%
predict("08a.d")

# %%
reveal("08a.d", figure=page.leads_d(record), told=claimed("08.flaw-d"),
       mended=claimed("08.flaw-d-mended"), one=page.mlp_parameters([2, 12, 2]),
       three=page.mlp_parameters([2, 12, 12, 12, 2]), wide=page.wide_enough(12))

# %% [markdown]
r"""
See it for yourself: change the cell above, then try other budgets, such as 24 units and three layers of 6. What a
comparison shows at one budget holds only there.

In the wild, a slide deck trains networks of {{= format(flaws.DECK[0], ",")}}, {{= format(flaws.DECK[1], ",")}} and
{{= format(flaws.DECK[2], ",")}} parameters, and calls the result a trade-off between depth and width.

## 2 A loss that stands still (4 min)

In experiment C, five networks with three hidden layers learn an easier board, of 2×2 squares. We keep a copy of them
after 100 steps, and they go on to 1,000. `outputs` holds what their last layers put out, without an activation, for
held-out points at both times.
"""

# %% tags=["idea"]
def experiment_c(outputs, labels):
    found = []
    for side in torch.as_tensor(outputs):
        p = side.softmax(dim=1)
        found.append(cross_entropy(p, torch.as_tensor(labels)).item())
    return found


trained = page.put_out(rng)
print(rounded(experiment_c(**trained)))

# %% [markdown]
r"""
*"After 100 steps the held-out loss no longer changes. Longer training neither helps nor harms."* **Is that so?**
"""

# %%
predict("08a.c")

# %%
missed = (trained["outputs"].argmax(axis=2) != trained["labels"]).mean(axis=1)
reveal("08a.c", mended=claimed("08.flaw-c-mended"), floor=np.log(1 + np.exp(-1)),
       early=missed[0], late=missed[1])

# %% [markdown]
r"""
Mend the cell above, and run it again.

In the wild, a model ends in a softmax layer and is trained with `CrossEntropyLoss`, which applies another softmax. The
model learns all the same, and its accuracy may be fine, so nobody looks twice at the loss.

## 3 Three rates (4 min)

In experiment N the budgets are equal. Each side tries three rates, and the best one is chosen on validation data.
"""

# %% tags=["idea"]
def experiment_n(width, narrow, rates, seeds):
    found = []
    for hidden in ([width], [narrow, narrow, narrow]):
        tried = [page.errors(hidden, seeds, lr=lr) for lr in rates]
        validation, held_out = min(tried, key=lambda pair: pair[0].mean())
        found.append(held_out.mean())
    return found


shapes = {"width": 24, "narrow": 6, "rates": page.SMALL, "seeds": seeds}
print(page.SMALL, rounded(experiment_n(**shapes)))

# %% [markdown]
r"""
*"At equal parameters, with rates tuned alike, three layers do better than one."* **Is that so?**
"""

# %%
predict("08a.n")

# %%
reveal("08a.n", told=claimed("08.flaw-n"), mended=claimed("08.flaw-n-mended"))

# %%
for lr in (*page.SMALL, 0.009, 0.027, 0.081, 0.243):
    sides = [page.errors(hidden, seeds, lr=lr)[0].mean() for hidden in ([24], [6] * 3)]
    print(f"rate {lr:<6}: validation errors", rounded(sides))
print("mended:", rounded(page.mended("N", shapes)))

# %% [markdown]
r"""
If you report a best rate, say where in the grid it lay.

## 4 A popular spiral (4 min)

In experiment I, one arm of a spiral is drawn, with noise, and its negative is the other class. A hidden layer of tanh
units keeps its random weights. Only the output layer is fitted, by least squares with a small penalty on large weights:
once with hidden units that have no biases, once with units that have them.
"""

# %% tags=["idea"]
def experiment_i(arm, W, b, held):
    X, y = np.concatenate([arm, -arm]), np.repeat([1, -1], len(arm))
    seen = ~held
    found = []
    for features in (np.tanh(X @ W), np.tanh(X @ W + b)):
        F = features[seen]
        w = np.linalg.solve(F.T @ F + 0.01 * np.eye(len(b)), F.T @ y[seen])
        found.append(np.mean(np.sign(features[held] @ w) != y[held]))
    return found


spiral = page.one_arm(rng)  # three tenths of the points are held out, at random
print(rounded(experiment_i(**spiral)))

# %% [markdown]
r"""
*"The arms overlap, and the task is hard. Leave out the biases, and it becomes much easier."* **Why?**
"""

# %%
predict("08a.i")

# %%
reveal("08a.i", figure=page.leads_i(record), told=claimed("08.flaw-i"),
       mended=claimed("08.flaw-i-mended"))

# %% [markdown]
r"""
<details><summary>Code to take along: one_arm, from utils/lesson_08/flaw_draws.py</summary>

```python
import numpy as np

def one_arm(rng, count=100, units=200, noise=0.3):
    angle = 2 * np.pi * rng.random(count)
    arm = (0.3 + 0.27 * angle) * np.array([np.cos(angle), np.sin(angle)])
    held = rng.permutation(2 * count) < 0.6 * count  # three tenths
    arm = arm.T + noise * rng.normal(size=(count, 2))  # the other arm is its negative
    W, b = 2 * rng.normal(size=(2, units)), 2 * rng.normal(size=units)
    return {"arm": arm, "W": W, "b": b, "held": held}
```

</details>

A milder case often gets the blame: inputs that are *scaled* by the mean and spread of all rows, before the split.
Labels play no part there, and with many rows, mean and spread hardly move. We tried it with five nearest neighbours on
scikit-learn's table of tumours, learning from three tenths of the rows. The error changed by {{claim 08.flaw-scaling}}.
(Our first measurements left open whether the change stays so small with a tenth of the rows.) Scale by the training
rows all the same. It costs nothing.

## 5 The best of forty (3 min)

Experiment G has forty settings of one hidden layer, and forty of three layers. Every number is the share of
{{= flaw_draws.TOSSES}} validation or held-out examples that were missed.
"""

# %% tags=["idea"]
def experiment_g(validation, held_out):
    one, three = held_out
    return [one[validation[0].argmin()], three.min()]


tuned = page.on_settings(rng)
print(rounded(experiment_g(**tuned)))

# %% [markdown]
r"""
*"Once it is tuned, the deeper network is ahead."* **Is it?**
"""

# %%
predict("08a.g")

# %%
reveal("08a.g", told=page.flaw_answer(record, "G")["lead"].rounded,
       mended=claimed("08.flaw-g-mended"))

# %% [markdown]
r"""
## 6 How to read an experiment (2 min)

Ask these questions, in this order:

1. **What is compared?** Parameters, training, optimiser: does anything differ that need not?
2. **What was drawn?** How often were weights and examples drawn? Is the mean of all draws reported, or one of them, or
   the luckiest?
3. **Who saw the held-out data?** The fit, the choice of settings, the choice of inputs, a twin?
4. **Was each side given its best?** Did it get its own best rate, inside its grid?
5. **Is the number what its name says?** Check the loss, and a theory's width, depth or number of steps.

Once all five are answered, stop. In a comparison at equal parameters, widths *have* to differ, and best rates usually
do. Not everything that differs is a flaw.

→ Now do exercises 08.7, 08.8 and 08.9: eleven experiments, these five among them, on other data. Naming a flaw earns
little there: mend it.
"""

# %%
feedback("08a.flaws")

# %% [markdown]
r"""
**What you can now say.** Equal width is not an equal budget. A best rate at the end of its grid may not be the best. A
softmax belongs in the model or in the loss, not in both. Examples that come in pairs must stay together in a split. The
least of many held-out errors says how lucky it was.

**What you do not know.** How frequent each flaw is in the wild, because we chose these. And whether an experiment
without any of them is right, because it may still ask the wrong question.

{{claims}}
"""

# %%
download()
