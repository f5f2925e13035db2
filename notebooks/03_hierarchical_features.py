# %% [markdown]
r"""
# 03 Hierarchical features: what does each layer do?

Lesson 02 counted what depth can buy. Now look inside. **What does a layer do to the space that it is given?** You will
fold a sheet of paper, watch a spiral come undone block by block, and find out how many blocks a mess needs.

*68 minutes, five lines of yours included, and about 60 more for the exercises. You need lesson 01,
and lesson 02 for the three questions at the start.*
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np
import torch
from sklearn.linear_model import LogisticRegression
from torch import Generator, nn

from utils.claims import claimed, recorded
from utils.exercises import yours
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_03 import page
from utils.live_training import live_training
from utils.playground import playground
from utils.predictions import ask, predict, reveal
from utils.widgets import live_figure

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work


def relu(z):
    return np.maximum(z, 0)

# %% [markdown]
r"""
## Three questions about lesson 02 (2 min)

From memory. Each answer comes as soon as you commit.
"""

# %%
ask("03.before-fold", "03.before-found", "03.before-fair")

# %% [markdown]
r"""
## 1 Fold a sheet of paper (13 min)

Lesson 02 folded a line. Now take a sheet of paper. A [crease](../reference/glossary.md) runs across it, the line
$n \cdot p = c$ with $|n| = 1$. For a point $p$, the number $z = n \cdot p - c$ says how far the point is from the
crease, and on which side.

Once the sheet is folded, the side is forgotten, and only the distance $|z|$ is left. Two ReLU units compute it: one
keeps what the other drops. **Write the line that returns the distance**, with the course's `relu`, for points `p`, one
in each row. (Replace the three dots. If you are stuck, unfold the line below. Whatever you do, the page goes on.)
"""

# %% tags=["idea"]
# BEGIN BLANK
def distance(p, n, c):
    """Return |n · p - c| [points] for p [points, 2] and n [2], from two ReLU units."""
    return relu(p @ n - c) + relu(c - p @ n)
# END BLANK

# %%
distance = yours("03.distance")
p = np.array([[0.5, -1.0], [1.0, 1.0], [2.0, 0.5]])
n, c = np.array([0.6, 0.8]), 0.5
print("z =", p @ n - c, " distance =", distance(p, n, c))

# %% [markdown]
r"""
A second number, $s$, says where along the crease a point lies. So folding the sheet means going from $(z, s)$ to
$(|z|, s)$. Here are three tries. Above each, you see what it turns $(z, s)$ into. The third is the fold:
"""

# %%
page.play_sheet()

# %% [markdown]
r"""
**How many ReLU units does a layer need for the whole fold, $s$ included?**
"""

# %%
predict("03.fold")

# %%
reveal("03.fold")
page.play_book()

# %% [markdown]
r"""
Now $|z|$ and $s$ say where a point is on the folded sheet, seen from the crease. But the sheet lies on a *table*:
**where on the table is the point now?** If $z$ is negative, the point has stayed where it was. If $z$ is positive, it
has moved to its mirror image: go back along $n$ to the crease, and then as far again.

If a layer may keep a copy of its input, one ReLU unit is enough for this move. **Write the line that returns the
points' new places.** (`v[:, None] * n` multiplies $n$ by each number in $v$, and gives one row for each.)
"""

# %% tags=["idea"]
# BEGIN BLANK
def fold(p, n, c):
    """Return where p [points, 2] come to: those with n · p > c at their mirror image."""
    return p - 2 * relu(p @ n - c)[:, None] * n
# END BLANK

# %%
fold = yours("03.fold")
print(fold(p, n, c).round(2))

# %% [markdown]
r"""
Such a copy is called a *skip connection*, and lesson 07 is all about it. Without a copy, everything has to pass
through the units.

*→ Now do exercise 03.1: the weights of a fold on the table, without a copy.*
"""

# %% [markdown] tags=["aha"]
r"""
## 2 Watch a spiral come undone (11 min)

