# %% [markdown]
r"""
# 03 Hierarchical features: what does each layer do?

Lesson 02 counted what depth can buy. Now look inside. **What does a layer do to the space that it is given?** You will
fold a sheet of paper with three units, watch a spiral come undone block by block, and measure how far each block gets.

*75 minutes, and about 90 more for the exercises. You need lessons 01 and 02.*
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np
import torch
from sklearn.linear_model import LogisticRegression
from torch import Generator, nn

from utils.claims import claimed
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_03 import page
from utils.predictions import predict, reveal
from utils.widgets import live_figure

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work

# %% [markdown]
r"""
## 1 Fold a sheet of paper (8 min)

Lesson 02 folded a line. Two ReLU units do that: what one of them drops, the other keeps.
"""

# %% tags=["idea"]
def relu(z):
    return np.maximum(z, 0)


x = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
print(relu(x) + relu(-x))

# %% [markdown]
r"""
That is $|x|$: $x$ and $-x$ land on each other. Now take a sheet of squared paper. A crease runs across it,
the line $n \cdot p = c$ with $|n| = 1$. Two numbers tell where a point $p$ is: $z = n \cdot p - c$, its distance from
the crease, and $s$, its place along it. **How many ReLU units does it take to fold the sheet along the crease, one
half onto the other?**
"""

# %%
predict("03.fold")

# %%
page.play_sheet()
reveal("03.fold")

# %% [markdown]
r"""
Play it. Where only $\operatorname{relu}(z)$ is kept of $z$, half of the sheet is pressed onto the crease. The same
for $s$ makes it worse. $|z| = \operatorname{relu}(z) + \operatorname{relu}(-z)$ is the fold, for two units; and a
third hands on $s$, pushed up far enough that ReLU never cuts it off. (A sheet has edges. The whole plane would take a
fourth unit.) In space, with the three units as coordinates, it looks like this:
"""

# %%
page.play_book()

# %% [markdown]
r"""
Why not two units? On each half the picture has to stay two-dimensional, so both units must be on there. Then both are
on everywhere, the layer is affine, and nothing folds. But if a layer could keep a copy of its input, one unit would
be enough:
"""

# %% tags=["idea"]
def fold(p, n, c):
    return p - 2 * relu(p @ n - c)[:, None] * n


p = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]])
n = np.array([1.0, 1.0]) / np.sqrt(2)
print(fold(p, n, c=np.sqrt(0.5)).round(2))  # where has each point come to?

# %% [markdown]
r"""
Such a copy is called a *skip connection*. It has a lesson of its own: 07.

*→ Now do exercise 03.1: the weights of a fold.*
"""

# %% [markdown] tags=["aha"]
r"""
## 2 Watch a spiral come undone (12 min)

Training can find the folds for you. Here is a network of four **blocks**. Each takes a plane, spreads it over 16 ReLU
units, and presses the result into a plane again. So you can look at every stage. At the end one straight line has to
separate two spiral arms. (Each block begins as the identity: it moves nothing. Whatever you see move, training has
moved.)
"""

# %% tags=["idea"]
def train(X, y, lr=0.005, steps=1000):  # takes about six seconds
    generator = Generator().manual_seed(1)  # another number, another network
    # each block is Linear(2, 16), ReLU, Linear(16, 2)
    blocks = [page.identity_block(16, generator) for _ in range(4)]
    model = nn.Sequential(*blocks, nn.Linear(2, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr)
    for _ in range(steps):
        loss = nn.functional.cross_entropy(model(X), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


(X, y), *_, (new_X, new_y) = page.spiral_parts(1.0, generator=Generator().manual_seed(0))
torch.manual_seed(0)
model = train(X, y)
print(f"held-out accuracy: {(model(new_X).argmax(dim=1) == new_y).double().mean():.2f}")

# %% [markdown]
r"""
No straight line separates two spirals, and the last layer is only a straight line. **So what must the four blocks have
done to the plane?** Say it in a sentence before you press play.
"""

# %%
page.play_spiral(model, X, y)

# %% [markdown]
r"""
Play it twice: follow one point, then the squared paper. It is bent, folded, in places pressed flat, but never torn.
In the end nearly all points of the two arms lie on two sides of a line. **A layer does not draw the boundary. It
moves the space until a straight line will do.**
"""

# %% [markdown]
r"""
And inside a block? There the plane is spread over 16 units. Here is block 1, in two of its 16 dimensions: horizontally
the direction along which a line separates the arms best, vertically the one along which the rest is spread most.
"""

# %%
page.play_block(model, 1, X, y)  # block 1: try others

# %% [markdown]
r"""
The affine part leaves the sheet flat. ReLU bends it, and the two arms begin to part.
"""

# %%
feedback("03.spiral")

# %% [markdown]
r"""
## 3 Your own points, and a broken unit (12 min)

