# %% [markdown]
r"""
# 04 Depth efficiency: checkerboards and linear regions

A ReLU network is made of flat pieces. **How many can a network have, and how many does it have?** You will see every
piece of networks that you choose, fold a board of {{= format(4**6, ",")}} squares with {{= boards.deep_units(6)}}
units, and find out what training does with all that room.

*71 minutes, and about 95 more for the exercises. You need lessons 01 to 03.*
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np
import torch

from utils.claims import recorded
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_04 import page
from utils.models import mlp
from utils.predictions import predict, reveal
from utils.regions import count_regions
from utils.statistics import median
from utils.widgets import live_figure

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work

# %% [markdown]
r"""
## 1 Every piece in front of you (9 min)

A network with two inputs is a surface over a square. Each ReLU unit creases it; between the creases it is flat. Here
are 24 units with random weights, seen from above, each piece in a shade of its own:
"""

# %% tags=["idea"]
def random_network(sizes, seed):
    generator = torch.Generator().manual_seed(seed)
    return mlp(sizes, init="he", bias_std=0.5, generator=generator)


model = random_network([2, 24, 1], seed=0)
print(count_regions(model, page.SQUARE), "pieces")
show_figure(page.region_map(model), "04.map")

# %% [markdown]
r"""
A program follows every crease and counts every piece. The pieces are called **linear regions**. In each of them the
same units are on. (Strictly, these are *activation* regions: should two neighbours have the same slope, we count two.)

Now give the network depth: the same 24 units, stacked as three layers of 8. **How does the number of regions change?**
"""

# %%
predict("04.depth")

# %% tags=["idea"]
wide = [count_regions(random_network([2, 24, 1], seed), page.SQUARE)
        for seed in range(20)]
deep = [count_regions(random_network([2, 8, 8, 8, 1], seed), page.SQUARE)
        for seed in range(20)]

# %%
reveal("04.depth", times=median(np.divide(deep, wide)), seeds=20,
       wide=np.median(wide), deep=np.median(deep))

# %% [markdown]
r"""
Look for yourself, and compare fairly: 1 layer of 24, 2 of 12, 3 of 8, 6 of 4. Watch the count. What does the gain do,
a factor on all weights? Then click on a region. Below the map you see the network along the dashed line, and which
units are on (●) or off (○) there. Click next door, across one crease. What changes in the pattern?
"""

# %%
live_figure(page.explore, **page.explorer_controls())

# %% [markdown] tags=["aha"]
r"""
## 2 How many could there be? (11 min)

So depth made no more regions there. But those weights were random. What could the best weights do?

In the first layer, 8 units draw 8 lines. They cut the plane into at most $1 + 8 + 28 = 37$
regions: one to begin with, one more for each line and for each crossing (exercise 04.1). On
each of these the next layer's sums are affine. So its creases there are straight lines again, 8 at most, and cut the
region into at most 37. So each layer multiplies the bound by 37:
"""

# %% tags=["idea"]
print(f"at most {37**4:,} regions; "
      f"one layer of the same 32 units has at most {1 + 32 + 32 * 31 // 2:,}")

# %% [markdown]
r"""
Now train such a network, on a board of 4×4 squares.
"""

# %% tags=["idea"]
def train(model, X, y, lr=0.01, steps=3000):  # takes some seconds
    optimizer = torch.optim.Adam(model.parameters(), lr)
    for _ in range(steps):
        batch = torch.randint(len(X), (200,))
        loss = ((model(X[batch])[:, 0] - y[batch]) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


torch.manual_seed(0)  # another number, another network
X, new_X = torch.rand(2, 4000, 2) * 2 - 1
# 1 or −1
y, new_y = (1 - 2 * (torch.floor(2 * points).sum(dim=1) % 2) for points in (X, new_X))
model = train(mlp([2, 8, 8, 8, 8, 1], init="he", bias_std=0.1), X, y)
print(f"held-out accuracy: {(model(new_X)[:, 0].sign() == new_y).double().mean():.2f}")

# %% [markdown]
r"""
The bound says: at most {{= format(counting.serra_bound([8] * 4, 2), ",")}}. **How many regions does your network have,
on the square?**
"""

# %%
predict("04.trained")

# %%
trained, counts = count_regions(model, page.SQUARE), recorded("04_counts")
reveal("04.trained", figure=page.four_numbers(model, counts),
       **page.trained_answer(trained))

# %% [markdown]
r"""
There they are, every one. The bound is no empty promise. With these very layers, weights that are built by hand make
{{= format(counting.folded_regions([8] * 4, 2), ",")}} regions: that is what is meant when you read that deep networks
have *exponentially more*. But neither chance nor training comes near. Of twenty networks of this shape, trained on
this board with a tuned one-cycle rate in place of your constant one (right on held-out points:
{{claim 04.board-learned}}), the bound is thousands of times the count ({{claim 04.trained-bound}}). **What a network
can have and what it has are different numbers.**

