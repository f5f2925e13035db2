# %% [markdown]
r"""
# 07 When depth hurts

**If depth is so good, why not fifty layers?** You will meet three deep networks that lose to a shallow one, each for a
reason of its own. You will heal one of them, and find out which part of the cure did it.

*70 minutes, five lines of yours included, and about 55 more for the exercises. You need lesson 06.*
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np
import torch
from torch import nn

from utils.claims import claimed, recorded
from utils.exercises import yours
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_07 import page
from utils.live_training import live_training
from utils.playground import playground
from utils.predictions import ask, predict, reveal
from utils.training import train_ensemble

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work
SEED = 7

# %% [markdown]
r"""
## Three questions about lesson 06 (2 min)
"""

# %%
ask("07.before-default", "07.before-gain", "07.before-orthogonal")

# %% [markdown]
r"""
## 1 Three patients (11 min)

Handwritten digits again: {{= patients.TRAINED}} images to learn from, and others [held out](../reference/glossary.md).
A network with *one* hidden layer of {{= networks.WIDTH}} ReLU units misses only a few of the held-out images (a share
of {{claim 07.one}}). Here are three deeper networks, with as many units in every layer. Train them:
"""

# %% tags=["idea"]
(X, y), _, (X_new, y_new) = page.digits(generator=torch.Generator().manual_seed(SEED))


def learn(model, epochs, lr):
    return train_ensemble([model], X, y, epochs=epochs, lr=lr, batch_size=50,
                          schedule="cosine", validation=(X_new, y_new))[0]


histories = {}
for name, patient in page.PATIENTS.items():
    model = patient.build(generator=torch.Generator().manual_seed(SEED))
    histories[name] = learn(model, patient.epochs, patient.lr)
show_figure(page.courses(histories), "07.patients")

# %% [markdown]
r"""
A step is one batch of {{= budgets.BATCH}} images, and {{= budgets.PER_EPOCH}} steps are one **pass** over all of them.
All three lose to one layer, but not in the same way. *A*'s error was still falling when its steps ran out. *B* learned
nothing at all. *C* got ten times as many steps as the others. It has memorised every training image, but misses too
many new ones. **Give each of them ten times the steps it had. Whose training error falls to 2 % or less, or is already
there?**
"""

# %%
predict("07.patients")

# %% [markdown]
r"""
Choose a patient and "ten times as many" steps, and press Start.
"""

# %%
live_training(page.treat, page.treated, **page.patient_controls())

# %%
reveal("07.patients", slow=claimed("07.slow"), healed=claimed("07.healed"),
       unseen=claimed("07.healed-unseen"), blind=claimed("07.blind"))

# %% [markdown]
r"""
So look at the *training* error first. It tells you which cure to try:

| the training error | the patient is | what may help |
|---|---|---|
| stays at guessing | **blind**: the signal or the gradient does not get through | the initialisation (lesson 06) |
| lies between guessing and 0 | **slow** | more steps, or the cures of this lesson |
| is 0, but new images are missed | **fitted**, but worse | a smaller network, or more data; excursion 07b |
| jumps, or is NaN | taking steps that are too large | a smaller rate, then the initialisation |

*→ Now do exercise 07.1: blind, slow or overfitted?*
"""

# %% [markdown] tags=["aha"]
r"""
## 2 What does a skip do? (15 min)

