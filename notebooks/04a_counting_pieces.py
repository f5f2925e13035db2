# %% [markdown]
r"""
# 04a Counting pieces

**How many linear pieces can a network have, how many can you build, and how many do random and trained networks have?**
An excursion from lesson 04, in 19 minutes. Nothing later needs it.
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
from math import comb, prod

import numpy as np
import torch

from utils.claims import claimed, recorded
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_04 import page
from utils.models import mlp
from utils.predictions import predict, reveal
from utils.regions import count_regions, linear_pieces

use_style()
torch.manual_seed(0)
BOARD = ((-1, 1), (-1, 1))
PLANE = ((-1000, 1000), (-1000, 1000))
SQUARE = ((0, 1), (0, 1))

# %% [markdown]
r"""
## 1 One more line (4 min)

Each unit of a first layer creases the plane along a line. So counting the layer's regions, in each of which the same
units are on, is an old puzzle. One line cuts the plane into two parts, two lines into four, three into seven. **You add
a fourth line, which crosses the others at three new points. How many parts are there now?**
"""

# %%
predict("04a.fourth")

# %%
# a₁x₁ + a₂x₂ + b = 0
lines = [(1, -0.4, 0.1), (0.3, 1, -0.2), (1, 1, 0.3), (-1, 0.8, 0.25)]
reveal("04a.fourth", figure=page.lines_added(lines))

# %% [markdown]
r"""
The rule behind the answer holds for any number of lines, so it is already a program:
"""

# %% tags=["idea"]
def most(n):
    regions = 1
    for lines_so_far in range(n):
        regions += lines_so_far + 1  # it crosses them all, and one more
    return regions


# at first use the counting is compiled, for half a minute
for n in (1, 2, 3, 4, 8, 16):
    network = mlp([2, n, 1])
    print(f"{n:2} units: {most(n):3} by adding, "
          f"{comb(n, 0) + comb(n, 1) + comb(n, 2):3} by formula, "
          f"{count_regions(network, PLANE):3} counted in a random network")

# %% [markdown]
r"""
With $d$ inputs, the creases are hyperplanes.

**Proposition** (Steiner 1826, Schläfli about 1852, Zaslavsky 1975). $n$ hyperplanes cut $\mathbb R^d$ into at most
$$r(n, d) = \sum_{j=0}^{d} \binom{n}{j}$$
regions, and exactly so many *in general position*.

Lines are in general position if no two are parallel and no three meet in one point. Random lines almost surely are.
Zaslavsky (1975) counted the regions that other hyperplanes make.

<details><summary>The proof, for any number of inputs</summary>

Add one hyperplane to $n - 1$ others. Within it, the others are $n - 1$ hyperplanes of one dimension less, so they cut
it into at most $r(n - 1, d - 1)$ parts (exactly so many in general position). Each of these parts cuts one region in
two. So $r(n, d) = r(n - 1, d) + r(n - 1, d - 1)$, with $r(0, d) = r(n, 0) = 1$. The sums of binomials obey the same
rule, since $\binom{n}{j} = \binom{n-1}{j} + \binom{n-1}{j-1}$. ∎

</details>

For a fixed number of inputs, this grows like $n^d / d!$: a power of the number of units.

## 2 Each layer cuts each region (2 min)

**Proposition.** ReLU layers of $n_1, \dots, n_L$ units with $d$ inputs make at most $\prod_{l=1}^{L} r(n_l, d)$
regions.

Stand in one region of the first layer. There, what reaches the second layer is *one affine map* of the input. So the
second layer's creases are hyperplanes there, too, and cut this region into at most $r(n_2, d)$ pieces. The same goes
for each region and each further layer. ∎

(Montúfar 2017 has a sharper bound; Raghu et al. 2017 give its order of growth.) The product grows exponentially with
depth. **Change widths and depths:**
"""

# %% tags=["idea"]
for widths in ([8], [8, 8], [8, 8, 8], [8, 8, 8, 8]):  # try others
    bound = prod(most(n) for n in widths)
    networks = [mlp([2, *widths, 1], init="he", bias_std=0.1) for _ in range(20)]
    counts = [count_regions(network, PLANE) for network in networks]
    print(f"{widths}: at most {bound:,}; "
          f"20 random networks have {min(counts)} to {max(counts)}")

# %% [markdown]
r"""
Each layer multiplies the bound by the same factor, but not the counts. Is the bound far too large, or are these
networks far from the best?

## 3 Dimensions that get lost (2 min)

