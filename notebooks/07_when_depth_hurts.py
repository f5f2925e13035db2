# %% [markdown]
r"""
# 07 When depth hurts

**If depth is so good, why not fifty layers?** You will meet three deep networks that lose to a shallow one, each for a
reason of its own. You will heal one, and find out which part of the cure did it.

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

Handwritten digits again: {{= patients.TRAINED}} images to learn from, others held out. A network with *one* hidden
layer of {{= networks.WIDTH}} ReLU units misses few of the latter (a share of {{claim 07.one}}). Here are three deeper
ones, with as many units in every layer. Train them:
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
All three lose to one layer, but not in the same way. *A* goes down and has not arrived. *B* does nothing at all. *C*
has memorised every training image, after ten times as many steps as the others, and misses too many new ones. **Give
each of them ten times the steps it had. Whose training error falls to 2 % or less, or is there already?**
"""

# %%
predict("07.patients")

# %% [markdown]
r"""
Try it: choose a patient and "ten times as many" steps, and press Start.
"""

# %%
live_training(page.treat, page.treated, **page.patient_controls())

# %%
reveal("07.patients", slow=claimed("07.slow"), healed=claimed("07.healed"),
       unseen=claimed("07.healed-unseen"), blind=claimed("07.blind"))

# %% [markdown]
r"""
So before anything else look at the *training* error. Three diagnoses, three cures:

| the training error | the patient is | what may help |
|---|---|---|
| stays at guessing | **blind**: signal or gradient does not get through | the initialisation (lesson 06) |
| lies between guessing and 0 | **slow** | more steps, or what this lesson is about |
| is 0, and new images are missed | **fitted**, and worse | a smaller network, or more data; excursion 07b |
| jumps, or is NaN | taking steps that are too large | a smaller rate, then the initialisation |

*→ Now do exercise 07.1: blind, slow or overfitted?*
"""

# %% [markdown] tags=["aha"]
r"""
## 2 What does a skip do? (15 min)

Take the slow one. In 2016 He and others gave such networks a **skip connection** (Srivastava and others, in 2015, one
with a gate): a block of two layers no longer replaces what comes in, it *adds* something to it. What comes in is $h$.
The block multiplies it by a matrix $W$, adds $b$, applies ReLU, and multiplies by a second matrix $V$; all this is its
**branch**. What comes out of the branch is added to $h$. **Write the block**: `h` has a column for each image, `b` is
one column.
"""

# %% tags=["idea"]
def relu(u):
    return np.maximum(u, 0)