Take *A*, the slow one. In 2016 He and others gave such networks a **[skip connection](../reference/glossary.md)** (in
2015, Srivastava and others had used one with a gate): a block of two layers no longer replaces its input $h$ but *adds*
something to it. The block multiplies $h$ by a matrix $W$, adds $b$, applies ReLU, and multiplies by a second matrix
$V$. All this is its **branch**. What comes out of the branch is added to $h$. **Write the line that returns the block's
output.** `h` has one column per image, and `b` is a single column.
"""

# %% tags=["idea"]
def relu(u):
    return np.maximum(u, 0)

# %% tags=["idea"]
# BEGIN BLANK
def block(h, W, b, V):
    """Return the output of a residual block; h [units, images], b [units, 1]."""
    return h + V @ relu(W @ h + b)
# END BLANK

# %%
block = yours("07.block")
skip = page.stream(25, generator=torch.Generator().manual_seed(SEED))
with torch.no_grad():
    h = skip[0](X)
    W, b, V = (p.numpy() for p in list(skip[1].parameters())[:3])
    theirs = skip[1](h).T.numpy()
print("the same as PyTorch's block?",
      np.allclose(block(h.T.numpy(), W, b[:, None], V), theirs, atol=1e-4))

# %% [markdown]
r"""
`skip` is one layer and {{= budgets.DEEP // 2}} such blocks. It has {{= budgets.DEEP}} hidden layers and as many
weights as *A*. (It has half as many ReLUs: one in each branch, and none between the blocks. Each $V$ starts from
[He's weights](../reference/glossary.md), divided by the square root of the number of blocks. Section 4 says why.)

<details><summary>Code to take along: plain, stream, from utils/lesson_07/networks.py</summary>

```python
import torch
from torch import nn


class ResidualBlock(nn.Module):
    def __init__(self, branch):
        super().__init__()
        self.branch = branch

    def forward(self, h):
        return h + self.branch(h)


def he(model, generator):
    for layer in model.modules():
        if isinstance(layer, nn.Linear):
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu", generator=generator)
            nn.init.zeros_(layer.bias)
    return model


def plain(depth, generator, width=32, n_in=64, n_out=10):
    layers = [nn.Linear(n_in, width), nn.ReLU()]
    for _ in range(depth - 1):
        layers += [nn.Linear(width, width), nn.ReLU()]
    return he(nn.Sequential(*layers, nn.Linear(width, n_out)), generator)


def stream(blocks, generator, width=32, n_in=64, n_out=10):
    branches = [nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))
                for _ in range(blocks)]
    model = he(nn.Sequential(nn.Linear(n_in, width), *map(ResidualBlock, branches),
                             nn.Linear(width, n_out)), generator)
    with torch.no_grad():
        for branch in branches:
            branch[-1].weight *= blocks**-0.5
    return model
```

</details>

Train it for as many steps as *A* had. This loop does what `learn` did above:
"""

# %% tags=["idea"]
def train(model, lr, epochs=33):
    optimizer = torch.optim.Adam(model.parameters(), lr)
    cosine = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 18 * epochs)
    right, unseen = [], []
    for _ in range(epochs):
        for batch in torch.randperm(len(X)).split(50):
            outputs = model(X[batch])
            optimizer.zero_grad()
            nn.functional.cross_entropy(outputs, y[batch]).backward()
            optimizer.step()
            cosine.step()
            right.append((outputs.argmax(dim=1) == y[batch]).float().mean().item())
        unseen.append(page.score(model, X_new, y_new))
    return page.history(right, unseen)

# %%
torch.manual_seed(0)  # each network has a rate that suits it
both = {"plain (A)": histories["A"], "with skips": train(skip, lr=0.003)}
show_figure(page.courses(both), "07.skip")

# %% [markdown]
r"""
Everybody knows this cure. But it makes two changes at once. The network now has sums, for as long as it lives. And it
*starts* somewhere else: its branches are small, so at first each block hands on nearly what it got.

Separate the two. **Take the sum away.** Go back to *A*: 51 plain layers, each with a matrix, a bias and a ReLU. Change
only where the matrices start: at the identity, plus He's weights divided by the square root of the depth. **Does this
plain network learn its training images in as many steps as *A* had?**
"""

# %%
predict("07.start")

# %% [markdown]
r"""
**Write the line that returns the initial value** of one matrix:
"""

# %% tags=["idea"]
# BEGIN BLANK
def near_identity(W, depth):
    """Return the identity plus He's weights W, a square matrix, over √depth."""
    return np.eye(len(W)) + W / np.sqrt(depth)
# END BLANK

# %%
near_identity = yours("07.near")
started = page.plain(51, generator=torch.Generator().manual_seed(SEED))
with torch.no_grad():
    for layer in started[2:-1:2]:  # the matrices between hidden layers
        layer.weight[:] = torch.from_numpy(near_identity(layer.weight.numpy(), 51))
near = learn(started, epochs=33, lr=0.001)

# %%
three = {**both, "plain, near the identity": near}
reveal("07.start", figure=page.courses(three, held_out=False),
       yours=1 - near.accuracy[-18:].mean(), near=claimed("07.near"))

# %% [markdown]
r"""
That was the training error. **Which network is better on held-out digits, the one with skips or the plain one near the
identity, each at its best learning rate?**
"""

# %%
predict("07.unseen")

# %%
reveal("07.unseen", difference=claimed("07.unseen"), relu=claimed("07.skip-relu"))

# %% [markdown]
r"""
*→ What theory says about skips, and what happens when you take a block out: excursion 07a.*
"""

# %% [markdown]
r"""
*In the playground*, eight layers learn a spiral from PyTorch's own weights, once without skips and once with them.
What do the skips change over twenty seeds? And what do they change with four layers, or from He's weights?
"""

# %%
playground(data="spirals", layers=[12] * 8, against=[12] * 8,
           skips=[False, True], hold="nothing", init="default",
           steps=2000, view="losses")

# %% [markdown]
r"""
## 3 How deep is too deep? (14 min)

Many books show the same picture: error against depth. **Draw yours first.** The networks are plain, have 1 to
{{= budgets.DEEP}} layers, and start from He's weights. Each gets {{= budgets.SHORT}} steps at its best learning rate.
Which of these sketches comes closest to yours?
"""

# %%
show_figure(page.sketches(), "07.sketches")

# %%
predict("07.curves")

# %%
short, long = recorded("07_short"), recorded("07_long")
reveal("07.curves", figure=page.by_depth(short), **page.curves_answer(short))

# %% [markdown]
r"""
**And which sketch with ten times the steps?**
"""

# %%
predict("07.longer")

# %%
reveal("07.longer", figure=page.by_depth(long), **page.longer_answer(long))

# %% [markdown]
r"""
A higher training error in a deeper network is called **degradation** (He et al. 2016). It is puzzling: the deeper
network could do everything that the shallower one does, if its additional layers were the identity. Saddle points and
flat stretches of the loss are often blamed. We have tested only more steps.

*→ Now do exercise 07.2: the same function, deeper.*

If degradation is slowness, measure slowness. **How many steps does a network take until, for the first time, it misses
at most 1 % of the training images in a pass? Write the line that returns this number.** `errors` is an array with one
number for each pass, a pass takes `every` steps, and in some pass the error gets down to `limit`.
"""

# %% tags=["idea"]
# BEGIN BLANK
def steps_until(errors, limit, every):
    """Return the steps to the end of the first pass with an error of at most limit."""
    return every * (np.argmax(errors <= limit) + 1)
# END BLANK

# %%
steps_until = yours("07.until")
for name, history in {"with skips": both["with skips"], "near identity": near}.items():
    errors = 1 - history.accuracy.reshape(-1, 18).mean(axis=1)  # 18 steps are a pass
    print(f"{name}: {steps_until(errors, 0.01, 18)} steps")

# %%
show_figure(page.steps_by_depth(short, long), "07.steps", answers="07.longer")

# %% [markdown]
r"""
From He's weights, a plain network needs more steps the deeper it is. With skips, a deeper one hardly needs more.
"""

# %% [markdown]
r"""
## 4 Why the square root? (12 min)

The $h$ that runs from block to block is called the **stream**. With He's weights, $W h$ has twice the mean square of
$h$, ReLU keeps half of that, and $V$ doubles it again. So a branch has twice the mean square of the stream that enters
it. Branch and stream are uncorrelated, because $V$ is random with mean 0. So their mean squares add up, on average over
draws, as in lesson 06. A stream's [size](../reference/glossary.md) is the square root of its mean square. **How large
is the stream after 25 blocks, compared with what entered the first block?**
"""

# %%
predict("07.growth")

# %% [markdown]
r"""
Now multiply every $V$ by a factor $c$. **By what factor do all blocks together multiply the mean square of the stream?
Write the line that returns it.**
"""

# %% tags=["idea"]
# BEGIN BLANK
def growth(c, blocks):
    """Return the factor by which blocks, each V times c, multiply the mean square."""
    return (1 + 2 * c**2) ** blocks
# END BLANK

# %%
growth = yours("07.growth")


def size(c, blocks, n=200):
    rng = np.random.default_rng(SEED)
    h = rng.standard_normal((n, 100))
    for _ in range(blocks):
        W, V = rng.standard_normal((2, n, n)) * np.sqrt(2 / n)
        h = block(h, W, 0, c * V)
    return np.sqrt(np.mean(h**2))


reveal("07.growth", formula=growth(1, 25) ** 0.5, measured=size(1, 25))

# %% tags=["idea"]
for blocks in (1, 25, 100):
    c = 1 / np.sqrt(blocks)
    print(f"{blocks} blocks, V over √{blocks}: size {size(c, blocks):.2f}, "
          f"formula {growth(c, blocks) ** 0.5:.2f}")

# %% [markdown]
r"""
With $c = 1/\sqrt{B}$, $B$ blocks multiply the expected mean square by $(1 + 2/B)^B$, which is less than $e^2$ for
every $B$. So on average the stream's size grows by less than a factor of $e$, however deep the network is.

<details><summary>And a block with one matrix, h + relu(Wh + b)?</summary>

Its branch is never negative, so the means add up, and the factor must be $1/B$. A random $V$ avoids that.

</details>

Initialisation, the factor, normalisation: each is said to be what deep networks need. (LayerNorm gives the units of a
layer mean 0 and variance 1 for each image. BatchNorm does the same for each unit, over a batch.) Here each is changed
alone, in networks of {{= budgets.DEEP}} layers. They train for {{= budgets.SHORT}} steps, each row of the figure at its
best learning rate:
"""

# %%
show_figure(page.crossing(short), "07.crossing")

# %% [markdown]
r"""
Normalisation alone, on every layer of a plain network, does not heal it in these steps. Inside a branch, LayerNorm
stands in for the factor: it keeps all branches at the same size, so as the stream grows, each block adds an ever
smaller share. (De & Smith 2020 show this for BatchNorm.) The rows that train have one thing in common: **at the start,
most layers hand on most of what they got.** (Starting near the identity is not the only way: lesson 06 had a hundred
orthogonal tanh layers.)

*→ Now do exercise 07.3: how large is the stream?*
"""

# %%
feedback("07.start")

# %% [markdown]
r"""
## 5 Then what is depth for? (13 min)

Fifty layers train now. But is depth good for anything? Here are three tasks, each with a budget of parameters to spend
on 1, 5, 10 or 20 plain layers:

- a *[checkerboard](../reference/glossary.md)* of {{= tasks.SQUARES}} by {{= tasks.SQUARES}} squares, with at most
  {{= tasks.TASKS["board"].parameters}} parameters, and as many points to learn from;
- the *game* of excursion 03a, with at most {{= tasks.TASKS["game"].parameters}} parameters. Two players start from
  eight numbers and in turn keep one half of them, until one number is left. Which one is it, if both play well? Three
  layers can play the game exactly. The error is the share of variance missed;
- the *digits*, with as many parameters as one layer of {{= networks.WIDTH}} units has.

(All networks start from He's weights. The biases of one layer start from $N(0, 1)$, all others at 0.)

After {{= tasks.STEPS}} steps from these starts, each at its best rate, five layers were ahead of one layer on the board
(one layer's error minus that of five: {{claim 07.board-lead}}). In the game they seemed to be ahead, but the seeds
differed too much to tell. **What happens to these two leads with four times the steps?**
"""

# %%
predict("07.tasks")

# %%
few, more = recorded("07_tasks"), recorded("07_longer")
reveal("07.tasks", figure=page.leads(few, more, recorded("07_neighbours")),
       board=claimed("07.board-longer"), starts=claimed("07.board-starts"),
       game=claimed("07.game-longer"))

# %% [markdown]
r"""
And the digits? There, five layers were never ahead. Twenty plain layers came last on all three tasks. But one more
competitor needs no network at all: for a new image $x$, look up the three training images that are nearest to it, and
let them vote. **Write the line that returns the indices** of the three rows of `X` with the smallest distance to `x`,
the nearest first. (For the distance, square the differences, and sum them over the pixels.)
"""

# %% tags=["idea"]
# BEGIN BLANK
def nearest_three(X, x):
    """Return the indices of the three rows of X [images, pixels] nearest to x."""
    return np.argsort(((X - x) ** 2).sum(axis=1))[:3]
# END BLANK

# %%
nearest_three = yours("07.nearest")
votes = [np.bincount(y[nearest_three(X.numpy(), x)]).argmax() for x in X_new.numpy()]
share = np.mean(np.array(votes) != y_new.numpy())
print(f"three nearest neighbours miss a share of {share:.3f}")

# %% [markdown]
r"""
Over several splits, too, the neighbours missed fewer than any network on this page: see the level line in the last
figure.

*→ Now do exercises 07.4 and 07.5: what would help, and when to stop. Regularisation and double descent are in
excursion 07b, images and text in excursion 07c.*
"""

# %% [markdown]
r"""
## 6 What you can now say (3 min)

1. The deep networks that did worse here were blind, slow, or fitted. The training error tells you which.
2. Most of what looked like degradation on digits was slowness: ten times the steps closed nearly all of the gap in
   training error, but not the gap on unseen images.
3. Skips with small branches let fifty layers train. So does starting plain layers near the identity: for training, a
   skip is first of all a place to start.
4. But a skip is more: on unseen digits the network with skips was better, as long as no ReLU acted on the stream.
5. Depth that trains is not yet depth that helps. On the board, depth's lead came from its start and its speed. In the
   game, which is made for depth, more steps made the lead grow. On the digits there was no lead.

**What you do not know yet**: why skips help on unseen images, which nothing here has explained; and how to choose a
depth for a problem of your own (lesson 08).

*→ Now do exercise 07.6: a colleague's thirty layers.*
"""

# %%
show_figure(page.card(), "07.card")

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
