# %% [markdown]
r"""
# 02 Depth versus width: two ways to spend parameters

You have a budget of parameters. **Do you spend it on one wide layer, or on many narrow ones?** You will fold a line ten
times with three lines of code, try to train what you built, and then referee a fight between a deep network and a wide
one.

*75 minutes, and about 90 more for the exercises. You need lesson 01.*
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np
import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR
from tqdm.auto import tqdm

from utils.claims import claimed
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_02 import page
from utils.live_training import live_training
from utils.predictions import predict, reveal
from utils.widgets import live_figure

use_style()
torch.manual_seed(0)  # the first run is the same for all; a cell run again draws anew
torch.set_num_threads(1)  # networks this small lose time where two cores share the work

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
It folds the interval in half, like a strip of paper: $x$ and $1 - x$ land on the same point. **Fold the folded strip
once more. How many straight pieces does `tent(tent(x))` have?**
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
While $x$ runs through the left half, `tent(x)` runs through all of $[0, 1]$; on the right half it runs all the way
back. So whatever comes next is drawn twice: once at half its width, and once more as the mirror image. In the film, a
fold bends every sheet that is there. It comes to the same:
"""

# %%
page.play_folds()

# %% [markdown] tags=["aha"]
r"""
## 2 A fold is two units (9 min)

Every fold doubles the pieces, so $k$ folds make $2^k$. And on $[0, 1]$ the tent is a hidden layer with two units, $2
\operatorname{ReLU}(x) - 4 \operatorname{ReLU}(x - \frac12)$. Then ten folds are a network with ten hidden layers of two
units each. Here it is; the comments count its parameters.
"""

# %% tags=["idea"]
def relu(z):
    return np.maximum(z, 0)


def deep_network(x):
    z = x[:, None] @ [[1, 1]] + [0, -0.5]  # first layer: 2 weights and 2 biases
    for _ in range(9):
        z = relu(z) @ [[2, 2], [-4, -4]] + [0, -0.5]  # nine times: 4 weights and 2 biases
    return relu(z) @ [2, -4] + 0  # output: 2 weights and a bias


print("parameters:", 4 + 9 * 6 + 3)
print("the same as ten folds?", np.array_equal(deep_network(x), folded(x, 10)))
slopes = np.diff(deep_network(x))
print(f"pieces: {1 + np.count_nonzero(np.diff(slopes)):,}")

# %% [markdown]
r"""
What leaves one tent and enters the next is a sum of ramps, multiplied by weights: that is all a layer does. **Now draw
the same 1,024 pieces with a single hidden layer. How many units does it need?**
"""

# %%
predict("02.shallow")

# %%
reveal("02.shallow", figure=page.two_networks())

# %% [markdown]
r"""
In lesson 01 each unit bent the line once. One bend, one more piece: $N$ units in one layer make at most $N + 1$ pieces.
Ten folds make 1,024 of them with 20 units. That is what depth can buy: **folding multiplies, widening adds.**

<details><summary>The exact count</summary>

Lesson 01's interpolant has $2^k$ units. Suppose $2^k - 1$ were enough. There are as many corners inside the interval,
so each unit makes one of them alone, and changes its slope there by $\pm 2^{k+1}$. Left of all corners it therefore
contributes slope 0 or $\mp 2^{k+1}$, and the first slope is a multiple of that. But it is $2^k$. ∎

</details>

Could fewer units at least come close? No. Measure the mean squared error as a share of the best constant's, the
**variance**. The ten folds are 512 teeth. A network of 51 units bends in at most 51 of them; on each of the others it
is a straight line. A tooth is symmetric, so no straight line does better on it than the constant ½, the best for the
whole as well. So nine tenths of the variance are missed, whatever the weights. With $N$ units and $k$ folds it is at
least the share $1 - N / 2^{k-1}$ (Telgarsky 2015 has a bound of this kind, for classification, for any number of
layers).

This is one function, made for the purpose. Depth also saves units on smooth ones like $x^2$ (Yarotsky 2017; lesson 04).
It says nothing yet about your data.

*→ Now do exercise 02.5: hand-build a lopsided sawtooth.*
"""

