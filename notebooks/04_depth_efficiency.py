# %% [markdown]
r"""
# 04 Depth efficiency: checkerboards and linear regions

A ReLU network is made of flat pieces. **How many can a network have, and how many does it have?** You will see every
piece of networks that you choose, fold a board of {{= format(4**6, ",")}} squares with {{= boards.deep_units(6)}}
units, and find out how many pieces training makes.

*73 minutes, five lines of yours included, and about 50 more for the exercises. You need lessons 01
and 02, and lesson 03 for the three questions at the start.*
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np
import torch

from utils.claims import claimed, recorded
from utils.exercises import yours
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_04 import page
from utils.models import mlp
from utils.playground import playground
from utils.predictions import ask, predict, reveal
from utils.regions import count_regions
from utils.statistics import median

use_style()
count_regions(mlp([2, 1, 1]), page.SQUARE)  # compiled here, once
torch.set_num_threads(1)  # networks this small lose time where two cores share the work

# %% [markdown]
r"""
## Three questions about lesson 03 (2 min)
"""

# %%
ask("04.before-spiral", "04.before-probe", "04.before-units")

# %% [markdown]
r"""
## 1 Every piece in front of you (12 min)

A network with two inputs is a surface over a square. Each ReLU unit creases it along a line; between the creases it is
flat. On one side of its crease the unit is **on**: its sum is above 0. On the other side it is off. **Write the line
that says which units of a layer are on**, at many points at once. `X` [points, 2] has one row per point, `W` [units, 2]
one row per unit, and `b` [units] the number that each unit adds to its sum. (Replace the three dots. If you are stuck,
the line lies below; and whatever you do, the page goes on.)
"""

# %% tags=["idea"]
# BEGIN BLANK
def pattern(X, W, b):
    """Return which units are on, True or False [points, units]."""
    return X @ W.T + b > 0
# END BLANK

# %% [markdown]
r"""
Here are 24 units with random weights, seen from above, with each flat piece in its own shade. Inside a piece, the same
units are on everywhere, so your function can count the pieces:
"""

# %%
pattern = yours("04.pattern")


def random_network(sizes, seed):
    generator = torch.Generator().manual_seed(seed)
    return mlp(sizes, init="he", bias_std=0.5, generator=generator)


model = random_network([2, 24, 1], seed=0)
W, b = (numbers.detach().numpy() for numbers in model[0].parameters())
grid = np.linspace(-1, 1, 400)
X = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2)
print(len(np.unique(pattern(X, W, b), axis=0)), "patterns at 160,000 points")
print(count_regions(model, page.SQUARE), "pieces")
show_figure(page.region_map(model), "04.map")

# %% [markdown]
r"""
Your points miss the smallest pieces. The second number comes from a program that follows every crease. The pieces are
called **linear regions**. (Strictly, we count patterns: neighbouring pieces of equal slope count as two.)

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
reveal("04.depth", times=median(np.divide(deep, wide)), seeds=20)

# %% [markdown]
r"""
Now compare fairly: one layer of 24, two of 12, three of 8, six of 4. (Click on the units to change them; *Other seed*
draws other weights.) Then click on a region. Below the map you see which units are on there. Click next door, across
one crease. **What changes in the pattern?**
"""

# %%
playground(data="none", layers=[24], against=None, bias_std=0.5, saved=True)

# %% [markdown] tags=["aha"]
r"""
## 2 How many could there be? (11 min)

Those networks had random weights. How many regions could the best weights make?

In the first layer, $n$ units draw $n$ lines. They cut the plane into at most $1 + n + n(n-1)/2$ regions: one to begin
with, one more for each line, and one more for each crossing of two lines (exercise 04.1). On each of these regions, the
next layer's sums are [affine](../reference/glossary.md): weighted sums of the two inputs plus a constant. So within a
region, that layer's creases are straight lines again, and $n$ lines cut it into no more pieces than a whole plane.
**Write the line that returns the bound** for a network with hidden layers of any `widths`, such as [8, 8].
"""