Training can find the folds for you. A deep network is a composition, $f_L \circ \dots \circ f_1$: each layer turns,
stretches and shears its input, then ReLU folds or flattens it; the last layer has no ReLU. Our network is made of
**blocks**. A block takes a plane, spreads it over some ReLU units, and presses the result into a plane again, so that
you can look at every stage. **Write the line that returns a block's new plane.** Its weights `W` have one row per unit;
`V` has two rows, one for each coordinate of the new plane.
"""

# %% tags=["idea"]
# BEGIN BLANK
def block(p, W, b, V, d):
    """Return the new plane's points [points, 2], for p [points, 2],
    W [units, 2], b [units], V [2, units] and d [2].
    """
    return relu(p @ W.T + b) @ V.T + d
# END BLANK

# %%
block = yours("03.block")
layer, _, back = page.identity_block(16)
weights = [w.detach().numpy() for w in (*layer.parameters(), *back.parameters())]
print(block(p, *weights).round(3))  # the points p, once more

# %% [markdown]
r"""
Nothing has moved: all our blocks begin as the *identity*, which pairs of units make, as in
$z = \operatorname{relu}(z) - \operatorname{relu}(-z)$. So whatever you see move, training has moved. We train four
blocks of 16 units on a spiral of one turn. After the last block, one straight line has to separate the two arms.
"""

# %% tags=["idea"]
def stack(blocks=4, units=16, seed=4):
    torch.manual_seed(seed)  # another number, another network
    # each block is Linear(2, units), ReLU, Linear(units, 2)
    return nn.Sequential(*[page.identity_block(units) for _ in range(blocks)],
                         nn.Linear(2, 2))


def train(model, X, y, lr=0.005, steps=1000):
    optimizer = torch.optim.Adam(model.parameters(), lr)
    for _ in range(steps):
        loss = nn.functional.cross_entropy(model(X), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model

# %% [markdown]
r"""
No straight line separates the two arms of a spiral. **So what must the four blocks do to the plane?** Say it in a
sentence before you press play.

<details><summary>Code to take along: spiral_parts, from utils/lesson_03/probing.py</summary>

```python
import math
import torch

def spirals(n, generator, turns, noise):
    y = torch.arange(n) % 2
    position = torch.rand(n, generator=generator)
    angle = 2 * math.pi * (turns * position + y / 2)
    radius = 2 * position + noise * torch.randn(n, generator=generator)
    return torch.stack([radius * torch.cos(angle), radius * torch.sin(angle)], dim=1), y

def spiral_parts(turns, generator):  # to train on, to choose with, for probes, held out
    sizes = (1000, 1000, 1000, 4000)
    seeds = torch.randint(2**62, (4,), generator=generator).tolist()
    return [spirals(n, torch.Generator().manual_seed(seed), turns, noise=0.05)
            for n, seed in zip(sizes, seeds)]
```

</details>

<details><summary>Code to take along: identity_block, from utils/lesson_03/folding.py</summary>

```python
import math
import torch
from torch import nn

def identity_block(width, generator=None):
    # pairs of units, relu(z) - relu(-z) = z, whose creases lie in random directions
    angle, c = (torch.rand(width // 2, generator=generator).double() for _ in range(2))
    angle, c = 2 * math.pi * angle, 3 * c - 1.5
    directions = torch.stack([angle.cos(), angle.sin()], dim=1)
    back = torch.linalg.pinv(directions)  # from the z of all pairs to the point again
    block = nn.Sequential(nn.Linear(2, width), nn.ReLU(), nn.Linear(width, 2))
    with torch.no_grad():
        block[0].weight.copy_(torch.cat([directions, -directions]))
        block[0].bias.copy_(torch.cat([-c, c]))
        block[2].weight.copy_(torch.cat([back, -back], dim=1))
        block[2].bias.copy_(back @ c)
    return block
```

