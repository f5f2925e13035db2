# %% [markdown]
r"""
# 02 Depth versus width: two ways to spend parameters

You have a budget of parameters. **Do you spend it on one wide layer, or on many narrow ones?** You will fold a line ten
times with three lines of code, try to train what you built, and then referee a fight between a deep network and a wide
one.

*70 minutes, five short functions of yours included, and about 55 more for the exercises. You need lesson 01.*
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
again: put the tent's output into the tent. And so on, ten times in all. **How many straight pieces does the graph have
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
See it happen, four times: the strip, and the graph of where each of its points lies.
"""

# %%
page.play_folds()

# %% [markdown] tags=["aha"]
r"""
## 2 A fold is two units (14 min)

On $[0, 1]$ the tent is a hidden layer with two units: one ramp that begins at 0, and one that begins at ½. (Lesson 01:
a ramp's weight is the change of slope where it begins.) **Which weights do they get? Write the tent as a sum of the two
ramps**, with `relu(z)`, which the set-up defines. `x` is an array. (Replace the three dots. If you are stuck, the line
lies below; and whatever you do, the page goes on.)
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
units.** `z` has a row for each point, with $a$ in column 0 and $b$ in column 1; what you return has the new units in
its two columns. (`np.stack([u, v], axis=1)` makes columns of two arrays.)
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
So $t$ needs no unit of its own, and its weights 2 and −4 move into the next layer. That layer's weights $W$ have a row
for each of its units, its biases an entry:
$$W = \begin{pmatrix} 2 & -4 \\ 2 & -4 \end{pmatrix}, \qquad \text{biases } \begin{pmatrix} 0 \\ -\frac12
\end{pmatrix}.$$
Both rows say $2a - 4b$, because both units see the same $t$. Only the biases differ: one ramp begins at 0, the other at
½. Repeat this layer, and every repetition is a fold. Ten folds, with the parameters counted:
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

Lesson 01's interpolant has $2^k$. Suppose $2^k - 1$ were enough. There are as many corners, so each unit makes one
alone, and changes slope there by $\pm 2^{k+1}$. Left of all corners it has slope 0 or $\mp 2^{k+1}$, and the first
slope is a multiple of that, not $2^k$. ∎

</details>

*→ Now do exercise 02.5: hand-build a lopsided sawtooth.*
"""

# %% [markdown]
r"""
## 3 But can you train it? (12 min)

The deep network exists. You built it. Take three folds only, eight pieces: three hidden layers of two units, 19
parameters, exactly the architecture that you know can do it. **Does gradient descent find it, from random weights?**
"""

# %%
predict("02.found")

# %% [markdown]
r"""
When is it found? Let us measure the **relative error**: the mean squared error over the variance of the wanted values,
which is the mean squared error of the best constant. So it is the share of the variance that a network misses: a
constant misses 1, a perfect network 0. *Found* means: at most a hundredth is missed. **Write it.**
"""

# %% tags=["idea"]
# BEGIN BLANK
def relative_error(y_hat, y):
    """Return the share of the variance of the values y that the outputs y_hat miss."""
    return ((y_hat - y) ** 2).mean() / y.var()
# END BLANK

# %% [markdown]
r"""
Now train. `mlp(sizes)` builds a ReLU network with random weights: inputs, hidden layers, outputs. It is also called a
**multi-layer perceptron**, or fully connected. You choose its width and depth here; its activation and its first
weights are chosen, too (06a and 06).
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
Run the last two cells again: new random weights. Then put 8 in place of each 2.

The record behind the figure: 80 seeds for each number of folds, and for each architecture the best of six learning
rates. Its networks start from **He's weights**, normal numbers with variance 2 over the number of inputs, which keep
signals at their size from layer to layer (lesson 06). Their biases are random, so that units bend at different places.

Now watch one. Three layers of 9 get stuck with seed 0, and not with seed 2. What does a larger rate do?
"""

# %%
live_training(page.fit, page.fitted, **page.fit_controls())

# %% [markdown]
r"""
**Built, or found?** Ask that of everything that you read about depth.

*→ Now do exercise 02.8: read an experiment like this one. What if training starts right next to the hand-built weights?
Excursion 02b.*
"""

# %% [markdown]
r"""
## 4 What does a layer cost? (13 min)

A layer with $n_\text{in}$ inputs and $n_\text{out}$ outputs has $n_\text{in} n_\text{out}$ weights and $n_\text{out}$
biases. Here each line is a weight. Press ▶, and each layer gets its numbers from the one before. **Then find four equal
hidden layers with as many parameters as one of 8 units.**
"""