# %% tags=["idea"]
# BEGIN BLANK
def bound(widths):
    """Return the most regions that layers of these widths could make."""
    return np.prod([1 + n + n * (n - 1) // 2 for n in widths])
# END BLANK

# %%
bound = yours("04.bound")
print(f"four layers of 8 units: at most {bound([8, 8, 8, 8]):,.0f} regions; "
      f"one layer of the same 32: at most {bound([32]):,.0f}")

# %% [markdown]
r"""
Now train four layers of 8 on a board of 4×4 squares.
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
**How many regions does your network have on the square?**
"""

# %%
predict("04.trained")

# %%
trained, counts = count_regions(model, page.SQUARE), recorded("04_counts")
reveal("04.trained", figure=page.four_numbers(model, counts),
       right=claimed("04.board-learned"), over=claimed("04.trained-bound"),
       **page.trained_answer(trained))

# %% [markdown]
r"""
**What a network can have and what it has are different numbers.**

*→ Now do exercise 04.1. Where do all these bounds come from, and how do you build networks that come near them?
Excursion 04a.*
"""

# %%
feedback("04.counts")

# %% [markdown]
r"""
## 3 Fold by fold (17 min)

How do you give a network many pieces on purpose? Lesson 02 folded a line: composed $k$ times, the tent has $2^k$
pieces.
"""

# %% tags=["idea"]
def relu(z):
    return np.maximum(z, 0)


def tent(x):
    return 1 - np.abs(2 * x - 1)


def folded(x, k):
    for _ in range(k):
        x = tent(x)
    return x


# %% [markdown]
r"""
Now fold a sheet of paper, in $x$ and in $y$. A cut through the pile goes through everything that lies there. So here is
a plan for a checkerboard of $2^k \times 2^k$ squares, on a sheet that reaches from 0 to 1 each way: fold $k$ times each
way, cut once each way, unfold.

**Write the line that returns where a point of the sheet ends up in the pile.** First push the sheet to the right by
`shift` squares (a square is $1/2^k$ wide). Then fold it $k$ times. Return how far to the right of the pile's middle, ½,
the point now lies, as a negative number if it lies to the left.
"""

# %% tags=["idea"]
# BEGIN BLANK
def pile(x, k, shift):
    """Return how far right of the pile's middle the points x [points] end up."""
    return folded(x + shift / 2**k, k) - 0.5
# END BLANK

# %%
pile = yours("04.pile")
points = np.random.default_rng(0).uniform(size=(100_000, 2))


def board(k):  # True on blue squares
    return np.floor(2**k * points).sum(axis=1) % 2 == 0


def share_right(k, shift):
    a, b = pile(points.T, k, shift)
    return np.mean((a * b > 0) == board(k))


# %% [markdown]
r"""
Call your line's result $a$ for $x$ and $b$ for $y$, and paint a point blue if $a$ and $b$ have the same sign. Try that
for $4 \times 4$ squares without a shift, so that all folds run along edges of squares. **What share of the board's area
gets the right colour?**
"""

# %%
predict("04.edges")

# %%
reveal("04.edges", share=share_right(2, shift=0))

# %%
page.play_folding(2, shift=0, answers="04.edges")

# %% [markdown]
r"""
So move the folds by half a square. Now the creases run through the middles of squares, so each square is folded onto
itself, and its left neighbour onto its right one. (In the film, the outer halves of the last squares stick out on the
left and below. No fold brings them back, but their colour is right.)
"""

# %% tags=["idea"]
print(f"{share_right(2, shift=0.5):.2f} of the points are right")
page.play_folding(2, shift=0.5)

# %% [markdown]
r"""
One thing is missing. The code asks for the sign of $ab$, and a ReLU layer cannot multiply. But $|a + b| - |a - b|$ has
the same sign, and two ReLU units make an absolute value, $|z| = \mathrm{relu}(z) + \mathrm{relu}(-z)$. **Write the line
that returns this difference**, with four calls of `relu`.
"""

# %% tags=["idea"]
# BEGIN BLANK
def cut(a, b):
    """Return |a + b| - |a - b| [points], from four ReLU units."""
    return relu(a + b) + relu(-a - b) - relu(a - b) - relu(b - a)
# END BLANK

# %%
cut = yours("04.cut")
for k in range(1, 7):
    a, b = pile(points.T, k, shift=0.5)
    wrong = np.count_nonzero((cut(a, b) > 0) != board(k))
    print(f"k = {k}, {4**k:,} squares, {4 * (k + 1)} units: {wrong} points wrong")

# %% [markdown]
r"""
Now for the units. Each fold is a layer: two units make the tent of $x$, two the tent of $y$. The cut is one more layer
of four. All that is affine between two layers fits into one `nn.Linear`. So $2^k \times 2^k$ squares take $k + 1$
hidden layers of four units. Nothing was trained, and nothing is wrong.

*→ Going further: exercise 04.2 builds the layers.*
"""

# %% [markdown]
r"""
## 4 The shallow side (10 min)

For $k = 5$, the folds draw $32 \times 32 = 1{,}024$ squares with {{= boards.deep_units(5)}} units. **How many units
does a single hidden layer need for the same board?**
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
right = (zigzag(u - v) - zigzag(u + v) > 0) == board(5)
print(f"{np.mean(right):.2f} right, with {4**5:,} squares")

# %% [markdown]
r"""
Inside the board, $u - v$ passes $2 \cdot 2^k - 1$ whole numbers, and so does $u + v$. At each of them a zigzag bends,
which takes a unit. The first and the last bend of each zigzag can go, since only a corner of the board lies beyond each
of them. What is left without the bends is straight, and takes one more unit. That makes $4 \cdot 2^k - 5$ units, and
each crease serves a whole diagonal of squares.
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
the black corners in the picture, so each of them needs a rising crease of its own: $2 \cdot 2^k - 3$ in all. In the
same way, it takes as many falling ones. That accounts for all units but one; excursion 04b has the proof for the last.
"""

# %% [markdown]
r"""
That is what depth buys here: one more fold costs four units, where one layer has to double its units. But on the
smallest boards, one layer needs fewer, and it never needs one unit per square: about four times the square root of the
number of squares is enough. And these networks are built by hand. Would training find the folds? From random weights,
the architecture that can draw 8 × 8 squares exactly ends with {{claim 04.scratch-same}} of held-out points right.
Excursion 04b has more.

*→ Now do exercise 04.3: the fewest hinges.*
"""

# %% [markdown]
r"""
## 5 What networks do (7 min)

In section 2 you trained one network. Was it an exception, or is its shape one? Take 32 units in four shapes: one layer
of 32, two of 16, four of 8, eight of 4. The bound grows from each shape to the next, from
{{= format(counting.serra_bound([32], 2), ",")}} to {{= format(counting.serra_bound([4] * 8, 2), ",")}}. We trained each
shape on the same board, twenty times, with its better initialisation (PyTorch's, or He's weights with random biases of
size {{= counting.BIAS_STDS[counting.HE]}}) and its best learning rate. **Which shape has the most regions after
training?**
"""

# %%
predict("04.shapes")

# %%
reveal("04.shapes", figure=page.shapes(counts),
       one_rate=claimed("04.depth-one-rate"), best_rate=claimed("04.trained-depth"),
       wider=claimed("04.biases-depth"), left=claimed("04.shallow-loses"),
       **page.shape_medians(counts))

# %% [markdown]
r"""
Before training, depth adds no regions here. With He's weights, four layers have {{claim 04.random-depth}} times as many
as one layer; with PyTorch's weights, which are smaller, four layers have far fewer. Hanin and Rolnick (2019) proved
that on average, the number of regions of such networks grows at most like the square of the number of units, whatever
the depth. (Excursion 04a states the conditions on biases and gradients.)

Are more regions better? Eight layers of 4 have the highest bound of all, and they learned the board worst: their
held-out accuracy was {{claim 04.narrow-worst}} below that of four layers of 8.

*→ Now do exercise 04.4: pieces along a line, before and after training. What happens when training starts at the folded
board? Excursion 04b.*

<details><summary>After the exercise: and one layer?</summary>

Its pieces hardly change: the exercise's rate, {{= line_runs.RATE}}, is too low to move its creases out of the square.

</details>
"""

# %% [markdown]
r"""
## 6 A smooth curve (12 min)

A board is made for folding. What about a curve that has nothing to do with folds, such as $x^2$ on $[0, 1]$? Start with
$x$, which is too large. Step 1 subtracts a tent of height $\tfrac14$. Step 2 subtracts two tents side by side, of
height $\tfrac1{16}$; step 3 subtracts four tents of height $\tfrac1{64}$; and so on. **Write the line that returns what
step $s$ subtracts.** (`folded`, from section 3, makes the tents.)
"""

# %% tags=["idea"]
# BEGIN BLANK
def term(x, s):
    """Return what step s, from 1, subtracts at the points x [points]."""
    return folded(x, s) / 4**s
# END BLANK

# %%
term = yours("04.term")


def square(x, m):
    return x - sum(term(x, s) for s in range(1, m + 1))


x = np.linspace(0, 1, 2**12 + 1)
for m in range(1, 7):
    error = np.abs(square(x, m) - x**2).max()
    print(f"m = {m}: the largest error is {error:.2g} = 1 / {1 / error:,.0f}")

# %% [markdown]
r"""
**Proposition** (Yarotsky 2017). $m$ steps, or $m$ layers of three ReLU units, miss $x^2$ on $[0, 1]$ by at most
$4^{-(m+1)}$.

Each step leaves a quarter of the error. Why? The error of $x$ is a hill, $g(x) = x - x^2$. Each half of it is a
straight slope with the same hill again on top, half as wide and a quarter as high. In one line,
$g(x) = \tfrac14 \mathrm{tent}(x) + \tfrac14 g(\mathrm{tent}(x))$. Use this line $m$ times, and what you have left out
is $4^{-m} g$, at most $4^{-(m+1)}$. ∎

In a ReLU network, each step is a layer of three units: two fold, and the third carries the running sum. (The sum is
never below $x^2$, so ReLU leaves it alone.) Twenty layers, 60 units, miss $x^2$ by at most $4^{-21}$, which is about
{{= format(4.0**-21, ".0e")}}. **How many units does one hidden layer need for that error?**
"""

# %%
predict("04.hinges")

# %%
pieces = np.ceil(1 / np.sqrt(8 * 4**-21))  # the least error with N pieces is 1/(8N²)
reveal("04.hinges", figure=page.errors(), units=pieces - 1)

# %% [markdown]
r"""
From squares come products, $xy = \tfrac12\big((x + y)^2 - x^2 - y^2\big)$, and from products polynomials: that is how
depth's advantage reaches smooth functions (Yarotsky 2017). All of it is built by hand. Nothing here says that training
finds it.

*→ Going further: exercise 04.5 builds this network.*
"""

# %%
feedback("04.square")

# %% [markdown]
r"""
## 7 What you can now say (2 min)

1. A ReLU network with two inputs is flat on polygons, which can be counted exactly.
2. Each layer can cut every piece again, so the bound multiplies from layer to layer. It is a bound for the best
   weights.
3. Weights built by hand come near it for four layers of 8. And folding is cheap: a board of $4^k$ squares takes a deep
   network $4(k+1)$ units. One layer needs $4 \cdot 2^k - 5$, not $4^k$.
4. Random deep networks had no more regions than shallow ones. Trained at their best rates, four layers had several
   times as many regions on the square as one layer, but less than a thousandth of their bound. The lead's size depended
   on the rate and on the initial biases.
5. Depth builds $x^2$ with an error that each layer divides by four; one layer has to double its units for that.

**What you do not know yet**: whether a function that a random deep network computes is hard for a shallow one (lesson
05), and why a deep network with random weights learns at all (lesson 06).
"""

# %%
show_figure(page.card(), "04.card")

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
