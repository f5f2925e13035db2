# %% [markdown]
r"""
# 02 Depth versus width: two ways to spend parameters

You have a budget of parameters. **Do you spend it on one wide layer, or on many narrow ones?** You will fold a line ten
times with three lines of code, try to train what you built, and then referee a fight between a deep network and a wide
one.

*70 minutes, including five short functions that you write, and about 55 more for the exercises. You need lesson 01.*
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np
import torch
from torch.optim.lr_scheduler import OneCycleLR

from utils.claims import claimed
from utils.exercises import yours
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_02 import page
from utils.live_training import live_training
from utils.models import mlp
from utils.playground import playground
from utils.predictions import ask, predict, reveal
from utils.widgets import live_figure

use_style()
torch.manual_seed(0)  # the first run is the same for all; a cell run again draws anew
torch.set_num_threads(1)  # networks this small lose time where two cores share the work


def relu(z):
    return np.maximum(z, 0)

# %% [markdown]
r"""
## Three questions about lesson 01 (2 min)
"""

# %%
ask("02.before-weight", "02.before-hinges", "02.before-theorem")

# %% [markdown]
r"""
## 1 Fold a line (5 min)

Here is a function with two straight pieces, the **tent**.
"""

# %% tags=["idea"]
def tent(x):
    return 1 - np.abs(2 * x - 1)


x = np.linspace(0, 1, 4097)
show_figure(page.line(x, tent(x)), "02.tent")

# %% [markdown]
r"""
It folds the interval in half, like a strip of paper: $x$ and $1 - x$ land on the same point. Now fold the folded strip
again: put the tent's output into the tent. Do so ten times in all. **How many straight pieces does the graph have
then?**
"""

# %%
predict("02.pieces")

# %% tags=["idea"]
def folded(x, folds):
    for _ in range(folds):
        x = tent(x)
    return x

# %%
reveal("02.pieces")

# %% [markdown]
r"""
Watch four folds: on the left is the strip, on the right the graph of where each of its points lies.
"""

# %%
page.play_folds()

# %% [markdown] tags=["aha"]
r"""
## 2 A fold is two units (14 min)