Draw two kinds of points, as tangled as you like.
"""

# %%
drawing = page.draw_points()

# %% tags=["idea"]
own_X, own_y = drawing.points()  # run this cell again after you have drawn
own = train(own_X, own_y)
right = (own(own_X).argmax(dim=1) == own_y).double().mean()
print(f"{right:.0%} of your points are on their side")
page.play_spiral(own, own_X, own_y, "03.drawn")

# %% [markdown]
r"""
Can you draw something that four blocks do not unfold? Stripes are too easy. Try a chessboard, with smaller and smaller
fields. (Points close to the line look mixed in the film; the percentage counts them. It is training accuracy: there
are no other points of yours.) Never torn has a price: a disc inside a ring cannot be parted from it within the plane,
so something has to be folded or pressed flat. The spiral need not be; it could be unrolled (Olah 2014; Naitzat et al.
2020).

Now break it. Take the network of the spiral, and set the output weights of one of its units to zero, or reverse their
sign. **Which block holds the units that the boundary owes most to, an early or a late one?** Guess, then look for a
unit that costs a quarter of the points.
"""

# %%
live_figure(page.change_unit(model, X, y), **page.change_controls(model))

# %% [markdown]
r"""
Sixty-four units are too many to try by hand. Let a loop do it:
"""

# %% tags=["idea"]
for block in range(1, 5):
    left = [page.accuracy(page.changed(model, block, unit, "zero"), X, y)
            for unit in range(1, 17)]
    dearest = np.argmin(left) + 1
    print(f"block {block}: {min(left):.0%} right without unit {dearest}, "
          f"{np.median(left):.1%} without a middling one")

# %% [markdown]
r"""
In this network every block has a unit or two that it cannot do without, and many that hardly matter.
"""

# %% [markdown]
r"""
## 4 Straight pieces (7 min)

Each unit has a crease: the line where its sum is 0. In the first block that line is straight. Deeper down, the plane
has been folded before, so seen from the input the crease has corners:
"""

# %%
show_figure(page.neuron_maps(model, 2, 1), "03.neuron")  # block 2, unit 1: try others

# %% [markdown]
r"""
Between the creases of all units nothing is bent: the network is an affine map there, and the boundary, where it
passes, a straight piece.
"""

# %%
show_figure(page.straight_pieces(model, X, y), "03.pieces")

# %% [markdown]
r"""
However round it looks, the boundary consists of straight pieces. How many such regions there are, and how many there
can be, is lesson 04.

*→ Now do exercise 03.5: collect what every layer computes.*
"""

# %% [markdown]
r"""
## 5 How far has each block got? (16 min)

You saw it; now measure it, on a harder spiral of one and a half turns. PyTorch calls a **forward hook** each time a
module has computed its output. Hang one on every block, send points through once, and you hold all planes.
"""

# %% tags=["idea"]
(X, y), *_, (new_X, new_y) = page.spiral_parts(1.5, generator=Generator().manual_seed(0))
model = train(X, y)

planes = [new_X]
hooks = [
    block.register_forward_hook(lambda _, given, plane: planes.append(plane.detach()))
    for block in model[:4]
]
model(new_X)
for hook in hooks:
    hook.remove()  # or the next call would append four more
print([tuple(plane.shape) for plane in planes])

# %% [markdown]
r"""
A **probe** (Alain and Bengio 2016) is a straight line that is fitted to a plane: a logistic regression, fitted on some
of the points and scored on others. Not for your network alone, but for twenty that start at PyTorch's random weights:
**from plane to plane, how does its accuracy go?**

(What is recorded was trained with {{= probing.STEPS}} steps of Adam, in batches of {{= probing.BATCH}} whose order is
the same for all. The rate rises and falls once, in *one cycle* (Smith and Topin 2018); validation points choose how
high. Your `train` is plainer: all points in every step, one rate, and a start at the identity.)
"""

# %%
predict("03.probe")

# %% tags=["idea"]
scores = []
for plane in planes:
    probe = LogisticRegression(C=100, max_iter=1000).fit(plane[:2000], new_y[:2000])
    scores.append(round(probe.score(plane[2000:], new_y[2000:]), 2))

# %%
reveal("03.probe", figure=page.probe_by_stage(), scores=scores, **page.probe_answer())

# %% [markdown]
r"""
From the input to the last plane the probe gains accuracy ({{claim 03.probe-rises}}). Through random blocks, each
pressed back into a plane, it gains none ({{claim 03.probe-untrained}}): here it is training that does it. But on the
way it falls in many networks (share: {{claim 03.probe-falls}}).

Why? Every block ends in a plane, in which a line has little room. In plain networks, whose layers hand on all 16
numbers, it falls in hardly any (share: {{claim 03.plain-falls}}). And a logistic regression makes a loss small, not the
number of wrong points: the line with the most right answers falls in far fewer networks (share: {{claim
03.line-falls}}). So read a probe with care. It can *not* tell

