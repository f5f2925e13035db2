# %% [markdown]
r"""
# 08 Design studio: so what does depth buy, and what does it cost?

**What was it all for?** Bet on ten results of this course. Then see the **ledger**, a table of what these lessons
measured about depth, and answer the course's question before you read our answer. After that, choose a network for
measurements from a wind tunnel, without fooling yourself.

*67 minutes, four lines of yours included, and about 60 more for the exercises. You need lessons 01 to 07, or at least
what their last sections say.*

**After this lesson you can**

- say what depth bought in this course, at what price, and on whose tasks;
- search for a network's depth and width, and report a number that holds;
- find the flaw in a comparison of networks.
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
from functools import partial

import numpy as np
import torch

from utils.claims import claimed, recorded
from utils.exercises.blanks import yours
from utils.feedback import download, feedback, own_words
from utils.figures import show_figure, use_style
from utils.lesson_08 import page
from utils.playground import playground
from utils.predictions import ask, predict, reveal

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work
SEED = 8

# %% [markdown]
r"""
## Three questions about lesson 07 (2 min)
"""

# %%
ask("08.before-slow", "08.before-start", "08.before-neighbours")

# %% [markdown]
r"""
## 1 Place your bets (8 min)

Here are ten results of this course, each a ratio: one hidden layer's number divided by the deep network's. At equal
parameters, that number is the held-out error at the best of at least six learning rates. For functions drawn exactly,
it is the number of parameters. *About the same* means from {{= guesses.LIMITS[1]}} to {{= guesses.LIMITS[2]}}. **Who
wins, and by how much?**
"""

# %%
ask("08.guess-tent", "08.guess-folded", "08.guess-board", "08.guess-spirals",
    "08.guess-swirl", "08.guess-game", "08.guess-one", "08.guess-deep",
    "08.guess-digits", "08.guess-untrained", together=True)

# %% [markdown] tags=["aha"]
r"""
## 2 The ledger (12 min)

Here are the results, beside your bets.
"""

# %%
show_figure(page.gaps(), "08.gaps", answers="08.guess-untrained")

# %% [markdown]
r"""
Look at the last one again. Sixty-four pixels go into 1,000 ReLU units, whose random weights stay as they are (random
features: Rahimi & Recht 2008). Only the weights $W$ from these units to the ten outputs are fitted, by **ridge
regression**, which minimises $|H W - Y|^2 + \lambda |W|^2$. $H$ has one row per image and one column per unit, and each
row of $Y$ has a 1 at the image's digit. Setting the gradient to 0 gives $(H^\top H + \lambda I)\, W = H^\top Y$.
**Write the line that returns $W$**, with `np.linalg.solve`.
"""

# %% tags=["idea"]
# BEGIN BLANK
def ridge(H, Y, penalty):
    """Return the weights [units, outputs] that solve (HᵀH + penalty·I) W = HᵀY."""
    return np.linalg.solve(H.T @ H + penalty * np.eye(H.shape[1]), H.T @ Y)
# END BLANK

# %% tags=["idea"]
ridge = yours("08.ridge")
generator = torch.Generator().manual_seed(SEED)
(X, y), _, (X_new, y_new) = page.digits(generator=generator)  # to learn from; …; held out
random = np.random.default_rng(SEED).normal(size=(64, 1000)) * np.sqrt(2 / 64)
H, H_new = (np.maximum(images.double().numpy() @ random, 0) for images in (X, X_new))
W = ridge(H, np.eye(10)[y], penalty=10)
print(f"missed: {np.mean((H_new @ W).argmax(axis=1) != y_new.numpy()):.3f}")
print("recorded, in shares missed:")
print("32 trained units − 1,000 random:", claimed("08.untrained"))
print("32 trained − 240 random, as many numbers fitted:", claimed("08.untrained-equal"))
print("1,000 random − 1,000 trained, same read-out:", claimed("08.untrained-wide"))

# %% [markdown]
r"""
No hidden layer has learned anything. So is learning useless here? The comparison changed three things at once: the
number of units, the number of fitted parameters, and the read-out. With as many parameters fitted, the random units
still led, but by less. With as many units and the same read-out, no difference showed. Where only a few directions of
the input matter, learned units were far ahead (lesson 03).