*→ Now do exercise 04.1. Where do all these bounds come from, and how are half a million regions built? Excursion 04a.*
"""

# %%
feedback("04.counts")

# %% [markdown]
r"""
## 3 Fold by fold (16 min)

How can a network get many pieces on purpose? Lesson 02 folded a line: composed $k$ times, the tent has $2^k$ pieces.
Now fold a sheet of paper, in $x$ and in $y$. A cut through a folded sheet goes through all of its layers. So here is a
plan for a checkerboard: fold $k$ times each way, cut once each way, unfold.

In the pile, $a$ says how far right of the middle a point lies, and $b$ how far above it. Where both have the same
sign, the board is to be blue.
"""

# %% tags=["idea"]
def tent(x):
    return 1 - np.abs(2 * x - 1)


def pile(x, k, shift):
    x = x + shift / 2**k  # shift: in squares
    for _ in range(k):
        x = tent(x)
    return x - 0.5  # from the middle


# %% [markdown]
r"""
Try it for $4 \times 4$ squares, folded along their edges. **What share of the board's area gets the right colour?**
"""

# %%
predict("04.edges")

# %% tags=["idea"]
k = 2
points = np.random.default_rng(0).uniform(size=(100_000, 2))
blue = np.floor(2**k * points).sum(axis=1) % 2 == 0
a, b = pile(points.T, k, shift=0)
share = np.mean((a * b > 0) == blue)

# %%
reveal("04.edges", share=share)

# %% [markdown]
r"""
Play it, and see what lies on what:
"""

# %%
page.play_folding(k, shift=0)

# %% [markdown]
r"""
The crease runs along an edge, so each square is laid on its neighbour, and its neighbour has the other colour.
Whatever you do to the pile, you do to both. No cut can be right on more than a half.

So move the folds by half a square. Now the creases run through the middles of squares: each square is folded onto
itself, and its neighbour to the left onto its neighbour to the right, which has the same colour.
"""

# %% tags=["idea"]
a, b = pile(points.T, k, shift=0.5)  # half a square
print(f"{np.mean((a * b > 0) == blue):.2f} of the points are right")
page.play_folding(k)

# %% [markdown]
r"""
One thing is missing. $ab$ is a product, and a ReLU layer has none. It does not need one: all we want is the sign, and
$|a + b| - |a - b|$ has the sign of $ab$. (Its size is $2 \min(|a|, |b|)$.) Two ReLU units make an absolute value, so
the cut takes four.
"""

# %% tags=["idea"]
def relu(z):
    return np.maximum(z, 0)


def cut(a, b):
    return relu(a + b) + relu(-a - b) - relu(a - b) - relu(b - a)


for folds in range(1, 7):
    board = np.floor(2**folds * points).sum(axis=1) % 2 == 0
    wrong = np.count_nonzero((cut(*pile(points.T, folds, shift=0.5)) > 0) != board)
    print(f"{folds} folds each way, {4**folds:,} squares: {wrong} points wrong")

# %% [markdown]
r"""
A fold is a layer: two units make the tent of $x$, two the tent of $y$. What is affine between two ReLUs is one
`nn.Linear`. So the board of $2^k \times 2^k$ squares takes $k + 1$ hidden layers of four units. Nothing was trained,
and nothing is wrong, at any $k$ that you tried. Here is the network for $k = 3$:
"""

# %%
model = page.folded_board(3)  # the same folds and cut, as nn.Linear and nn.ReLU
print(f"right on {page.share_right(model, 3):.2f} of the area, measured region by region")
show_figure(page.layers_side_by_side(model), "04.layers")

# %% [markdown]
r"""
Each fold makes the stripes half as wide. (Solid lines: $a = 0$; dashed ones: $b = 0$.) The last layer only has to
compare two signs.

*→ Now do exercise 04.2: the folding layers of a board.*
"""

# %% [markdown]
r"""
## 4 The shallow side (9 min)