</details>
"""

# %%
(X, y), *_, (new_X, new_y) = page.spiral_parts(1.0, generator=Generator().manual_seed(0))
model = train(stack(), X, y)  # some seconds; the film takes longer the first time
page.play_spiral(model, X, y)

# %% [markdown]
r"""
Play it twice: first follow one point, then the squared paper. The paper is bent, folded, and in places pressed flat,
but never torn. In the end, the two arms lie on either side of a line. **A layer does not draw the boundary. It moves
the space until a straight line will do.**
"""

# %%
feedback("03.spiral")

# %% [markdown]
r"""
*In the playground*, you can see what each layer makes of the plane while the network learns. Take away a layer, or the
skips. Which layer does the unrolling?
"""

# %%
playground(data="spirals", turns=1, layers=[8, 8, 8, 8], against=None,
           skips=True, init="identity", view="layers")

# %% [markdown]
r"""
## 3 How many folds does your mess need? (14 min)

First you need a number for how well a network does. For each point it has two outputs, one per class, and it answers
with the class whose output is larger. **Write the line that returns its accuracy**: the share of points for which the
answer is right.
"""

# %% tags=["idea"]
# BEGIN BLANK
def accuracy(outputs, y):
    """Return the share of right answers: outputs [points, 2], classes y [points]."""
    return (outputs.argmax(axis=1) == y).mean()
# END BLANK

# %%
accuracy = yours("03.accuracy")
for name, points, classes in (("trained on", X, y), ("held out", new_X, new_y)):
    print(f"{name}: {accuracy(model(points).detach().numpy(), classes.numpy()):.3f}")

# %% [markdown]
r"""
For *one* turn, four blocks of 16 units are more than enough. So make it hard: take a spiral of {{= depth.TURNS[-1]}}
turns, and blocks of {{= depth.UNITS}} units. **How many such blocks does it take until {{= 100 * depth.ENOUGH}} of 100
held-out points are on the right side of the line?** (We take the median of 20 networks, at the best of six learning
rates.)
"""

# %%
predict("03.depth")

# %% [markdown]
r"""
Now watch the paper fold *while* the network trains. Begin with one block on two turns: press *Start*. Then draw a mess
of your own, two kinds of points as tangled as you like, and choose *my drawing*. **How many blocks does your mess
need?** (Stripes are too easy. Try a chessboard with smaller and smaller squares.)
"""

# %%
drawing = page.draw_points()

# %% tags=["idea"]
live_training(page.fold(drawing), page.folds, **page.fold_controls())

# %%
depths = recorded("03_depth")
reveal("03.depth", figure=page.table(), second=claimed("03.depth-blocks"),
       more=claimed("03.depth-more"), wide=claimed("03.depth-wide"),
       **page.depth_answer(depths))

# %% [markdown]
r"""
Individual networks differ from the median, and yours may, too. And *never torn* has a price: a disc inside a ring
cannot be moved out of it within the plane, so something has to be folded or pressed flat. A spiral could be unrolled
without either (Olah 2014; Naitzat et al. 2020).
"""

# %% [markdown]
r"""
## 4 One unit (6 min)

Each unit has a crease: the line where its sum is 0. In the first block, that line is straight. Deeper down, the plane
has already been folded. So, seen from the input, the crease has corners:
"""

# %%
show_figure(page.neuron_maps(model, 2, 1), "03.neuron")  # block 2, unit 1: try others

# %% [markdown]
r"""
So a deep unit computes with what the units before it have computed: it is a feature made of features. A function that
is built in this way, out of functions that each take only a few arguments, is called a
[hierarchy](../reference/glossary.md).

Between the creases, nothing is bent. So however round the boundary looks, it consists of straight pieces, which run
from dot to dot.