Now unfold the ledger, and see for whom each task was made. If a small deep network can draw the target exactly, the
deep side has a head start; the same goes for one layer. The digits were made for neither. So ask of every comparison:
**in whose class was the task made?** Then compare few steps with many (4 to 10 times as many): what is left of a lead?

<details><summary>The ledger: what depth bought</summary>

One layer's held-out error over the deep network's, at equal parameters and steps: above 1, depth is better. *No
network*: trees, neighbours or a line take one layer's place. *Against it*: the ratio in a control.

{{= ledger.errors_table()}}

One layer's parameters over the deep network's:

{{= ledger.parameters_table()}}

</details>

What depth cost, as the deep network's number over one layer's:

{{= ledger.costs_table()}}
"""

# %% [markdown]
r"""
**Before you read on: what does depth buy a neural network, and what does it cost?** Write three sentences, with a
number in each. They are kept beside your predictions, and nobody marks them.
"""

# %%
own_words("08.answer")

# %% [markdown]
r"""
*→ Now do exercise 08.1: the largest of four numbers, built by hand.*
"""

# %%
feedback("08.ledger")

# %% [markdown]
r"""
## 3 The answer (5 min)

1. **Depth buys composition.** A deep network needs few parameters for a function made by repeating or combining steps;
   one layer may need exponentially many. For such functions this is proved. Ten folds of the tent take one layer
   {{= ledger.ratio("ten folds")}} times as many parameters.
2. **What can be built need not be found.** With two units in each layer, no training found even three folds. But five
   layers did learn the game: after 8,000 steps, one layer's error was {{= ledger.ratio("game")}} times theirs. Where
   features hardly moved, it was {{= ledger.of_claim("03.lazy-gone")}} times that of three layers (excursion 03c).
3. **At equal parameters, with both sides tuned, the big wins were home wins.** Depth won the game, which was made for
   it. On a deep teacher, one layer's error was {{= ledger.ratio("teacher of four")}} times that of the teacher's own
   shape, and {{= ledger.ratio("teacher of four", control=True)}} times that of another deep shape. On a teacher made
   for one layer, the deep student's error was {{= ledger.ratio("teacher of one", turned=True)}} times one layer's. In
   the ledger's other rows, two of them made for depth, one layer ended with {{= ledger.elsewhere()}} times the deep
   network's error.
4. **Some of depth's leads were speed, or the start.** With more steps, one layer caught up on both boards, and the
   swirl's lead fell from {{= ledger.ratio("swirl", short=True)}} to {{= ledger.ratio("swirl")}}. With larger first
   weights, one layer was ahead on the smaller board even after few steps. In the game, more steps for both made the
   lead grow.
5. **It costs time and care.** A step through 16 narrow layers took {{= ledger.ratio("time of a step")}} times as long
   as one through a single layer with as many parameters. On the digits, 21 plain layers needed
   {{= ledger.ratio("steps until")}} times as many steps as one layer, but with skips no more. And signals and gradients
   need help to get through. Depth did save memory.

The measurements are all on small networks and small data. We have not trained a language model.
"""

# %% [markdown]
r"""
## 4 A table of your own (20 min)

A wing stands in a wind tunnel, and a microphone listens. **How loud is it at a given frequency?** The table (Brooks,
Pope and Marcolini 1989, a NASA report) has {{= len(table.airfoil()[0])}} rows. Each gives a frequency, the wing's angle
to the wind, its chord (its length from front to back), the wind's speed, a thickness of the air that sticks to the
wing, and the sound level in decibels. A *run* is one wing at one angle and speed, heard at about a dozen frequencies.
Here are three of {{= table.airfoil()[2].max() + 1}} runs:
"""

# %%
show_figure(page.runs(), "08.runs")

# %% [markdown]
r"""
**First, keep something for the end.** A fifth of the runs is put away, and so is a fifth of the other runs' rows. Both
stay closed until the choice is made. Then come baselines without networks: a straight line, and **boosted trees**, each
fitted to what the trees before it have missed.