For $k = 5$ the folds draw $32 \times 32 = 1{,}024$ squares with {{= boards.deep_units(5)}} units. **How many units does
a single hidden layer need for the same board?**
"""

# %%
predict("04.shallow")

# %%
reveal("04.shallow", figure=page.deep_and_shallow(5), units=page.shallow_units(5))

# %% [markdown]
r"""
One layer cannot fold, but it has a trick of its own. Measure in squares, $u = 2^k x$ and $v = 2^k y$, and let a zigzag
run along each of the two diagonals:
"""

# %% tags=["idea"]
def zigzag(t):  # 1 at even numbers, −1 at odd ones, straight between them
    return 1 - 2 * np.abs((t + 1) % 2 - 1)


u, v = 2**5 * points.T
blue = np.floor(2**5 * points).sum(axis=1) % 2 == 0
right = (zigzag(u - v) - zigzag(u + v) > 0) == blue
print(f"{np.mean(right):.2f} right, with {4**5:,} squares")

# %% [markdown]
r"""
Inside the board, $u - v$ passes $2 \cdot 2^k - 1$ whole numbers, and so does $u + v$. At each of them a zigzag bends,
which takes a unit. The first and the last bend of each can go: they only cut off corners. One more unit makes the
linear part that is left. That makes $4 \cdot 2^k - 5$ units, and every one of them serves a whole row of squares.
"""

# %%
model = page.shallow_board(3)  # your zigzags, as nn.Linear and nn.ReLU
print(f"{model[0].out_features} units, "
      f"right on {page.share_right(model, 3):.2f} of the area")
show_figure(page.diagonals(3), "04.diagonals")

# %% [markdown]
r"""
Could one layer do with fewer? **No: with fewer than $4 \cdot 2^k - 5$ units, no weights draw this board.** At each
inner corner, where four squares meet, a rising crease has to cross a falling one. No rising line passes through two of
the black corners in the picture. So there are at least as many rising creases, $2 \cdot 2^k - 3$, and as many falling
ones. That makes all but one of the units; for the last one, excursion 04b has the proof.
"""

# %% tags=["idea"]
for folds in (2, 3, 6, 10):
    print(f"{4**folds:,} squares: folded {4 * (folds + 1)} units; "
          f"one layer {4 * 2**folds - 5:,}")

# %% [markdown]
r"""
That is what depth buys here: another fold costs four units, where one layer has to double. Read neither more nor less
into it. On the smallest boards one layer needs fewer units. And it never needs one for each square: about four times
the square root of their number is enough. Besides, this is one board, and built by hand. Would training find it? From
random weights, the architecture that draws 8 × 8 squares exactly ends with this share of held-out points right:
{{claim 04.scratch-same}}. More of that in excursion 04b.

*→ Now do exercise 04.3: the fewest hinges.*
"""

# %% [markdown]
r"""
## 5 What networks do (8 min)

Was that one network? Or a strange shape? Take 32 units in four shapes: one layer of 32, two of 16, four of 8, eight
of 4. The bound grows with every step, from {{= format(counting.serra_bound([32], 2), ",")}} to
{{= format(counting.serra_bound([4] * 8, 2), ",")}}. Each is trained on the board, with its better initialisation and
its best learning rate. **Which shape has the most regions after training?**
"""

# %%
predict("04.shapes")

# %%
reveal("04.shapes", figure=page.shapes(counts), **page.shape_medians(counts))

# %% [markdown]
r"""
Before training, depth adds no regions here. Where PyTorch draws the weights there are far fewer on the square (four
layers over one: {{claim 04.random-default}}), and with He's larger ones somewhat fewer ({{claim 04.random-depth}}).
Hanin and Rolnick (2019) have proved that on average the count of such random networks grows at most like the square of
the number of units, whatever the depth, if the densities of the biases and the moments of the units' gradients are
bounded alike.