# %%
live_figure(page.forward_pass, **page.architecture_controls())

# %% [markdown]
r"""
Now spend a budget. A network has 2 inputs, 2 outputs and at most 1,000 parameters: that is 199 units in one hidden
layer. **With two hidden layers of the same width, how many units in each?**
"""

# %%
predict("02.narrower")

# %% [markdown]
r"""
**Count it.** Write the number of parameters of a network with 2 inputs, then `depth` hidden layers of `width` units
each, then 2 outputs. (Below it, PyTorch counts a small one, by `named_parameters()`.)
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
Equal parameters are not equal seconds: each layer has to wait for the one before it. Here is a training step on *your*
machine, measured now. (Some ten seconds.)
"""

# %%
show_figure(page.cost_by_depth(*page.step_times()), "02.cost")

# %% [markdown]
r"""
(Recorded on one machine, 20,000 parameters, 16 hidden layers over one: {{claim 02.cost-small}}.) So *equal* has to say:
equal in what?

*→ Now do exercise 02.1. What a layer loses when it is too narrow: excursion 02a. Equal arithmetic: 02b.*
"""

# %% [markdown]
r"""
## 5 A fair fight (18 min)

A checkerboard of six by six squares (its *frequency* is 3): 4,000 points to train on, 2,000 for validation, 4,000
held out. On one side one hidden layer of 510 units, on the other five of 24, both with at most 2,552 parameters. Both
start from He's weights and zero biases, and get the same learning rate, 0.01. (Some ten seconds.)
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

One layer has drawn rays: with zero biases, the bend of every unit begins as a line through the centre. A clear win
for depth: equal parameters, held-out data, and over many seeds as well (five layers minus one in held-out accuracy:
{{claim 02.fair-untuned}}). It would be easy to stop here. **Now each side gets the best of six learning rates, and
biases that are random instead of zero. What is left of the lead?**
"""

# %%
predict("02.fair")

# %% [markdown]
r"""
We have trained both from random biases, with six rates and 20 seeds each. Each network has two tables of accuracies,
`validation` and `held_out`, with a row for each rate and a column for each seed. **Write how a fair report reads
them**: take the rate with the best median over its seeds, and report its 20 accuracies. Which table
chooses, and which one is reported?
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
       left=claimed("02.fair-tuned"))

# %% [markdown]
r"""
In the lab you choose biases and learning rate. Change one, then both, and watch which network moves:
"""

# %%
live_figure(page.checkerboard_lab, **page.board_controls())

# %% [markdown]
r"""
Nobody cheated. But if you try out your settings on the network that you hope for, it gets all of the tuning. **The
same rate for everybody is not the same for everybody.**

That was one board. **Take a finer one, ten by ten squares, and the same fair terms: the best of six rates, random
biases, 3,000 steps. Who leads?**
"""

# %%
predict("02.fair-hard")

# %%
reveal("02.fair-hard", stays=claimed("02.fair-hard"),
       longer=claimed("02.fair-hard-longer"), **page.hard_gap())

# %% [markdown]
r"""
So "deeper is better" is not a law, and "depth does nothing" is not one either. Before you believe a comparison, your
own included, ask:

1. What was held equal: parameters, arithmetic, seconds, steps?
2. Did each side get the same *search* for its learning rate?
3. Was it chosen on other data than those reported?
4. How many seeds, and does the interval of the *difference* leave out 0?
5. Had both finished, and was there room above the weaker side?

*→ Now do exercise 02.10: what do you ask a colleague? All tasks and terms, and fights that the shallow side wins, are
in excursion 02b.*
"""

# %%
feedback("02.fair")

# %% [markdown]
r"""
*In the playground* two networks of equal cost fight in front of you. Bet, let them train, repeat it with twenty seeds.
Then change one thing at a time: which change turns the result round?
"""

# %%
playground(bet=True)

# %% [markdown]
r"""
## 6 Real data (3 min)

Checkerboards are made up. scikit-learn has 1,797 handwritten digits, 8 × 8 pixels each. (They are not MNIST, which has
larger images, and more. `load_download("mnist", 5000, 1000, generator=torch.Generator(), download=True)`, from
`utils.downloads`, gets that.) **One hidden layer of 64 units, then three more of them: what do those buy?** (Held-out
accuracy, tuned, over twenty random splits of the same images, so it says little about other images.)
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
2. That network can be built. With two units a layer, training found its eight pieces in no run.
3. The second hidden layer is the expensive one. After that, twice the depth divides the width by less than 2.
4. On one checkerboard the lead of depth vanished when both sides were tuned, on another when both had finished.
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