Inputs come in all sorts of units, but a network wants them to be about 1 in size. **Write the line that standardises
them**: subtract each column's mean and divide by its standard deviation, *both taken only from the rows that you learn
from*.
"""

# %% tags=["idea"]
# BEGIN BLANK
def standardised(X, X_train):
    """Return X [rows, columns], standardised by the rows that are learned from."""
    return (X - X_train.mean(axis=0)) / X_train.std(axis=0)
# END BLANK

# %% tags=["idea"]
standardised = yours("08.standard")
X, y, run = page.airfoil()  # the first column is the logarithm of the frequency
rows, kept = page.kept(run, SEED)  # rows to develop with; those that are kept for the end
Z = np.column_stack([standardised(X, X[rows]), np.ones(len(X))])
line = np.linalg.lstsq(Z[rows], y[rows], rcond=None)[0]
print(f"a straight line misses its own rows by "
      f"{page.rms(Z[rows] @ line - y[rows]):.1f} dB")

# %% [markdown]
r"""
<details><summary>Code to take along: kept, rms, from utils/lesson_08/table.py</summary>

```python
import numpy as np

def kept(run, seed, share=0.2):  # run: the number of each row's run, from 0
    rng = np.random.default_rng(seed)
    runs = rng.permutation(run.max() + 1)
    new = np.isin(run, runs[: round(share * len(runs))])  # rows of runs that are put away
    known = rng.permutation(np.flatnonzero(~new))
    rows = round(share * len(known))
    return known[rows:], {"new rows": known[:rows], "new runs": np.flatnonzero(new)}

def rms(errors):
    return float(np.sqrt(np.mean(np.square(errors))))
```

</details>

**Cross-validation** divides the rows into {{= table.FOLDS}} folds, learns from all folds but one, and predicts that
one, until each row has been predicted by a network that never saw it. `page.crossvalidated` does this for a shape at
several rates. Each shape has at most {{= page.STUDIO}} parameters.
"""

# %% tags=["idea"]
def search(fold):
    """Return, by depth, the least error of cross-validation and the rate that has it."""
    found = {}
    for depth in (1, 2, 3, 5):
        make = partial(page.build, depth, page.STUDIO)
        errors = page.crossvalidated(rows, fold, make, seed=SEED, rates=page.RATES)
        found[depth] = min(errors), page.RATES[np.argmin(errors)]
        print(f"depth {depth}: {min(errors):.2f} dB, rate {found[depth][1]}")
    return found


fold = np.random.default_rng(SEED).permutation(len(rows)) % 4  # every row into some fold
by_rows = search(fold)

# %% [markdown]
r"""
You would be proud of these numbers, and so would the authors of most reports. **Now comes a run that was put away: a
wing, angle and speed that the network has not heard together. By how much will the network miss its levels, compared
with what cross-validation promised?**
"""

# %%
predict("08.promise")

# %%
reveal("08.promise", figure=page.promises(recorded("08_table")),
       rows=claimed("08.promise"), runs=claimed("08.promise-runs"))

# %% [markdown]
r"""
So the folds must hold out what you will be asked about: whole runs. `run` holds the number of each row's run, counting
from 0. **Write the line that returns each row's fold**, with the remainder `%`, so that no run is torn apart.
"""

# %% tags=["idea"]
# BEGIN BLANK
def run_folds(run, folds):
    """Return for each row its fold, from 0, the same for all rows of a run."""
    return run % folds
# END BLANK

# %%
run_folds = yours("08.folds")

# %% [markdown]
r"""
**On new rows of known runs, the best deeper network was ahead of one layer (in several divisions of the table). If
folds of whole runs choose the deeper network, will it be ahead on new runs?**
"""

# %%
predict("08.depth")

# %% tags=["idea"]
found = search(run_folds(run[rows], 4))

# %%
reveal("08.depth", figure=page.by_depth(recorded("08_table"), recorded("08_rivals")),
       runs=claimed("08.runs-depth"), rows=claimed("08.rows-depth"))

# %% [markdown]
r"""
(You see only one division. Another seed orders the depths differently.) If several networks are about equally good,
take the simplest: it is faster, and less can go wrong. **Write the line that chooses**: of the networks whose error is
at most `slack` above the least, return the least of `sizes`, here numbers of hidden layers.
"""

# %% tags=["idea"]
# BEGIN BLANK
def simplest(errors, sizes, slack):
    """Return the least size of a network that is within slack of the best."""
    return sizes[errors <= errors.min() + slack].min()
# END BLANK

# %% tags=["idea"]
simplest = yours("08.simplest")
errors = np.array([error for error, _ in found.values()])
depth = int(simplest(errors, np.array(list(found)), slack=0.1))
print("depth:", depth)

# %% [markdown]
r"""
*→ Now do exercises 08.2 and 08.3: balanced folds, and an honest number.*