# %% tags=["idea"]
# BEGIN BLANK
def block(h, W, b, V):
    """Return what leaves a residual block; h [units, images], b [units, 1]."""
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
`skip` is one layer and {{= budgets.DEEP // 2}} such blocks: {{= budgets.DEEP}} hidden layers, as many as *A* has, and
as many weights. (It has half as many ReLUs: one in each branch, none between the blocks. Its $V$ start from He's
weights, divided by the root of the number of blocks; section 4 says why.)

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

Train it for as many steps as *A*. `learn` does the same as this loop:
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
Everybody knows this cure. But it is two changes at once. There is a sum now, for as long as the network lives. And the
network *starts* elsewhere: the branches are small, so each block at first hands on nearly what it got.

Separate them. **Take the sum away.** Go back to *A*: 51 plain layers, each a matrix, a bias, a ReLU. Change nothing but
where the matrices start: at the identity, plus He's weights divided by the root of the depth. **Does this plain network
learn its training images in as many steps as *A* had?**
"""

# %%
predict("07.start")

# %% [markdown]
r"""
**Write the start**, for one matrix:
"""

# %% tags=["idea"]
# BEGIN BLANK
def near_identity(W, depth):
    """Return the identity plus He's weights W, square, over the root of depth."""
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
That was training error. **On held-out digits, which is better, the network
with skips or the plain one near the identity, each with its best learning rate?**
"""

# %%
predict("07.unseen")

# %%
reveal("07.unseen", difference=claimed("07.unseen"), relu=claimed("07.skip-relu"))

# %% [markdown]
r"""
*→ What theory says of skips, and what happens when a block is taken out: excursion 07a.*
"""

# %% [markdown]
r"""
*In the playground* eight layers learn a spiral without skips and with them, from PyTorch's own weights. What do the
skips change, over twenty seeds? And with four layers, or with He's weights?
"""

# %%
playground(data="spirals", layers=[12] * 8, against=[12] * 8,
           skips=[False, True], hold="nothing", init="default",
           steps=2000, view="losses")

# %% [markdown]
r"""
## 3 How deep is too deep? (14 min)

You will find the same picture in many books: error against depth. **Draw yours first.** The networks are plain, start
from He's weights, have 1 to {{= budgets.DEEP}} layers, and get {{= budgets.SHORT}} steps each, every one at its best
learning rate. Which of these sketches comes nearest?
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
**And with ten times the steps?**
"""

# %%
predict("07.longer")

# %%
reveal("07.longer", figure=page.by_depth(long), **page.longer_answer(long))

# %% [markdown]
r"""
A higher training error in a deeper network is called **degradation** (He et al. 2016). It is puzzling: the deeper
network could do all that the shallower one does, if its additional layers were the identity. Saddle points and flat
stretches of the loss are often blamed; we have measured only the steps.

*→ Now do exercise 07.2: the same function, deeper.*

If it is slowness, then measure slowness. **After how many steps does a network for the first time miss at most 1 % of
the training images in a pass?** Write the line. `errors` is an array with one number for each pass, a pass takes
`every` steps, and the error does get there.
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
From He's weights, the deeper a plain network is, the more steps it needs. One with skips hardly needs more.
"""

# %% [markdown]
r"""
## 4 Why the root? (12 min)

Call the $h$ that runs from block to block the **stream**. With He's weights, $W h$ has twice the mean square of $h$;
ReLU keeps half of it, and $V$ doubles it again. So a branch has twice the mean square of the stream that enters it. The
two are uncorrelated, since $V$ is random with mean 0. So on average over draws their mean squares add, as in lesson 06.
**How large is the stream after 25 blocks (the root of its mean square), compared with what entered the first?**
"""

# %%
predict("07.growth")

# %% [markdown]
r"""
Now multiply every $V$ by a factor $c$. **How many times as large do all blocks together make the mean square of the
stream?** Write it.
"""

# %% tags=["idea"]
# BEGIN BLANK
def growth(c, blocks):
    """Return how many times as large blocks, each V times c, make the mean square."""
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
    print(f"{blocks} blocks, V over the root of {blocks}: size {size(c, blocks):.2f}, "
          f"formula {growth(c, blocks) ** 0.5:.2f}")

# %% [markdown]
r"""
With $c = 1/\sqrt{B}$ for $B$ blocks the expected mean square grows by $(1 + 2/B)^B$, which is less than $e^2$ for every
$B$. So on average the stream's size grows less than $e$-fold, however deep the network is.

<details><summary>And a block with one matrix, h + relu(Wh + b)?</summary>

Its branch is never negative, so means add up: the factor must be $1/B$. A random $V$ spares us that.

</details>

Initialisation, factor, normalisation: all of them are said to be what deep networks need. (LayerNorm gives the units of
a layer mean 0 and variance 1 for each image; BatchNorm does so for each unit, over a batch.) Here each is changed by
itself, with {{= budgets.DEEP}} layers, {{= budgets.SHORT}} steps, and every row with its own best learning rate:
"""

# %%
show_figure(page.crossing(short), "07.crossing")

# %% [markdown]
r"""
Normalisation alone, on every layer of a plain network, does not heal it in these steps. Inside a branch it stands in
for the factor: there LayerNorm keeps each branch at one size, so the stream grows and each block adds an ever smaller
share. (De & Smith 2020 show it for BatchNorm.) The rows that train have one thing in common: **at the start, most
layers hand on most of what they got.** (Near the identity is not the only way: lesson 06 had a hundred orthogonal tanh
layers.)

*→ Now do exercise 07.3: how large is the stream?*
"""

# %%
feedback("07.start")

# %% [markdown]
r"""
## 5 Then what is depth for? (13 min)

Fifty layers train now. But is depth good for anything? Here are three tasks, each with a budget of parameters to spend
on 1, 5, 10 or 20 plain layers:

- a *chessboard* of {{= tasks.SQUARES}} by {{= tasks.SQUARES}} squares, at most {{= tasks.TASKS["board"].parameters}}
  parameters and as many points;
- the *game* of excursion 03a: two players choose halves of eight numbers in turn, until one number is left: which one,
  if both play well? At most {{= tasks.TASKS["game"].parameters}} parameters. Three layers can play it exactly, and the
  error is the share of variance missed;
- the *digits*, with as many parameters as one layer of {{= networks.WIDTH}} units has.

(All start from He's weights. One layer's biases start from $N(0, 1)$, all others at 0.)

After {{= tasks.STEPS}} steps from these starts, each at its best rate, five layers were ahead of one on the board (one
layer's error minus theirs: {{claim 07.board-lead}}). In the game they seemed to be, but seeds differed too much to
tell. **What becomes of these two leads with four times the steps?**
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
And the digits? There five layers were never ahead. Twenty plain layers come last on all three tasks. One more
competitor, with no network at all: for a new image $x$, look up the three training images that are nearest to it, and
let them vote. **Write the line that finds them**: the indices of the three rows of `X` with the smallest distance to
`x` (square the differences, and add them up over the pixels), the nearest first.
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
print(f"three nearest neighbours miss {np.mean(np.array(votes) != y_new.numpy()):.3f}")

# %% [markdown]
r"""
Over several splits, too, they miss fewer than any network on this page: see the level line in the last figure.

*→ Now do exercises 07.4 and 07.5: what would help?, and when to stop. Regularisation, double descent:
excursion 07b. Images and text: excursion 07c.*
"""

# %% [markdown]
r"""
## 6 What you can now say (3 min)

1. The deep networks that did worse here were blind, slow, or fitted. The training error says which.
2. Most of what looks like degradation on digits is slowness: ten times the steps close nearly all of the gap in
   training error, but not the one on unseen images.
3. Skips with small branches let fifty layers train. So does starting plain layers near the identity: for training, a
   skip is first of all a place to start.
4. That is not all it is: on unseen digits the network with skips is better, as long as no ReLU acts on what runs from
   block to block.
5. Depth that trains is not yet depth that helps. The board's lead was one of start and of speed. In the game, which is
   made for depth, more steps made the lead grow. On digits there was none.

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