- that the arms are lost, where it is low: after the first block the nearest neighbour tells them apart where not even
  the best line does (nearest neighbour minus best line: {{claim 03.probe-neighbour}});
- that training put it there, where it is high: off the last of plain layers that were never trained, a line reads
  whether a point lies on the outer half of its arm ({{claim 03.probe-outer}}). Probes want controls: this one, or
  random labels (Hewitt and Liang 2019);
- that the network uses it. For that you would have to take it away, and see what changes.

*→ Now do exercises 03.2 and 03.3: a probe scored honestly, and the layer from which on it is right. Does a hierarchy
need depth? Excursion 03a. What do the layers of a convolutional network see? Excursion 03b.*
"""

# %%
feedback("03.probes")

# %% [markdown]
r"""
## 6 Learned, or just random? (15 min)

Perhaps any 16 ReLU units would do, and only the last layer has to be trained. Leave the hidden layer at its random
start and fit the read-out alone: that is logistic regression on **random features**. **One hidden layer of 16 units
on this spiral: what does learning the hidden layer, too, gain in held-out accuracy?**
"""

# %%
predict("03.random")

# %% tags=["idea"]
torch.manual_seed(0)  # another number, other features
random_layer = nn.Sequential(nn.Linear(2, 16), nn.ReLU())
with torch.no_grad():
    features, new_features = random_layer(X), random_layer(new_X)
read_out = LogisticRegression(C=100, max_iter=5000).fit(features, y)
yours = read_out.score(new_features, new_y)

# %%
reveal("03.random", yours=yours, width=claimed("03.random-width"),
       **page.random_answer())

# %% [markdown]
r"""
But is that fair? Of 16 random units {{= 2 * 16 + 2}} numbers are trained (there are two outputs), of 16 learned ones
{{= 5 * 16 + 2}}. For as many, there could be {{= probing.as_many(2, 16, 2)}} random units, and next to nothing of the
lead is left ({{claim 03.random-parameters}}). A tie, then? Not at two turns: random features have their best read-out
at once, and lead (learned minus random: {{claim 03.random-sooner}}); after four times as many steps learned ones do.

And all of this was in a plane. Here are two tasks with more inputs: a spiral of one turn beside inputs that *say
nothing*, normal numbers whatever the arm; and the digits, of whose 64 pixels most count. **At equal trained parameters,
on which of the two is learning ahead by more than two points in a hundred?**
"""

# %%
predict("03.directions")

# %% tags=["idea"]
def beside(X, more):  # inputs that say nothing
    return torch.cat([X, torch.randn(len(X), more)], dim=1)


(X, y), *_, (new_X, new_y) = page.spiral_parts(1.0, generator=Generator().manual_seed(0))
accuracies = []
for more in (0, 2, 6, 18):
    units = (2 + more + 1 + 2) * 16 // 2  # as many trained parameters as 16 learned
    layer = nn.Sequential(nn.Linear(2 + more, units), nn.ReLU())
    with torch.no_grad():
        features, new_features = layer(beside(X, more)), layer(beside(new_X, more))
    read_out = LogisticRegression(C=100, max_iter=5000).fit(features, y)
    accuracies.append(round(read_out.score(new_features, new_y), 2))

# %%
reveal("03.directions", figure=page.directions(), yours=accuracies,
       noisy=claimed("03.directions"), alike=claimed("03.digits-features"),
       **page.directions_answer())

# %% [markdown]
r"""
**Beside the spiral few directions matter.** A learned unit turns towards them. A random one looks anywhere, and the
more inputs there are, the less it sees of two. For some functions the units needed grow exponentially with the inputs
(Barron 1993, for any fixed features; Yehudai and Shamir 2019, for random ones, unless their weights do). On the digits
most pixels count, and the task is easy: which of the two decides, this does not say. (The recorded ones had
{{= probing.SPIRALS[probing.WITH_MORE[0]][2]}} points, or half of the digits, and validation data chose the read-out's
penalty, as they did the learning rate. Yours had fewer points, and one penalty.)

*→ Now do exercises 03.4 and 03.7: which of these networks has learned its features, and why depth alone does not
unroll a spiral.*
"""

# %% [markdown]
r"""
## 7 What you can now say (5 min)

1. A ReLU unit drops one side of its crease. Two units fold a line, three a sheet: all that is lost is on which side a
   point was.
2. Layers bend and fold the plane, never tear it, until a straight line separates nearly all points.
3. The boundary consists of straight pieces. Deep units can have creases with corners.
4. A probe, fitted and scored on different points, says what one fitted line reads off a layer. Where it falls, ask
   first whether it was the probe, or the plane.
5. At equal trained parameters learned features lead where few of many directions matter. On the digits random ones
   hold.

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

{{claims}}
"""

# %%
download()