On $[0, 1]$ the tent is a hidden layer with two units: one ramp that begins at 0, and one that begins at ½. (Lesson 01:
a ramp's weight is the change of slope where it begins.) **Which weights do they get? Write the tent as a sum of the two
ramps**, with `relu(z)`, which the set-up defines. `x` is an array. (Replace the three dots. If you are stuck, unfold
the line below; whatever you write, the page still works.)
"""

# %% tags=["idea"]
# BEGIN BLANK
def two_units(x):
    """Return the tent at points x [points] between 0 and 1, from two ramps."""
    return 2 * relu(x) - 4 * relu(x - 0.5)
# END BLANK

# %%
two_units = yours("02.tent")
difference = np.abs(two_units(x) - tent(x)).max()
print("largest difference from the tent:", difference)

# %% [markdown]
r"""
Now fold twice, and write everything out. The first tent has two units, $a$ and $b$, and its output is $t$:
$$a = \operatorname{ReLU}(x), \qquad b = \operatorname{ReLU}(x - \tfrac12), \qquad t = 2a - 4b.$$
The second tent does the same to $t$ as the first did to $x$. So its two units are ramps of $t$. **Write these two
units.** `z` has a row for each point, with $a$ in column 0 and $b$ in column 1; return the new units in the same way.
(`np.stack([u, v], axis=1)` makes two arrays into columns.)
"""

# %% tags=["idea"]
# BEGIN BLANK
def next_units(z):
    """Return the second tent's units [points, 2] from the first's, z [points, 2]."""
    t = 2 * z[:, 0] - 4 * z[:, 1]
    return np.stack([relu(t), relu(t - 0.5)], axis=1)
# END BLANK

# %%
next_units = yours("02.next")
z = np.stack([relu(x), relu(x - 0.5)], axis=1)  # a and b
twice = next_units(z) @ [2, -4]  # the second tent's output
same = np.array_equal(twice, folded(x, 2))
print("the same as two folds?", same)

# %% [markdown]
r"""
Put $t$ into your two lines: the new units are
$$\operatorname{ReLU}(2a - 4b) \qquad\text{and}\qquad \operatorname{ReLU}(2a - 4b - \tfrac12).$$
Each is a ReLU of a weighted sum of $a$ and $b$, plus a bias. **That is exactly what a second hidden layer computes.**
So $t$ needs no unit of its own, and its weights 2 and −4 move into the next layer. That layer has a weight matrix $W$
with one row per unit, and one bias per unit:
$$W = \begin{pmatrix} 2 & -4 \\ 2 & -4 \end{pmatrix}, \qquad \text{biases } \begin{pmatrix} 0 \\ -\frac12
\end{pmatrix}.$$
Both rows say $2a - 4b$, because both units see the same $t$. Only the biases differ: one ramp begins at 0, the other at
½. Each repetition of this layer adds a fold. Here are ten folds, with the parameters counted:
"""

# %% tags=["idea"]
def deep_network(x):
    z = relu(x[:, None] @ [[1, 1]] + [0, -0.5])  # first layer: 2 weights and 2 biases
    W = np.array([[2, -4], [2, -4]])
    for _ in range(9):
        z = relu(z @ W.T + [0, -0.5])  # 4 weights and 2 biases
    return z @ [2, -4] + 0  # output: 2 weights and a bias


same = np.array_equal(deep_network(x), folded(x, 10))
print("the same as ten folds?", same)
print("parameters:", 4 + 9 * 6 + 3)

# %% [markdown]
r"""
**Now draw the same graph with a single hidden layer. How many units does it need?**
"""

# %%
predict("02.shallow")

# %%
reveal("02.shallow", figure=page.two_networks())

# %% [markdown]
r"""
That is what depth can buy: **folding multiplies, widening adds.** (Telgarsky 2015 proves, for classification, that a
shallow network with far fewer units does not even come close. But this is one function, made for the purpose. It says
nothing yet about your data.)

<details><summary>Why exactly as many units as pieces</summary>

**Proposition.** For $k$ folds one hidden layer needs $2^k$ units.

Lesson 01's network has $2^k$. Suppose $2^k - 1$ were enough. There are $2^k - 1$ corners, so each unit makes exactly
one, and its slope changes by $\pm 2^{k+1}$. Left of them all, its slope is 0 or $\mp 2^{k+1}$. So the line's first
slope would be a multiple of $2^{k+1}$, but it is $2^k$. ∎

</details>

*→ Now do exercise 02.5: hand-build a lopsided sawtooth.*
"""

# %% [markdown]
r"""
## 3 But can you train it? (12 min)

The deep network exists: you built it. Now take only three folds, which make eight pieces. You know that a network with
three hidden layers of two units can draw them, with only 19 parameters. **Does gradient descent find it from random
weights?**
"""

# %%
predict("02.found")

# %% [markdown]
r"""
When do the pieces count as found? Measure the **relative error**: the mean squared error, divided by the variance of
the target values. The variance is the error of the best constant. So the relative error is the share of the variance
that a network misses: the best constant misses 1, a perfect network 0. *Found* means that at most a hundredth is
missed. **Write the line that returns the relative error.**
"""

# %% tags=["idea"]
# BEGIN BLANK
def relative_error(y_hat, y):
    """Return the share of the variance of the targets y that the outputs y_hat miss."""
    return ((y_hat - y) ** 2).mean() / y.var()
# END BLANK

# %% [markdown]
r"""
Now train. `mlp(sizes)` builds a ReLU network with random weights. Its sizes are those of the input, each hidden layer
and the output. Such a fully connected network is also called a **multi-layer perceptron**. Here you choose width and
depth; activation and first weights are choices, too (excursion 06a and lesson 06).
"""

# %%
relative_error = yours("02.relative-error")
X = torch.tensor(2 * x - 1, dtype=torch.float32)[:, None]  # inputs in [-1, 1]
Y = torch.tensor(folded(x, 3), dtype=torch.float32)[:, None]
model = mlp([1, 2, 2, 2, 1])  # later: 8 in place of each 2
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(2000):
    loss = ((model(X) - Y) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
missed = relative_error(model(X).detach().numpy(), Y.numpy())

# %%
reveal("02.found", figure=page.found_by_folds(), yours=missed,
       narrow=claimed("02.saw-narrow"), ahead=claimed("02.saw-wide-four-ahead"),
       **page.found_three())

# %% [markdown]
r"""
Run the last two cells again: they start from new random weights. Then put 8 in place of each 2.

For the figure, each architecture was trained from 80 [seeds](../reference/glossary.md) on each number of pieces, with
the best of six learning rates. The networks start from **He's weights**: normal random numbers whose variance is 2 over
the number of inputs, which keeps signals at their size from layer to layer (lesson 06). The biases are random, so that
units bend at different places.

Now watch three layers of 8 learn from such a start. With seed 0 they find the eight pieces; with seed 1 they get stuck.
What does the rate {{= explorers.RATES[3]}} do to each?
"""

# %%
live_training(page.fit, page.fitted, **page.fit_controls())

# %% [markdown]
r"""
**Built, or found?** Ask that of everything you read about depth.

*→ Now do exercise 02.8: read an experiment like this one. What if training starts right next to the hand-built weights?
Excursion 02b.*
"""

# %% [markdown]
r"""
## 4 What does a layer cost? (13 min)

A layer with $n_\text{in}$ inputs and $n_\text{out}$ outputs has $n_\text{in} n_\text{out}$ weights and $n_\text{out}$
biases. In the drawing, each line is a weight. Press ▶, and each layer computes its numbers from those of the layer
before. **Then find four equal hidden layers with as many parameters as one hidden layer of 8 units.**
"""

# %%
live_figure(page.forward_pass, **page.architecture_controls())

# %% [markdown]
r"""
Now spend a budget. With 2 inputs, 2 outputs and at most 1,000 parameters, a network can have one hidden layer of 199
units. **If it has two hidden layers of the same width, how many units can each have?**
"""

# %%
predict("02.narrower")

# %% [markdown]
r"""
**Count them: write the line that returns the number of parameters** of a network with 2 inputs, then `depth` hidden
layers of `width` units each, then 2 outputs. (In the next cell, PyTorch's `named_parameters()` counts a small
network's.)
"""

# %% tags=["idea"]
# BEGIN BLANK
def parameters(width, depth):
    """Return the number of weights and biases."""
    between = (depth - 1) * (width + 1) * width
    return (2 + 1) * width + between + (width + 1) * 2
# END BLANK

# %%
parameters = yours("02.parameters")
model = mlp([2, 8, 8, 2])
print(model)
for name, values in model.named_parameters():
    print(f"{name}: {tuple(values.shape)}, {values.numel()}")
total = sum(values.numel() for values in model.parameters())
print(f"in all: {total}; by your function: {parameters(8, 2)}")


def widest(budget, depth):
    return max(width for width in range(1, budget) if parameters(width, depth) <= budget)


widths = {depth: widest(1000, depth) for depth in (1, 2, 4, 8, 16)}

# %%
reveal("02.narrower", widths=widths, width=widths[2])

# %% [markdown]
r"""
Equal parameters do not mean equal seconds, because each layer has to wait for the one before it. How long does a
training step take on *your* machine? (Measuring takes some ten seconds.)
"""

# %%
show_figure(page.cost_by_depth(*page.step_times()), "02.cost")

# %% [markdown]
r"""
With 20,000 parameters, a step through 16 hidden layers took {{claim 02.cost-small}} times as long as through one. We
recorded that on one machine. Yours may find other ratios, even one below 1 for a million parameters. So when you read
*equal*, ask: equal in what?

*→ Now do exercise 02.1. Excursion 02a shows what too narrow a layer loses, and 02b holds the arithmetic equal.*
"""

# %% [markdown]
r"""
## 5 A fair fight (18 min)

The task is a checkerboard of six by six squares (its *frequency* is 3), with 4,000 points to train on, 2,000 for
[validation](../reference/glossary.md) and 4,000 held out. One side has a single hidden layer of 510 units, the other
has five layers of 24, and both have at most 2,552 parameters. Both start from He's weights and zero biases, and train
with the same learning rate, 0.01. (This takes some ten seconds.)
"""

# %% tags=["idea"]
def fit(model, X, y, lr, steps=3000):
    optimizer = torch.optim.Adam(model.parameters(), lr)
    # the learning rate goes up, then down to 0
    schedule = OneCycleLR(optimizer, lr, steps, cycle_momentum=False)
    for _ in range(steps):
        batch = torch.randint(len(X), (200,))
        loss = torch.nn.functional.cross_entropy(model(X[batch]), y[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()

# %% tags=["idea"]
board, _, (X, y) = page.checkerboard(seed=0)  # (X, y): held out
models = {}
for sizes in ((2, 510, 2), (2, 24, 24, 24, 24, 24, 2)):
    torch.manual_seed(0)
    models[sizes] = mlp(sizes, init="he", bias_std=0.0)
    fit(models[sizes], *board, lr=0.01)
    accuracy = (models[sizes](X).argmax(dim=1) == y).double().mean().item()
    print(f"{len(sizes) - 2} hidden: held-out accuracy {accuracy:.2f}")
show_figure(page.boards(models, board), "02.boards")

# %% [markdown]
r"""
<details><summary>Code to take along: checkerboard, from utils/data.py</summary>

```python
import torch

def checkerboard(n, generator, frequency=2):
    X = 2 * torch.rand(n, 2, generator=generator) - 1
    cells = torch.floor((X.double() + 1) * frequency).long()  # each point's column and row
    return X, cells.clamp(0, 2 * frequency - 1).sum(dim=1) % 2
```

</details>

The single layer has drawn rays, because with zero biases every unit bends along a line through the centre when training
starts. This looks like a clear win for depth: equal parameters, and over many seeds a lead of {{claim 02.fair-untuned}}
in held-out accuracy. It would be easy to stop here. **Now give each side the best of six learning rates, and biases
that are random instead of zero. How much of the lead is left?**
"""

# %%
predict("02.fair")

# %% [markdown]
r"""
We trained both from random biases, with six rates and 20 seeds each. Each network has two tables of accuracies,
`validation` and `held_out`, with one row per rate and one column per seed. **Write the lines that read them fairly**:
choose the rate whose median over the seeds is best, and return its 20 accuracies. Which table chooses the rate, and
which do you report?
"""

# %% tags=["idea"]
# BEGIN BLANK
def at_best_rate(validation, held_out):
    """Return the accuracies [seeds] to report, from two tables [rates, seeds]."""
    best = np.median(validation, axis=1).argmax()
    return held_out[best]
# END BLANK

# %%
at_best_rate = yours("02.best-rate")
deep, shallow = (at_best_rate(*page.board_tables(depth)) for depth in (5, 1))
reveal("02.fair", figure=page.gaps_on_the_coarse_board(), lead=np.median(deep - shallow),
       left=claimed("02.fair-tuned"), **page.one_change())

# %% [markdown]
r"""
In the lab, change the biases or the learning rate, then both, and watch which network moves:
"""

# %%
live_figure(page.checkerboard_lab, **page.board_controls())

# %% [markdown]
r"""
Nobody cheated. But if you try your settings on the network that you favour, it gets all of the tuning. **The same rate
and the same start for everybody are not equally good for everybody.**

That was one board. **Now take a finer one, ten by ten squares, on the same fair terms: the best of six rates, random
biases, 3,000 steps. Who leads?**
"""

# %%
predict("02.fair-hard")

# %%
reveal("02.fair-hard", stays=claimed("02.fair-hard"),
       longer=claimed("02.fair-hard-longer"), **page.hard_gap())

# %% [markdown]
r"""
So "deeper is better" is not a law, and neither is "depth does nothing". Before you believe a comparison, your own
included, ask:

1. What was held equal: parameters, arithmetic, seconds, steps?
2. Did each side get the same *search* for its learning rate and its initialisation?
3. Were these chosen on data that the reported results do not come from?
4. How many seeds were there, and does the interval of the *difference* leave out 0?
5. Had both sides finished learning, and was there room above the weaker one?

*→ Now do exercise 02.10: what do you ask a colleague? All tasks and terms, and fights that the shallow side wins, are
in excursion 02b.*
"""

# %%
feedback("02.fair")

# %% [markdown]
r"""
*In the playground*, two networks of equal cost fight in front of you. Place a bet, let them train, and repeat the fight
with twenty seeds. Then change one thing at a time. Which change turns the result round? (Its captions count the *linear
regions* of each network, the flat pieces of its function. Lesson 04 is about those.)
"""

# %%
playground(bet=True)

# %% [markdown]
r"""
## 6 Real data (3 min)

Checkerboards are made up. scikit-learn has 1,797 handwritten digits of 8 × 8 pixels. (They are not MNIST, which has
more and larger images; for that, call `load_download("mnist", 5000, 1000, generator=torch.Generator(), download=True)`
from `utils.downloads`.) **Take one hidden layer of 64 units, then add three more of the same width. What do they
gain?** (We tuned each network, and measured held-out accuracy over twenty random splits of the same images, which says
little about others.)
"""

# %%
predict("02.digits-depth")

# %%
reveal("02.digits-depth", figure=page.digits_by_depth(), wide=claimed("02.digits-depth"),
       narrow=claimed("02.digits-1000"), **page.digits_gained())

# %% [markdown]
r"""
<details><summary>Code to take along: load_table, from utils/data.py</summary>

```python
import sklearn.datasets
import torch

def load_table(name, fractions, generator):  # "digits", "wine" or "breast_cancer"
    X, y = getattr(sklearn.datasets, f"load_{name}")(return_X_y=True)
    X, y = torch.as_tensor(X, dtype=torch.float64), torch.as_tensor(y)
    # a random order, in which each stretch has every class in proportion
    order = torch.randperm(len(y), generator=generator)
    position = torch.empty(len(y), dtype=torch.float64)
    for label in y.unique():
        members = (y[order] == label).nonzero().flatten()
        offset = torch.rand((), generator=generator, dtype=torch.float64)
        position[members] = (torch.arange(len(members)) + offset) / len(members)
    order = order[position.argsort(stable=True)]
    shares = torch.tensor(fractions, dtype=torch.float64)
    ends = [0, *(shares.cumsum(0) * len(y)).round().long().tolist()]
    parts = [order[start:end] for start, end in zip(ends, ends[1:])]
    # mean and spread of the first part, the one to train on: for digits, of all pixels
    train = X[parts[0]].reshape(-1, 1) if name == "digits" else X[parts[0]]
    X = ((X - train.mean(0)) / train.std(0, correction=0)).float()
    return [(X[part], y[part]) for part in parts]
```

</details>

## 7 What you can now say (3 min)

1. $k$ folds make $2^k$ pieces with $k$ layers of two units; one hidden layer needs $2^k$ units for the same function.
2. You can build that network by hand. With two units a layer, training found the eight pieces in none of our runs.
3. The second hidden layer is the expensive one. After that, doubling the depth divides the width by less than 2.
4. On one checkerboard, depth's lead vanished when both sides were tuned; on another, when both trained for longer.
5. On tasks as small as these, start with one hidden layer. Add depth where a fair measurement says that it pays.

**What you do not know yet**: which tasks reward depth, and what the layers of a deep network do. Lessons 03 and 04 look
inside.
"""

# %%
show_figure(page.card(), "02.card")

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