With one learning rate for both, four layers end with somewhat more regions than one
({{claim 04.depth-one-rate}}). With the best rate of each, as in the figure, they end with several times as many
({{claim 04.trained-depth}}). **Most of that is the rate.** The one that suits a single layer best is so large that its
creases end up crossing outside it (regions after training over before: {{claim 04.shallow-loses}}; from PyTorch's
weights, at their best rate, {{claim 04.default-loses}}). To four layers training adds regions
({{claim 04.trained-change}}; from PyTorch's weights, which begin with few, {{claim 04.default-change}}). Exercise 04.4
trains from PyTorch's weights at a low rate, and counts along one line: its numbers are others. Next to what the bound
allows, all of that is little.

And is more better? Eight layers of 4 have the highest bound of all, and learned the board worst (held-out accuracy of
four layers of 8 minus theirs: {{claim 04.narrow-worst}}).

*→ Now do exercise 04.4: pieces along a line, before and after training. What happens when training starts at the folded
board? Excursion 04b.*
"""

# %% [markdown]
r"""
## 6 A smooth curve (13 min)

A board is made for folding. What about a curve that has nothing to do with folds, $x^2$ on $[0, 1]$? Start with $x$,
which is too large. Subtract a tent, a quarter as high. Then two tents, a sixteenth as high; then four. **Each further
step is one more fold. By what factor does it shrink the largest error?**
"""

# %%
predict("04.square")

# %% tags=["idea"]
def square(x, m):
    y, total = x, x
    for s in range(1, m + 1):
        y = tent(y)
        total = total - y / 4**s
    return total


x = np.linspace(0, 1, 2**12 + 1)
errors = [np.abs(square(x, m) - x**2).max() for m in range(1, 7)]

# %%
reveal("04.square", errors=", ".join(f"{error:.2g}" for error in errors))

# %% [markdown]
r"""
Why? The error of $x$ is a hump, $g(x) = x - x^2$. Cut it in half and look at either side: a straight flank, and
on top of it the same hump again, half as wide and a quarter as high. In one line,
$g(x) = \tfrac14 \mathrm{tent}(x) + \tfrac14 g(\mathrm{tent}(x))$. Check it for $x \le \tfrac12$, where
$\mathrm{tent}(x) = 2x$. Use the line $m$ times, and what you have left out is $4^{-m} g$, at most $4^{-(m+1)}$.

As a ReLU network each step is a layer of three units: two fold, and the third carries the running sum. (The sum is
never below $x^2$, so ReLU leaves it alone.) Twenty layers, 60 units, miss $x^2$ by $4^{-21}$ at most, two parts in ten
million million. **How many units does one hidden layer need for that?**
"""

# %%
predict("04.hinges")

# %%
pieces = np.ceil(1 / np.sqrt(8 * 4**-21))  # the least error with N pieces is 1/(8N²)
reveal("04.hinges", figure=page.errors(), units=pieces - 1)

# %% [markdown]
r"""
On a piece of length $h$ no line comes closer to $x^2$ than $h^2/8$; a line through its two ends misses it by $h^2/4$.
And $N$ units make at most $N + 1$ pieces. For an
error four times smaller one layer doubles its units; depth adds three. Look at both ends of the figure, too: up to nine
units one layer is better, and where the points leave the line, floating point has no more digits to give.

From squares come products, $xy = \tfrac12\big((x + y)^2 - x^2 - y^2\big)$, and from products polynomials: that is how
depth's advantage reaches smooth functions (Yarotsky 2017). All of it is built by hand. Nothing here says that training
finds it.

*→ Now do exercise 04.5: $x^2$ by depth.*
"""

# %%
feedback("04.square")

# %% [markdown]
r"""
## 7 What you can now say (5 min)

1. A ReLU network of two inputs is flat on polygons, which can be counted exactly.
2. Each layer can cut every piece again, so the bound multiplies from layer to layer. It is a bound on the best
   weights.
3. Weights built by hand come near it for four layers of 8. And folding is cheap: a board of $4^k$ squares takes
   $4(k+1)$ units in depth. One layer needs $4 \cdot 2^k - 5$, not $4^k$.
4. Random networks had no more regions deep than shallow. Trained at the best rate of each, four layers had several
   times as many on the square as one, most of it by the rate, and still less than a thousandth of their bound.
5. Depth builds $x^2$ with an error that falls fourfold a layer; one layer has to double its units for that.

**What you do not know yet**: whether a function that a random deep network computes is hard for a shallow one
(lesson 05), and why a deep network at random weights learns at all (lesson 06).
"""

# %%
show_figure(page.card(), "04.card")

# %% [markdown]
r"""
**Now the exercises**: the notebook of the same name among the exercises. **Before you close the page**, save your
predictions and comments. In Colab, save a copy as well (*File → Save a copy in Drive*): Colab erases its disk when you
leave.

{{claims}}
"""

# %%
download()