Now break it: set the output weights of one unit to zero, or reverse their sign. **Find a unit without which a tenth of
the points are on the wrong side, and a unit that nobody misses.**
"""

# %%
live_figure(page.change_unit(model, X, y), **page.change_controls(model))

# %% [markdown]
r"""
*→ Now do exercise 03.5: collect what every layer computes.*
"""

# %% [markdown]
r"""
## 5 How far has each block got? (13 min)

You have seen the planes; now measure them, on a spiral of one and a half turns. PyTorch calls a **forward hook** each
time a module has computed its output. Hang one on every block, send the points through once, and you hold all the
planes.
"""

# %% tags=["idea"]
(X, y), *_, (new_X, new_y) = page.spiral_parts(1.5, generator=Generator().manual_seed(0))
model = train(stack(seed=3), X, y)

planes = [new_X]
hooks = [
    part.register_forward_hook(lambda _, given, plane: planes.append(plane.detach()))
    for part in model[:4]
]
model(new_X)
for hook in hooks:
    hook.remove()  # or the next call would append four more
print([tuple(plane.shape) for plane in planes])

# %% [markdown]
r"""
A **probe** (Alain and Bengio 2016) is a straight line that is fitted to some points of a plane, and scored on others.
One network says little, so we trained twenty. They start from PyTorch's random weights, not from the identity. **How
does the probe's accuracy change from plane to plane?**
"""

# %%
predict("03.probe")

# %% [markdown]
r"""
**Write the line that fits and scores a probe**, with `LogisticRegression(C=100, max_iter=1000)` and its methods
`fit(X, y)` and `score(X, y)`.
"""

# %% tags=["idea"]
# BEGIN BLANK
def probe_accuracy(X, y, new_X, new_y):
    """Return the share of new_X [others, 2] that a line fitted to X [points, 2], y
    has right.
    """
    return LogisticRegression(C=100, max_iter=1000).fit(X, y).score(new_X, new_y)
# END BLANK

# %% tags=["idea"]
probe_accuracy = yours("03.probe")
scores = [probe_accuracy(plane[:2000], new_y[:2000], plane[2000:], new_y[2000:])
          for plane in planes]

# %%
reveal("03.probe", figure=page.probe_by_stage(), scores=np.round(scores, 2),
       rises=claimed("03.probe-rises"), untrained=claimed("03.probe-untrained"),
       plain=claimed("03.plain-falls"), line=claimed("03.line-falls"),
       **page.probe_answer())

# %% [markdown]
r"""
What if a layer has fifty units, and there is no plane to look at? The usual picture shows the two directions in which
its points vary most, their first two **principal components**. Here they are for each layer of such a network, trained
in the same way:
"""

# %% tags=["idea"]
torch.manual_seed(0)
wide = train(nn.Sequential(nn.Linear(2, 50), nn.ReLU(), nn.Linear(50, 50), nn.ReLU(),
                           nn.Linear(50, 50), nn.ReLU(), nn.Linear(50, 2)), X, y)
pictures = []
for layer in (1, 2, 3):
    H = wide[: 2 * layer](new_X).detach()  # [points, 50]
    H = H - H.mean(dim=0)
    pictures.append((H @ torch.linalg.svd(H, full_matrices=False).Vh[:2].T, H))
show_figure(page.components(pictures, new_y, probe_accuracy), "03.components")

# %% [markdown]
r"""
In layers 1 and 2, the picture keeps most of the variance, but it loses what a line needs: given all fifty units, a line
does tell the arms apart. What varies most need not be what matters. (With `steps=0` you see the layers before
training.)

So read a probe with care. It can *not* tell you three things:

- A low score does not mean that the arms are mixed up. After the first block, the nearest neighbour still tells them
  apart better than any line: its share of right answers is higher by {{claim 03.probe-neighbour}}.
- A high score does not mean that training put the answer there. In plain layers that were never trained, a line tells
  the outer half of an arm from the inner one, and its share of right answers is {{claim 03.probe-outer}}. So a probe
  needs a control: untrained layers, or random labels (Hewitt and Liang 2019).