# %%
feedback("02.tents")

# %% [markdown]
r"""
## 3 But can you train it? (13 min)

The deep network exists. You built it. Take three folds only, eight pieces: three hidden layers of two units, 19
parameters, exactly the architecture that you know can do it. **Does gradient descent find it, from random weights?**
"""

# %%
predict("02.found")

# %% tags=["idea"]
X = torch.tensor(2 * x - 1, dtype=torch.float32)[:, None]  # inputs in [-1, 1]
Y = torch.tensor(folded(x, 3), dtype=torch.float32)[:, None]
model = nn.Sequential(nn.Linear(1, 2), nn.ReLU(),
                      nn.Linear(2, 2), nn.ReLU(),
                      nn.Linear(2, 2), nn.ReLU(),
                      nn.Linear(2, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(2000):
    loss = ((model(X) - Y) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("parameters:", sum(p.numel() for p in model.parameters()))
show_figure(page.trained(model, 3), "02.trained", folded=True)

# %% [markdown]
r"""
Run the cell again: new random weights. And again. Then change the 2 in the layers to 8, and run it a few times more.

That was one learning rate. Now 80 seeds for each number of folds, with He's weights and random biases, and for each
architecture the best of six rates. *Found* means that at most a hundredth of the variance is missed. (Recorded
networks are trained by the course's compiled loop: it computes what PyTorch does, to rounding, only faster.)
"""

# %%
reveal("02.found", figure=page.found_by_folds(), **page.found_three())

# %% [markdown]
r"""
In the median, two units a layer miss nearly everything (share of the variance missed, eight pieces: {{claim
02.saw-narrow}}). With eight units a layer, four times as many as are needed, most seeds find eight pieces. One wide
layer with as many parameters finds them even more often. With 16 pieces it turns round: both struggle, and depth is
ahead (share missed, wide minus deep: {{claim 02.saw-wide-four-ahead}}), though it costs {{= sawtooth.arithmetic(4)}}
times the arithmetic. From 32 on neither finds anything.

Watch it happen. Three layers of 9, seed 0, get stuck. Seed 2 does not. How often does it work, and what does a larger
rate do? (These are single runs.)
"""

# %%
live_training(page.fit, page.fitted, **page.fit_controls())

# %% [markdown]
r"""
**What can be built and what can be found are two different questions.** Ask of everything that you read about depth
which of the two it is about.

*→ Now do exercise 02.8: read an experiment like this one. What if training starts right next to the hand-built weights?
Excursion 02b.*
"""

# %% [markdown]
r"""
## 4 What does a layer cost? (14 min)

Time to look at the bill. A layer with $n_\text{in}$ inputs and $n_\text{out}$ outputs has $n_\text{in} n_\text{out}$
weights and $n_\text{out}$ biases. Let PyTorch count:
"""

# %% tags=["idea"]
def mlp(*sizes):
    layers = []
    for n_in, n_out in zip(sizes[:-1], sizes[1:], strict=True):
        layers += [nn.Linear(n_in, n_out), nn.ReLU()]
    return nn.Sequential(*layers[:-1])  # no ReLU after the last layer


for sizes in [(1, 8, 1), (1, 4, 4, 4, 1), (4, 16, 4), (4, 8, 8, 4)]:
    print(sizes, "has", sum(p.numel() for p in mlp(*sizes).parameters()), "parameters")

# %% [markdown]
r"""
Three layers of 4 units cost more than twice as much as one layer of 8. See where it goes: each line is a weight. Press
▶, or move *layers computed*, and each layer gets its numbers from the one before.
"""

# %%
live_figure(page.forward_pass, **page.architecture_controls())

# %% [markdown]
r"""
Move the input until a circle turns from 0 to a positive number: there the graph may bend. Then find four equal layers
with as many parameters as one layer of 8.

Now spend a budget. A network has 2 inputs, 2 outputs and at most 1,000 parameters: that is 199 units in one hidden
layer. **With two hidden layers of the same width, how many units in each?**
"""

# %%
predict("02.narrower")

# %% tags=["idea"]
def parameters(width, depth, n_in=2, n_out=2):
    return (n_in + 1) * width + (depth - 1) * (width + 1) * width + (width + 1) * n_out


def widest(budget, depth):
    return max(width for width in range(1, budget) if parameters(width, depth) <= budget)


widths = {depth: widest(1000, depth) for depth in (1, 2, 4, 8, 16)}

# %%
reveal("02.narrower", widths=widths, width=widths[2])

# %% [markdown]
r"""
**The second hidden layer is the expensive one**: every hidden unit is now joined to every unit of another hidden layer,
and the price grows with the square of the width. **After that, depth is cheap.** With $D$ layers $(D - 1)\, w^2$ is
most of the bill, so twice as many layers divide the width by less than 2. In this list, from two layers on, the deeper
network has *more* units.

The other budget is arithmetic. A **FLOP** is one addition or multiplication. Forward, a weight takes two of them for
every example. Backward it takes two more for its own gradient, and two for the gradient that is handed on, which the
first layer does not need.
"""

# %% tags=["idea"]
def step_flops(width, depth, n_in=2, n_out=2):
    weights = [n_in * width, *[width * width] * (depth - 1), width * n_out]
    return 6 * sum(weights) - 2 * weights[0]


for depth in (1, 3, 5):
    by_flops = max(w for w in range(1, 1000) if step_flops(w, depth) <= step_flops(34, 3))
    print(f"{depth} hidden: 2,552 parameters buy width {widest(2552, depth)}, "
          f"{step_flops(34, 3):,} FLOPs {by_flops}")

# %% [markdown]
r"""
(Three layers of 34 units set both budgets.) For the same FLOPs the shallow network may be 727 wide instead of 510: a
fifth of its parameters are biases, which this count leaves out, and half of its weights are in the first layer, which
is cheap to train. So *equal* has to say: equal in what?

*→ Now do exercises 02.1, 02.2 and 02.9. What a layer loses when it is too narrow: excursion 02a.*
"""

# %% [markdown]
r"""
## 5 A fair fight (18 min)

A checkerboard of six by six squares (its *frequency* is 3): 4,000 points to train on, 2,000 for validation, 4,000
held out. On one side one hidden layer of 510 units, on the other five of 24, both with at most 2,552 parameters. Both
start with He's random weights and zero biases, and get the same learning rate, 0.01. (Some ten seconds.)
"""

# %% tags=["idea"]
def random_start(model, bias):
    for layer in model[::2]:
        nn.init.kaiming_normal_(layer.weight)  # variance 2 / inputs (He et al. 2015)
        nn.init.normal_(layer.bias, std=bias)
    return model


def fit(model, X, y, lr, steps=3000):
    optimizer = torch.optim.Adam(model.parameters(), lr)
    # the learning rate goes up, then down to 0
    schedule = OneCycleLR(optimizer, lr, steps, cycle_momentum=False)
    for _ in range(steps):
        batch = torch.randint(len(X), (200,))
        loss = nn.functional.cross_entropy(model(X[batch]), y[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()

# %% tags=["idea"]
def accuracy(model, X, y):
    return (model(X).argmax(dim=1) == y).double().mean().item()


board, validation, held_out = page.checkerboard(seed=0)
shallow, deep = (2, 510, 2), (2, 24, 24, 24, 24, 24, 2)
models = {}
for sizes in (shallow, deep):
    torch.manual_seed(0)
    models[sizes] = random_start(mlp(*sizes), bias=0)
    fit(models[sizes], *board, lr=0.01)
    print(f"{len(sizes) - 2} hidden: "
          f"held-out accuracy {accuracy(models[sizes], *held_out):.2f}")
show_figure(page.boards(models, board), "02.boards")

# %% [markdown]
r"""
One layer has drawn rays: with zero biases, the bend of every unit begins as a line through the centre. A clear win
for depth: equal parameters, held-out data, and over many seeds as well (five layers minus one in held-out accuracy:
{{claim 02.fair-untuned}}). It would be easy to stop here. **Now each side gets the best of six learning rates, and
biases that are random instead of zero. What is left of the lead?**
"""

# %%
predict("02.fair")

# %% [markdown]
r"""
Be the shallow network's trainer first. Which rate suits it? (About a quarter of a minute; the answer comes below.)
"""

# %% tags=["idea"]
found = {}
for lr in tqdm((0.001, 0.003, 0.01, 0.03, 0.1, 0.3)):
    torch.manual_seed(0)
    model = random_start(mlp(*shallow), bias=0.5)
    fit(model, *board, lr)
    found[lr] = round(accuracy(model, *validation), 2)

# %%
reveal("02.fair", figure=page.gaps_on_the_coarse_board(), found=found,
       left=claimed("02.fair-vanishes"), **page.fair_gap())

# %% [markdown]
r"""
All four combinations of the two knobs are in the lab, and 0.001 for everybody, too. Change both, and watch which
network moves:
"""

# %%
live_figure(page.checkerboard_lab, **page.board_controls())

# %% [markdown]
r"""
From 0.01 to the best of six, the deep network hardly moves; the shallow one does. At 0.001 both suffer. Nobody cheated.
But if you try out your settings on the network that you hope for, it gets all of the tuning. **The same rate for
everybody is not the same for everybody.**

Is depth good for nothing, then? That would be the same mistake the other way round. **Take a finer board, ten by ten
squares, and the same fair terms: the best of six rates, random biases, 3,000 steps. Who leads?**
"""

# %%
predict("02.fair-hard")

# %%
reveal("02.fair-hard", stays=claimed("02.fair-hard-stays"),
       longer=claimed("02.fair-hard-longer"), **page.hard_gap())

# %% [markdown]
r"""
So "deeper is better" is not a law, and "depth does nothing" is not one either. Before you believe a comparison, your
own included, ask:

1. What was held equal: parameters, FLOPs, seconds, steps?
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
## 6 What depth costs (6 min)

Equal parameters are not equal seconds: each layer has to wait for the one before it. Here is a training step on *your*
machine, measured now. (Some ten seconds.)
"""

# %%
show_figure(page.cost_by_depth(*page.step_times()), "02.cost")

# %% [markdown]
r"""
With 20,000 parameters, a step of 16 hidden layers takes several times as long as a step of one (recorded: {{claim
02.cost-small}}). With a million parameters the difference is small ({{claim 02.cost-large}}). Memory is another
matter: the backward pass needs the value of every unit. With a million parameters the single wide layer has by far
the most of them; among deep networks their number grows with depth. (One processor's times; others differ.)
"""

# %% [markdown]
r"""
## 7 Real data (6 min)

Checkerboards are made up. scikit-learn has 1,797 handwritten digits, 8 × 8 pixels each. **One hidden layer of 64 units,
then three more of them: what do those buy?** (Held-out accuracy, tuned, over twenty random splits of the same images.)
"""

# %%
predict("02.digits-depth")

# %%
reveal("02.digits-depth", figure=page.digits_by_depth(), **page.digits_gained())

# %% [markdown]
r"""
The digits are nearly linear: the dotted line is a network without any hidden layer. At width 64 no effect of depth is
to be seen (four layers minus one: {{claim 02.digits-depth}}). With 1,000 parameters four layers have to be so narrow
that they lose (one layer minus four: {{claim 02.digits-1000}}). The splits share their images, so these intervals say
little about other images.
"""

# %% [markdown]
r"""
## 8 What you can now say (4 min)

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

{{claims}}
"""

# %%
download()