The bound is too large if layers are narrow. Take three units. In a region where two of them are off, only the third
gets through, so the layer maps the region onto a *line*. Later layers see this line, and $n$ units cut it into at most
$n + 1$ pieces. Where all three units are off, later layers see a point, and cut nothing. Serra et al. (2018) keep
account of this. If $j$ of $n$ units are off in a region, what comes through has at most $n - j$ dimensions. There are
at most $\binom{n}{j}$ such regions, one for each choice of the $j$ units, and at most $r(n, d)$ regions in all. The
count is largest if few units are off: all choices with $j \le d$ occur, and no others.

<details><summary>As a theorem</summary>

**Theorem** (Serra, Tjandraatmadja & Ramalingam 2018, theorem 1). ReLU layers of $n_1, \dots, n_L$ units with $d$ inputs
make at most $R_1(d)$ regions, where $R_l(d) = \sum_{j=0}^{\min(d, n_l)} \binom{n_l}{j}\, R_{l+1}(\min(d, n_l - j))$ and
$R_{L+1} = 1$.

</details>
"""

# %% tags=["idea"]
def serra(widths, dimensions=2):
    if not widths:
        return 1
    n, later = widths[0], widths[1:]
    return sum(comb(n, j) * serra(later, min(dimensions, n - j))
               for j in range(min(dimensions, n) + 1))


for widths in ([2, 2, 2], [3, 3, 3], [4, 4, 4], [8, 8, 8, 8]):
    print(f"{widths}: product {prod(most(n) for n in widths):,}, "
          f"with lost dimensions {serra(widths):,}")

# %% [markdown]
r"""
With two inputs, a dimension gets lost where fewer than two units are on. That lowers the bound if a layer has two or
three units, but not if it has four or more. So for four layers of 8, the bound stands. Could it be reached?

## 4 As many as you can build (5 min)

Begin with one input. Many pieces come from *folding*: on every piece of one layer, the function should run through all
that the next layer does. Here are two zig-zags of four units.
"""

# %% tags=["idea"]
def relu(z):
    return np.maximum(z, 0)


def one_side(x):
    return 4 * relu(x) - 8 * relu(x - 1 / 4) + 8 * relu(x - 2 / 4) - 8 * relu(x - 3 / 4)


def both_sides(x):  # one of the four hinges opens to the left
    return (5 - 13.5 * relu(x - 1 / 9) + 9 * relu(x - 3 / 9)
            - 9 * relu(5 / 9 - x) + 9 * relu(x - 7 / 9))


twice = lambda x: both_sides(both_sides(x))  # noqa: E731
functions = {"to one side": one_side, "to both sides": both_sides, "twice": twice}
show_figure(page.zigzags(functions), "04a.zigzags")

# %% [markdown]
r"""
With all hinges open to one side, four units make four pieces. That is the construction of Montúfar, Pascanu, Cho &
Bengio (2014). Serra et al. (2018) turn a hinge around, and gain a piece.

**Theorem** (Serra, Tjandraatmadja & Ramalingam 2018). With one input, the most pieces a ReLU network can have are
$\prod_l (n_l + 1)$, if all layers but the last have at least three units.

Count what we built:
"""

# %% tags=["idea"]
# what happens with two units in the first layer?
for widths in ([4], [4, 4], [4, 4, 4], [3, 5, 7]):
    pieces = linear_pieces(page.folding_network(widths, 1), (0, 1))
    print(f"{widths}: at most {prod(n + 1 for n in widths)}, built {len(pieces.slopes)}")

# %% [markdown]
r"""
With two inputs, each coordinate gets half of a layer's units and its own zig-zag. So the plane is folded into boxes.
The last layer cuts the folded square by lines in general position, here eight that touch a parabola. Unfold the square,
and every box has all of these cuts. Here are two layers of 8 units:
"""

# %%
names = {"hinges to one side": False, "hinges to both sides": True}
networks = {name: page.folding_network([8, 8], both_sides=both)
            for name, both in names.items()}
show_figure(page.region_maps(networks, SQUARE), "04a.folds")

# %% [markdown]
r"""
That is $4^2$ boxes on the left and $5^2$ on the right, with $r(8, 2) = 37$ regions each. With more layers, every layer
but the last multiplies the boxes.

**Theorem** (Montúfar et al. 2014, Serra et al. 2018). With $n_0$ inputs, the best network with widths $n_l \ge n_0$ has
at least this many regions:
$$\text{Montúfar: } \prod_{l<L} \Bigl\lfloor \frac{n_l}{n_0} \Bigr\rfloor^{n_0} \sum_{j \le n_0} \binom{n_L}{j},
\qquad \text{Serra: } \prod_{l<L} \Bigl(\Bigl\lfloor \frac{n_l}{n_0} \Bigr\rfloor + 1\Bigr)^{n_0}
\sum_{j \le n_0} \binom{n_L}{j} \text{ if } n_l \ge 3 n_0.$$