Now learn from all the rows that were not put away, then open those that were. By how much does the network miss its own
rows, and by how much new ones?
"""

# %% tags=["idea"]
def train(model, X, y, lr, generator, epochs=100):  # as in the search
    optimizer = torch.optim.Adam(model.parameters(), lr)
    steps = epochs * len(range(0, len(X), 50))
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)  # to 0
    for _ in range(epochs):
        for batch in torch.randperm(len(X), generator=generator).split(50):
            loss = ((model(X[batch]) - y[batch]) ** 2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    return model

# %% tags=["idea"]
generator = torch.Generator().manual_seed(SEED)  # another number, another network
model = page.build(depth, page.STUDIO, generator=generator)
inputs = torch.tensor(Z[:, :-1]).float()  # Z without its column of ones
levels = torch.tensor(standardised(y[:, None], y[rows, None])).float()
train(model, inputs[rows], levels[rows], found[depth][1], generator)
level = y[rows].mean() + y[rows].std() * model(inputs)[:, 0].detach().numpy()  # in dB
for name, part in {"its own rows": rows, **kept}.items():
    print(f"{name}: {page.rms(level[part] - y[part]):.2f} dB; "
          f"the line: {page.rms(Z[part] @ line - y[part]):.2f} dB")
print("recorded on new runs: networks", claimed("08.network"), "dB, boosted trees",
      claimed("08.trees"), "dB")

# %% [markdown]
r"""
The network misses its own rows by far less than new runs, so it does not lack steps. **Change one thing at a time.** In
several divisions, we tried four changes to a network of two layers: half of the runs to learn from, twice the steps,
weight decay, and the frequency in hertz, not its logarithm. Learning from half of the runs raised the error. **Which of
the others lowered the error on new runs?**
"""

# %%
predict("08.change")

# %%
reveal("08.change", figure=page.changes(recorded("08_changes")),
       decay=claimed("08.decay"))

# %% [markdown]
r"""
## 5 Find the flaw (10 min)

Here are three short experiments of the kind you find in papers. Each compares two **sides** and returns a number for
each. Read the code; then say what is wrong, if anything is.