- Nor does a high score mean that the network uses the answer. To find out, take the answer away, and see what changes.

(All recorded networks were trained with {{= probing.STEPS}} steps of Adam, in batches of {{= probing.BATCH}}, in the
same order for all. Their learning rate rises and falls once, in *one cycle* (Smith and Topin 2018), and validation
points choose how high it rises.)

*→ Now do exercises 03.2 and 03.3: a probe scored honestly, and the layer from which on a line separates the classes.
Does a hierarchy need depth? See excursion 03a. What do the layers of a convolutional network see? Excursion 03b. And
what if the features are not learned at all? Excursion 03c.*
"""

# %%
feedback("03.probes")

# %% [markdown]
r"""
## 6 Learned, or just random? (6 min)

Perhaps any units would do, and only the last layer has to be trained. Leave the hidden layer at its random weights and
fit the read-out alone: the units' outputs are then called **random features**. You train fewer numbers for each unit,
so for the same number of trained parameters you can afford more units.

Here are two tasks with many inputs. One is a spiral of one turn, with further inputs that *say nothing*: random numbers
that do not depend on the arm. The other is the digits, where most of the 64 pixels count. **Give both sides the same
number of trained parameters. On which of the two tasks are learned units ahead of random ones by more than two points
in a hundred?**
"""

# %%
predict("03.directions")

# %% tags=["idea"]
def beside(X, more):  # inputs that say nothing
    return torch.cat([X, torch.randn(len(X), more)], dim=1)


(X, y), *_, (new_X, new_y) = page.spiral_parts(1.0, generator=Generator().manual_seed(0))
random_scores = []
for more in (0, 2, 6, 18):
    units = (2 + more + 1 + 2) * 16 // 2  # as many trained parameters as 16 learned
    layer = nn.Sequential(nn.Linear(2 + more, units), nn.ReLU())
    with torch.no_grad():
        features, new_features = layer(beside(X, more)), layer(beside(new_X, more))
    read_out = LogisticRegression(C=100, max_iter=5000).fit(features, y)
    random_scores.append(round(read_out.score(new_features, new_y), 2))

# %%
reveal("03.directions", figure=page.directions(), yours=random_scores,
       noisy=claimed("03.directions"), alike=claimed("03.digits-features"),
       plane_only=claimed("03.random-parameters"), **page.directions_answer())

# %% [markdown]
r"""
*→ Exercises 03.4, 03.7 and 03.6 go further: which of these networks has learned its features, why depth alone does not
unroll a spiral, and how much of a layer two components keep.*
"""

# %% [markdown]
r"""
## 7 What you can now say (3 min)

1. A ReLU unit drops one side of its crease. Two units fold a line, and three fold a sheet: all that is lost is the side
   on which a point was.
2. Layers bend and fold the plane, but never tear it, until a straight line separates nearly all points.
3. A longer spiral needs more folds. Units make them: two narrow blocks are enough, and so is one wide block.
4. A probe, fitted and scored on different points, says what one fitted line reads off a layer. If its accuracy falls,
   ask first whether the plane got worse, or only the line.
5. With the same number of trained parameters, learned features lead where few of many directions matter. On the digits,
   random features do as well.

**And the hierarchy in the title?** You have seen features made of features: a deep unit's crease has corners because
earlier blocks folded the plane (section 4). You have also seen that features of features need not be a ladder with the
answer on top: in many networks of blocks, a line read *less* off the first plane than off the input (section 5). And
does a *target* that is a hierarchy need depth? In excursion 03a we tried eight of them. Depth helped with some, but not
with all, and it also helped with targets that are not hierarchies.

**What you do not know yet**: how many pieces a network makes (lesson 04), and how much a random deep network tangles
the space before any training (lesson 05).
"""

# %%
show_figure(page.card(), "03.card")

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