Both are **lower bounds on the maximum**. For four layers of 8, we count every region:
"""

# %% tags=["idea"]
for name, both in names.items():
    network = page.folding_network([8, 8, 8, 8], both_sides=both)
    boxes = (5 if both else 4) ** 2
    print(f"{name}: {boxes}³ · 37 = {boxes**3 * 37:,}; "
          f"counted: {count_regions(network, SQUARE):,}")
print(f"the bound: {serra([8, 8, 8, 8]):,}")

# %% [markdown]
r"""
So the bound is only $(37/25)^3 \approx 3.2$ times what you just counted. The best network lies between the two.

## 5 What chance makes (3 min)

Random networks stay far below the bound. Does depth help them? **Put 256 units into four layers of 64 instead of one
layer. How does the number of regions on the board, $[-1, 1]^2$, change?** (We use He's initialisation, and biases with
a standard deviation of {{= counting.BIAS_STDS[counting.HE]}}.)
"""

# %%
predict("04a.deeper")

# %%
growth = recorded("04_growth")
reveal("04a.deeper", figure=page.grown(growth), times=claimed("04.random-grown"),
       power=claimed("04.random-square"), **page.grown_medians(growth))

# %% [markdown]
r"""
Part of what you see is proved:

**Theorem** (Hanin & Rolnick 2019, "Deep ReLU networks have surprisingly few activation patterns", theorem 5). Let a
ReLU network have one output and independent random weights, with a density; let one constant bound the joint density of
any biases, given everything else, and another one all moments of each unit's gradient. Then in every cube that is not
too small, the *expected* number of regions, per volume, is at most
$$\frac{(T N)^{d}}{d!},$$
with $N$ units in all and $d \le N$ inputs. $T$ depends on the two constants alone, so depth matters only through them.

So with two inputs, what counts is the square of the number of units. The theorem says nothing about training. But in
the authors' experiments, the count stays near that value during training, too.

## 6 What training makes (3 min)

Finally, we let 32 units in four shapes learn the board of $4 \times 4$ squares, from 2,000 points, in 4,000 steps of
Adam with a one-cycle rate. Validation points choose the better of the two initialisations, and the best of seven rates.
The table shows medians over 20 seeds. ("PyTorch" and "He" are counts before training; "plane" is the count on a far
wider square.)
"""

# %%
counts = recorded("04_counts")
page.print_shapes(counts)

# %% [markdown]
r"""
Training ends with far fewer regions than you can build. Does depth make a difference? Four layers have
{{claim 04.trained-depth}} times as many regions as one, and {{claim 04.trained-beyond}} times as many as one layer of
32 could have at best, $r(32, 2)$. But each shape has its own rate here. (From wider biases, one layer does about as
well at a smaller rate, which leaves it more regions: see section 5 of the lesson.) Here are all rates, from He's
initialisation. The last column gives the ratio from PyTorch's:
"""

# %%
page.print_rates(counts)

# %% [markdown]
r"""
**At one rate that works for both, most of depth's lead is gone**: at .03, four layers have {{claim 04.depth-one-rate}}
times as many regions as one (from PyTorch's weights, {{claim 04.default-one-rate}} times). But one layer is best at .3.
There, training leaves it far fewer regions on the board, and it is *more* accurate: a count of regions does not say how
good a network is. The regions are not lost: the creases now cross outside the board. On a square a thousand
times as wide, one layer has {{claim 04.shallow-moved}} times as many regions as on the board (four layers:
{{claim 04.trained-plane}} times). Out there, four layers have only {{claim 04.depth-plane}} times as many as one.
"""

# %%
feedback("04a.counting")

# %% [markdown]
r"""
**What you can now say.** One layer of $n$ units with two inputs can have $1 + n + n(n-1)/2$ regions. Each further layer
multiplies the bound, and for four layers of 8, folding builds about a third of it. Random networks have far fewer,
about the square of their number of units, whatever their depth. Training does not close the gap: the hand-built network
has {{claim 04.trained-built}} times the regions of a trained one of its shape. And more regions are not better.

**What you do not know.** What is the true maximum, for most widths? And are the pieces of a deep network *better
placed*? No count can tell.

{{claims}}
"""

# %%
download()