**The first** has few examples, many inputs, and labels −1 and 1. One side takes the ten inputs that agree best with the
labels; the other takes all inputs. Both fit a linear classifier and are cross-validated. *"Ten inputs know all there is
to know."*
"""

# %% tags=["idea"]
def first_experiment(X, y, count):
    best = np.argsort(-np.abs(y @ X))[:count]
    found = []
    for inputs in (best, np.arange(X.shape[1])):
        wrong = 0
        for fold in range(5):
            held = np.arange(len(y)) % 5 == fold
            w = np.linalg.lstsq(X[~held][:, inputs], y[~held], rcond=None)[0]
            wrong += np.sum(np.sign(X[held][:, inputs] @ w) != y[held])
        found.append(wrong / len(y))
    return found


rng = np.random.default_rng(SEED)
ten, everything = first_experiment(**page.wild("H", rng))
print(f"ten inputs miss {ten:.2f}, all miss {everything:.2f}")

# %%
predict("08.flaw-a")

# %%
record = recorded("08_flaws")
reveal("08.flaw-a", **page.flaw_answer(record, "H"))

# %% [markdown]
r"""
**The second** draws two hundred ReLU networks from He's weights, with thirty layers of five units each. How large is
the signal after two layers, and after thirty? *"Lesson 06 says by how much a layer multiplies the mean square: the
width times the variance of the weights, over 2. Here that is about 1, so the typical network keeps its signal."*
"""

# %% tags=["idea"]
def second_experiment(width, layers, std, networks, seed):
    W = std * np.random.default_rng(seed).normal(size=(networks, layers, width, width))
    factor = width * W.var() / 2  # a layer multiplies the mean square by it
    return [factor**2, factor**layers]


print("mean square: after two layers {:.2f}, after thirty {:.2f}".format(
    *second_experiment(**page.wild("L", rng))))

# %%
predict("08.flaw-b")

# %%
reveal("08.flaw-b", **page.flaw_answer(record, "L"))

# %% [markdown]
r"""
**The third** compares one hidden layer with three, on a board of 4×4 squares. `page.errors` trains a network from each
of ten seeds, for 200 steps, and returns their errors on validation and on held-out points. *"At equal parameters, each
at its best rate, three layers miss fewer points after 200 steps."*
"""

# %% tags=["idea"]
def third_experiment(width, narrow, rates, seeds):
    found = []
    for hidden in ([width], [narrow, narrow, narrow]):
        tried = [page.errors(hidden, seeds, lr=lr) for lr in rates]
        validation, held_out = min(tried, key=lambda pair: pair[0].mean())
        found.append(held_out.mean())
    return found


given = page.wild("M", np.random.default_rng(0))
print("widths", given["width"], "and", given["narrow"], "; rates", given["rates"])
print("one layer misses {:.3f}, three miss {:.3f}".format(*third_experiment(**given)))

# %%
predict("08.flaw-c")

# %%
reveal("08.flaw-c", lead=claimed("08.flaw-m"), longer=claimed("08.flaw-m-longer"))

# %% [markdown]
r"""
*→ Now do exercises 08.4 and 08.5: which flaw is it?, and equal steps or equal seconds. There is more to mend in
excursion 08a.*
"""

# %% [markdown]
r"""
## 6 Rules of thumb (7 min)

Books and blogs give rules for designing networks. **What backs each of these three in this course?**
"""

# %%
ask("08.rule-funnel", "08.rule-narrow", "08.rule-underfit")

# %% [markdown]
r"""
{{= rules.table()}}

*Folklore* does not mean wrong. It means that we have not tested it.
"""

# %% [markdown]
r"""
*In the playground*: with how few parameters can you miss fewer than 3 points in 100 on a spiral?
"""

# %%
playground(data="spirals", layers=[8], against=[4, 2], hold="nothing",
           activation="tanh")

# %% [markdown]
r"""
## 7 What you can now say (3 min)

1. What depth buys and what it costs, in the three sentences that you wrote. Would you change them now?
2. Before you believe that depth wins, ask in whose class the task was made, and give the other side more steps and
   another start.
3. Hold out what you will be asked about: folds of rows promised what new runs did not keep.
4. Before you believe a small lead, ask by how much single training runs differ.
5. Start with no network, then try one layer. Change one thing at a time, and among equals take the simplest.

**What we do not know**: why depth does so well where networks, data and budgets are a million times larger. We have not
measured it, and small networks cannot tell.

*→ Now do exercise 08.6: a plan of your own. How small can a network be? See excursion 08b.*
"""

# %%
show_figure(page.card(), "08.card")

# %% [markdown]
r"""
**Now the exercises**: the notebook of the same name among the exercises. **Before you close the page**, save your
predictions and comments. In Colab, save a copy as well (*File → Save a copy in Drive*): Colab erases its disk when you
leave.

{{literature}}

{{claims}}
"""

# %%
download()
