# %% [markdown]
r"""
# 01 Universal approximation: what can one hidden layer do?

A network with one hidden layer is a sum of simple bent or S-shaped pieces. **Which functions can such a sum come close
to, how many units does it take, and does training find them?** This is what depth will have to beat.

**After this lesson you can**

- say what a hidden layer adds to logistic regression, and why linear layers in a row add nothing;
- state the universal approximation theorem with its hypotheses, and show for four of them what goes wrong without it;
- write down, without training, a network that approximates a given function, and certify its error;
- tell apart what a network **can represent** and what training **finds**, and measure the difference.

**You need** derivatives, NumPy arrays, what a layer of a neural network computes (weights, a bias, and an
**activation** function), and to have trained a small classifier in PyTorch once: cross-entropy, Adam, a learning rate.
**Time:** about 90 minutes, and two and a half hours with the proofs and parts marked *optional*; sections 2, 3–4, 5–10
and 11 can be read on different days. The exercises take about 100 minutes more.

Numbers that carry a conclusion here come with the word *proved*, from the page in front of you, or with a **claim**: a
sentence with a name, the number of seeds behind it, an interval, and what would refute it. (The interval shown is one
of 95 %. To refute a claim takes a wider one, of 99.9 %, so that of a hundred true claims chance refutes none.) The rest
are single examples, and say so. `make claims` measures all claims again, with fresh seeds.
"""

# %%
# set-up
from functools import partial

import matplotlib.pyplot as plt
import numpy as np
import torch
from ipywidgets import Dropdown, FloatSlider, IntSlider, SelectionSlider

from utils.claims import recorded, show_claim
from utils.constructions import (
    evaluate_hinges,
    evaluate_steps,
    interpolation_bound,
    relu_interpolant,
    sigmoid_staircase,
    staircase_bound,
    sup_error,
)
from utils.figures import show_figure, use_style
from utils.keeping import download, feedback
from utils.lesson_01 import cosines_figures, curves_figures, learning_figures, planes_figures, rings_figures
from utils.lesson_01.cosines import measure_cosines
from utils.lesson_01.curves import CURVES, LARGEST, built_errors, curve_scores, train_on_curve
from utils.lesson_01.hypotheses import SWITCHES, measure_switches, train_switch
from utils.lesson_01.learning import built, learned
from utils.lesson_01.rings import measure_rings, ring, ring_bayes_accuracy, ring_parts, with_squares
from utils.lesson_01.widgets import TARGETS, hinge_builder, moved_knots, switchboard, width_slider
from utils.models import mlp
from utils.plots import plot_errors, plot_hinges, plot_interpolant
from utils.predictions import predict, reveal
from utils.training import train_ensemble
from utils.widgets import live_figure

use_style()
SEED = 0


def seeded(seed):
    """A generator of our own: nothing here touches PyTorch's global one."""
    return torch.Generator().manual_seed(seed)

# %% [markdown]
r"""
## 1 Predict first

Further down we write down a network with 20 hidden units that follows $\sin x$ on $[-5, 5]$; a short proof
will certify that it is nowhere off by more than {{= 0.5**2 / 8}}. **You double the number of hidden units. How large is
the new largest error, compared with the old one?** Commit to an answer; the lesson comes back to it.
"""

# %%
predict("01.doubling", ["a half", "a quarter", "an eighth", "about a thousandth"])

# %% [markdown]
r"""
## 2 From features made by hand to features that are learned

Two classes on two noisy rings around the origin, of radius ½ and 3/2; a point's distance from the origin has a normal
error of {{= rings.NOISE}}. There are 100 points to train on. Two more parts are drawn independently of them: 1,000
**validation** points, to choose settings with, and 4,000 **held-out** points, which are used for nothing but the
report. The rings overlap, so that nobody can be right always: the best of all classifiers, which knows the densities,
reaches the accuracy printed below.
"""

# %%
parts = ring_parts(generator=seeded(SEED))
(X, y), _, (X_test, y_test) = parts

show_figure(rings_figures.rings_of_points(X, y), """A hundred points in the plane: fifty blue circles scattered around a
thin ring of radius one half, so that they fill a disc, and fifty orange squares around a ring of radius one and a
half. Some points of each class lie among the other.""")
print(f"the best of all classifiers: {ring_bayes_accuracy():.3f}")

# %% [markdown]
r"""
### A line

Logistic regression is a network without a hidden layer: it draws a straight line. Without noise the *best* line would
be right for $\frac12 + \frac{1}{2\pi} \arccos \frac13 \approx 0.696$ of the points. It touches the inner ring at
distance ½ from the origin, so that all of that ring is on one side, and cuts off an arc of angle $2 \arccos \frac13$
from the outer one, whose radius is three times that distance. With our noise the best line is right for about 0.64.
**How accurate will logistic regression be on held-out points?**
"""

# %%
predict("01.line", ["about 0.64: it finds the best line", "about 0.58", "about 0.53: hardly better than a coin"])

# %%
def trained(sizes, parts, activation="relu", starts=10):
    """The best of ten starts, by training loss: 2,000 steps of Adam on all training points."""
    models = [mlp(sizes, activation, generator=seeded(SEED + start)) for start in range(starts)]
    histories = train_ensemble(models, *parts[0], epochs=2000, lr=0.03)
    return models[np.argmin([history.loss[-1] for history in histories])]


def accuracy(model, part):
    features, labels = part
    with torch.no_grad():
        return (model(features).argmax(1) == labels).double().mean().item()


# %%
line = trained([2, 2], parts)
print(f"one data set: training {accuracy(line, parts[0]):.2f}, held-out {accuracy(line, parts[2]):.2f}")

# %% [markdown]
r"""
One data set says little. From here on a comparison means: **20 seeds**, each with points and initial weights of its
own; nine learning rates from {{= min(rings.RING_RATES)}} to {{= max(rings.RING_RATES)}} for every network, of which the
one with the best median accuracy on the validation points is taken; accuracy on the held-out points; the median over
the seeds with its **interval**, which covers the true median in at least 95 of 100 repetitions. `measure_rings` in
`utils/lesson_01/rings.py` does just that, for all the networks of this section in one go:
{{= 20 * len(rings.RINGS) * len(rings.RING_RATES)}} trainings, which take from ten seconds to a minute. Read on
meanwhile.
"""

# %%
rings = measure_rings(seeds=range(20))
reveal("01.line", f"{np.median(ring(rings, 'line')):.2f}, the median of 20 seeds", right=3)
show_claim("01.line", rings)

# %% [markdown]
r"""
It does not find the best line, and that is no accident of training. Turn all points around the origin by some angle:
the rings look the same, so with endless data turned weights $w$ have the same loss as the old ones. The loss of
logistic regression is convex in $w$ and the bias, so the mean of all the turned weights, which is $w = 0$, is at
least as good as they are. The best model says "one half" everywhere. (With 100 points the rings are not quite
symmetric, which leaves a little more than a half.) A better line for *accuracy* exists; *cross-entropy*, which is
what training lowers, does not want it.

### Features made by hand

Give the same logistic regression two more inputs, $x_1^2$ and $x_2^2$, and a line in the new space can be a circle in
the old one.
"""

# %%
squares = trained([4, 2], with_squares(parts))
print(f"one data set: held-out {accuracy(squares, with_squares(parts)[2]):.3f}")
show_claim("01.hand-made", rings)

# %% [markdown]
r"""
This works because somebody knew the answer. Which features for a face, a sentence, a scan? **Learn them.**

### A "deep" network that is not

Put layers in a row, then: $2 \to 10 \to 10 \to 2$, without activations. The second layer of the first is
$W_2 (W_1 x + b_1) + b_2 = (W_2 W_1)\, x + (W_2 b_1 + b_2)$, again one matrix and one bias. However many layers, the
result is affine, and the boundary a straight line. (Exercise 01.1 collapses such a stack.)
"""

# %%
linear = trained([2, 10, 10, 2], parts, "identity")
W, b = torch.eye(2), torch.zeros(2)
with torch.no_grad():
    for layer in linear:
        if isinstance(layer, torch.nn.Linear):
            W, b = layer.weight @ W, layer.weight @ b + layer.bias
    difference = (linear(X_test) - (X_test @ W.T + b)).abs().max().item()
print(f"three layers, and the one that they are: do their outputs agree to 1e-5? {difference < 1e-5}")
show_claim("01.deep-linear", rings)

# %% [markdown]
r"""
### One nonlinearity changes everything

Now one hidden layer *with* an activation: $\operatorname{ReLU}(z) = \max(z, 0)$. Each hidden unit is a learned feature:
zero on one side of a line, rising on the other. The output layer is still a logistic regression, on these features.

**Two units cannot close a ring.** *Proof (optional).* Let $g = c + a_1 \operatorname{ReLU}(u_1) + a_2
\operatorname{ReLU}(u_2)$ be the difference of the two outputs, where $u_1, u_2$ are affine functions of $x$, and
suppose that $\{g < 0\}$ is bounded and not empty. If $u_1$ and $u_2$ depend on $x$ through the same direction (or one
of them not at all), then $g$ is constant along the perpendicular, and $\{g < 0\}$ is unbounded. Otherwise $(u_1,
u_2)$ are coordinates of the plane. On the quadrant $u_1, u_2 \le 0$, which is unbounded, $g = c$: so $c \ge 0$. Along
$u_1 \to \infty$, $u_2 \le 0$, $g = c + a_1 u_1$: so $a_1 \ge 0$, and likewise $a_2 \ge 0$. Then $g \ge 0$ everywhere:
a contradiction. The same holds for $\{g > 0\}$, with $-g$. ∎

**Three units can:** $g = \operatorname{ReLU}(u_1) + \operatorname{ReLU}(u_2) + \operatorname{ReLU}(u_3) - c$ with three
lines around the origin is negative on a triangle with cut corners.
"""

# %%
models = {width: trained([2, width, 2], parts) for width in (2, 3, 5, 10)}
named = {f"{width} units: {accuracy(model, parts[2]):.2f}": model for width, model in models.items()}
show_figure(rings_figures.boundaries(named, X, y), """Four squares with the same hundred points, shaded by the class
that a trained network chooses, for 2, 3, 5 and 10 hidden units, with held-out accuracies in the titles. With two units
the inner class's region is open: it runs off to the upper left. With three and with five it is a closed polygon with
six or seven corners. With ten it is rounder, but for one narrow spike that reaches out for a single blue point.""")
show_claim("01.third-unit", rings)

# %% [markdown]
r"""
The boundaries are made of straight pieces, with any number of ReLU units. More units allow more corners. With
ten, one of them is a spike around a single blue point: a first look at what is called overfitting, further down.

**What has been learned?** Below, the three hidden units of a network with three: each is a ramp, white where it is
zero. The output layer adds them up with the weights in the titles; on the right is the line where the sum changes
sign.
"""

# %%
show_figure(rings_figures.hidden_units(models[3]), """Three grey squares, one for each hidden unit after its ReLU: white
where the unit is zero, up to a straight line, then darker and darker, towards the bottom in the first, the right in
the second and the upper left in the third. All three enter with a positive weight. A fourth square shows where the
sum changes sign: a closed polygon around the origin.""")
show_claim("01.learned-features", rings)

# %% [markdown]
r"""
### Too few units, too many

Now the width, up to as many units as there are training points. The rate also decides how far 2,000 steps go: a small
one stops early. So choose it twice: as it should be chosen, on the validation points, and as it should not, by the
training loss, which wants every point learned by heart.
"""

# %%
show_figure(rings_figures.accuracy_by_width(rings), """Two plots of the median accuracy over 20 seeds, with intervals,
against 2, 3, 5, 10, 30 and 100 hidden units; a dotted line marks the best possible held-out accuracy.
Left, the rate chosen on validation points: held-out accuracy rises from two units on up to the dotted line with 100,
and training accuracy lies a little above that line from three units on. Right, the rate chosen by training loss:
training accuracy rises to 1, held-out accuracy has its peak at five units and falls slowly from there.""")
show_claim("01.width-is-harmless", rings)

# %% [markdown]
r"""
Two units **underfit**: they are wrong on the training points, too, and the proof above says why. The widest network
does no harm by itself: trained gently, it is as good as any here. (That training accuracy lies above the best
possible is no contradiction: the dotted line is for points that have not been seen.) Now by heart:
"""

# %%
show_claim("01.by-heart", rings)
show_claim("01.overfit", rings)
show_claim("01.overconfident", rings)

# %% [markdown]
r"""
That is **overfitting**: right on every training point, noise included, and worse on new ones. How much worse depends on
what is measured. The held-out *accuracy* loses little; the usual sketch, in which the held-out error climbs steeply
again, promises more than these rings show. The held-out *cross-entropy* is multiplied: the network is sure of itself
where it is wrong. And it was the way of choosing the rate that did it, not the width alone.
"""

# %%
feedback("01.features")

# %% [markdown]
r"""
## 3 The theorem, with its hypotheses

A network with one hidden layer of $N$ units, $d$ inputs and one output computes

$$ g(x) = b + \sum_{i=1}^{N} a_i \, \sigma(w_i \cdot x + b_i), \qquad x \in \mathbb{R}^d . $$

The output layer is affine: no activation $\sigma$ is applied to the sum. The biases $b_i$ and $b$ belong to it.

**Theorem** (Leshno, Lin, Pinkus & Schocken 1993). Fix $d \ge 1$. Let $\sigma : \mathbb{R} \to \mathbb{R}$ be locally
bounded (bounded on every bounded interval), and let the closure of the set of its discontinuities (that set with all
its limit points) have measure zero: it can be covered by intervals whose lengths add up to as little as you like, as
the jumps of a staircase can. Then the following are equivalent:

1. for every continuous $f : \mathbb{R}^d \to \mathbb{R}$, every **compact** (closed and bounded)
   $K \subset \mathbb{R}^d$ and every $\varepsilon > 0$ there are an $N$ and weights with
   $\sup_{x \in K} |f(x) - g(x)| < \varepsilon$ (the **sup-norm**: the largest error on $K$);
2. $\sigma$ does **not** agree with any **polynomial** almost everywhere, that is, outside a set of measure zero.

Every activation in this course satisfies all of this, but for two that are polynomials: the identity and $z^2$.

One direction is short. If $\sigma$ is a polynomial of degree $k$, then every $g$ is one of degree at most $k$, however
large $N$ is. Suppose that such polynomials came arbitrarily close to $\sin$ on $[0, 1]$. A polynomial of degree at most
$k$ is known by its values at $k + 1$ fixed points, and depends continuously on them; those values would converge to the
sine's, and so the polynomials to one polynomial, which would be the sine. It is not: however often one takes
derivatives of the sine, none is 0 throughout. (If $\sigma$ agrees with a polynomial only almost everywhere, then so
does $g$, with some $p$, and the continuous $|f - p|$ comes as close to its largest value outside a set of measure zero
as anywhere. For $d > 1$ take $\sin x_1$.) The other direction is the work of the paper; here it is quoted, not proved.

| | hypothesis on $\sigma$ | does it hold for ReLU? |
|---|---|---|
| Cybenko 1989 | continuous, and sigmoidal: tends to 0 on the left and to 1 on the right | not directly* |
| Hornik 1991 | continuous, bounded, not constant | not directly* |
| Leshno et al. 1993 | locally bounded, few discontinuities, not a polynomial | **yes** |

*ReLU is unbounded. But $\operatorname{ReLU}(x) - \operatorname{ReLU}(x - 1)$ is continuous and sigmoidal, so a
network of such pairs is covered by both.

**What it does not say.** How large $N$ is. Whether training finds the weights. Whether a network that was fitted
to samples generalises. Anything at all outside the compact set $K$.

## 4 Switch a hypothesis off

**A tanh network without biases is to learn $x^2$ on $[-1, 1]$. What happens to its largest error as it gets wider?**
Commit before you read on.
"""

# %%
predict("01.odd", ["it falls towards 0", "it falls to about a half", "it stays at 1 or above"])

# %% [markdown]
r"""
Without any one of the following four, the statement is false in general. One counterexample each:

- **A polynomial activation**, $\sigma(z) = z^2$, for $\sin$ on $[-5, 5]$. Every network is a polynomial of degree at
  most 2. The smallest mean squared error of those is a projection, a matter of linear algebra: printed below.
- **No biases**, neither hidden nor at the output, with tanh, for $x^2$ on $[-1, 1]$. As $\tanh(-z) = -\tanh z$, every
  network is odd: $g(-x) = -g(x)$. So $|x^2 - g(x)| + |x^2 - g(-x)| \ge 2x^2$, and the largest error is at least 1. In
  the mean over $[-1, 1]$, written as a bar, $\overline{(x^2 - g)^2} = \overline{x^4} + \overline{g^2} -
  2\,\overline{x^2 g}$, where the last one vanishes by symmetry: at least $\overline{x^4} = \frac15$.
- **A target that is not continuous**, the step $f(x) = 1$ for $x \ge 0$, else 0. With a continuous $\sigma$, $g$ is
  continuous, and near 0 it is close to $g(0)$, which is at least $\frac12$ away from one of the two values. So the
  largest error is at least $\frac12$. (The mean squared error has no such floor.)
- **A set that is not bounded**, ReLU for $\sin$ on all of $\mathbb{R}$. A network has finitely many hinges; to the
  right of the last one it is affine. A line with a slope leaves $[-2, 2]$ for ever. A constant is at least 1 away from
  $+1$ or from $-1$, and the sine takes both again and again. So the largest error is at least 1.

What does *training* make of it? Widths 4 and 16, twelve seeds, 1,500 steps, six rates, the best on validation points
(10 to 60 seconds). The pictures are examples: the best of ten starts with 16 units, one rate, not tuned.
"""

# %%
switches = measure_switches(seeds=range(12))
reveal("01.odd", "it stays at 1 or above, for any width: proved", right=3)

# %%
def best_of(swept):
    """The network with the smallest mean squared error on its validation points, of those with the first rate."""
    errors = curve_scores(swept).sel(rate=swept.lrs[0])
    return swept.model(errors["validation"].idxmin())


panels = {}
for name in ("polynomial activation", "no bias", "target not continuous", "set not bounded"):
    swept = train_switch(SWITCHES[name], 16, range(10), lrs=[0.1])
    panels[name] = SWITCHES[name].curve, {"network": best_of(swept)}

# %%
show_figure(curves_figures.fits(panels, beyond={"set not bounded": 2}), """Four plots of a target, a broad dashed grey
line, and a trained network of 16 units. Polynomial activation: a nearly straight line falls through the middle of the
sine. No bias: the target is the parabola x squared, the network stays close to zero. Target not continuous: a steep
ramp follows the step. Set not bounded: between the dotted lines at -5 and 5 the network lies on the sine, outside it
goes on in straight lines and leaves it.""")

# %% [markdown]
r"""
First the control: where all hypotheses hold, width helps. Then the floors, one after the other.
"""

# %%
show_claim("01.control", switches)
mean_square = np.square(np.sin(np.linspace(-5, 5, 20_001))).mean()
floor = SWITCHES["polynomial activation"].squared
print(f"\nmean squared error for the sine: of the constant 0 {mean_square:.3f}, of the best quadratic {floor:.3f}")
show_claim("01.polynomial", switches)

# %%
show_claim("01.odd", switches)
show_claim("01.odd-repaired", switches)

# %%
show_claim("01.jump", switches)
show_claim("01.jump-on-average", switches)

# %%
show_claim("01.outside", switches)

# %% [markdown]
r"""
In the first three cases training does not stay above the floor by bad luck: it *comes down to* it. What remains is
the hypothesis. Outside the interval nothing was trained, and the error there is whatever its outermost pieces make it.

"In general" matters. Without biases the sums $\sum_i a_i e^{w_i x}$ still approximate every continuous function on
compact sets: the exponential function is not odd. And ReLU networks without biases are another case again: on one input
they are $\alpha x$ to the right of 0 and $\beta x$ to the left, two pieces with any number of units.

Try it: choose a hypothesis to switch off, and a width. The sliders here need a running kernel; the figure above is the
same, standing still.
"""

# %%
live_figure(
    switchboard,
    hypothesis=Dropdown(options=list(SWITCHES), value="target not continuous", description="hypothesis"),
    width=SelectionSlider(options=[1, 2, 4, 8, 16, 32, 64], value=8, description="hidden units"),
)

# %%
feedback("01.theorem")

# %% [markdown]
r"""
## 5 Steps and bumps from sigmoids

How would one prove the theorem? For a sigmoid and one input, by building. A steep sigmoid $\sigma(s(x - t))$, with
$\sigma(z) = 1/(1 + e^{-z})$, is nearly a **step** at $t$. Two of them make a **bump**:
$\sigma(s(x - t_1)) - \sigma(s(x - t_2))$ is nearly 1 between $t_1$ and $t_2$ and nearly 0 elsewhere. (Exercise 01.4
asks for one, made to measure.) A bump for each cell of a grid, as high as the function there, follows the function.
"""

# %%
show_figure(curves_figures.bumps(), """Left: a broad line that is close to 1 between 1 and 2 and close to 0 elsewhere,
and the two sigmoid steps, up at 1 and down at 2, that add up to it. Right: three bumps side by side, of three
heights, drawn dashed, and their sum, a broad line that goes from height to height: where one bump ends the next
begins.""")

# %% [markdown]
r"""
Since each bump begins where its neighbour ends, the two steps there merge into one. That leaves a **staircase**: with
cells of width $h$, middles $m_0, \dots, m_N$ and edges $t_1, \dots, t_N$ between them,

$$ g(x) = f(m_0) + \sum_{i=1}^{N} \bigl(f(m_i) - f(m_{i-1})\bigr) \, \sigma\bigl(s (x - t_i)\bigr) . $$

**Proposition.** If $|f(x) - f(z)| \le L |x - z|$ on the interval (so $L$ is the largest slope; 1 for the sine), then
$|f - g| \le L h \left( \frac12 + \frac{1}{e^{sh/2} - 1} \right)$ there.

*Proof (optional).* No step is higher than $Lh$. Write $e(u) = \sigma(-su) \le e^{-su}$ for the share of a step that is
still missing at distance $u$ behind it, or already there at distance $u$ before it.

1. *The nearest edge.* Let $t$ be the edge nearest to $x$, at distance $d \le h/2$, and take all other steps as
   perfect. Then $g(x)$ is the weighted mean of the values in the two cells beside $t$: with weight $1 - e(d)$ for
   $x$'s own cell, whose middle is $h/2 - d$ away, and $e(d)$ for the other, whose middle is $h/2 + d$ away. So it is
   off by at most $L$ times $(1 - e(d))(h/2 - d) + e(d)(h/2 + d) = h/2 - d\,(1 - 2e(d)) \le h/2$, as $e(d) \le
   \frac12$.
2. *The other edges.* Those on the side of $t$ are at least $h, 2h, \dots$ away, those on the other side $h/2, 3h/2,
   \dots$: together, $h/2, 2h/2, 3h/2, \dots$ So their errors add at most $Lh \sum_{k \ge 1} e^{-skh/2} = Lh /
   (e^{sh/2} - 1)$.
3. *The ends.* In the outer half of the first and the last cell no edge is nearer than $h/2$. The middle is at most
   $h/2$ away, and the sum of step 2 covers all edges. ∎
"""

# %%
LOW, HIGH = -5.0, 5.0
panels = {}
for sharpness in (4, 20):  # s h, the steepness in units of the cells' width
    steps, weights, bias = sigmoid_staircase(np.sin, LOW, HIGH, 10, sharpness)
    slope = sharpness * 10 / (HIGH - LOW)
    sigmoids = partial(evaluate_steps, steps=steps, weights=weights, bias=bias, slope=slope)
    error, bound = sup_error(np.sin, sigmoids, LOW, HIGH), staircase_bound(1.0, (HIGH - LOW) / 10, sharpness)
    panels[f"s h = {sharpness}"] = "sin", {"nine sigmoids": sigmoids}
    print(f"s h = {sharpness}: measured {error:.3g}, certified {bound:.3g}")
show_figure(curves_figures.fits(panels), """The sine on the interval from -5 to 5 and a sum of nine sigmoids that climbs
along it in steps, one for each edge between ten cells. Left, with a steepness of 4 over the cell width, the steps are
rounded and the sum is a smooth line that misses only the tops. Right, with 20, they are sharp, and the sum is nearly
a staircase.""")

# %% [markdown]
r"""
The softer steps do *better* here, and the certificate says the opposite: it has to cover the worst function with that
slope, and does not know that the sine is smooth. **Certified is not the same as best.** With sharp steps and more
cells:
"""

# %%
for cells in (10, 40, 160):
    h = (HIGH - LOW) / cells
    steps, weights, bias = sigmoid_staircase(np.sin, LOW, HIGH, cells, 20)
    error = sup_error(np.sin, lambda x: evaluate_steps(x, steps, weights, bias, 20 / h), LOW, HIGH)
    print(f"{cells} cells, {cells - 1} sigmoids: measured {error:.3g}, certified {staircase_bound(1.0, h, 20):.3g}")

# %% [markdown]
r"""
Four times the cells, a quarter of the error: this staircase gains as $1/N$. The next construction, with hinges, does
better.
"""

# %% [markdown]
r"""
## 6 A network of hinges that you can write down

A single unit $\operatorname{ReLU}(x - t) = \max(x - t, 0)$ is a **hinge**: flat up to $t$, then slope 1. A sum of
hinges is a polyline that may bend only at the hinges. So choose **knots** $t_0 < t_1 < \dots < t_N$, read off the
function's values there, and let

$$ g(x) = f(t_0) + \sum_{i=0}^{N-1} a_i \operatorname{ReLU}(x - t_i), \qquad
   a_0 = s_0, \quad a_i = s_i - s_{i-1}, \qquad
   s_i = \frac{f(t_{i+1}) - f(t_i)}{t_{i+1} - t_i} . $$

In the notation of section 3, with the units counted from 0: $w_i = 1$, $b_i = -t_i$ and $b = f(t_0)$. The network runs
through all the points: between $t_k$ and $t_{k+1}$ the hinges $0, \dots, k$ are at work, and their weights add up to
$s_k$, since $s_0 + (s_1 - s_0) + \dots + (s_k - s_{k-1}) = s_k$. So each weight is the **change of slope** at its knot.
On the whole line $N$ hinges give at most $N + 1$ pieces; here the first hinge sits at the left end, which leaves $N$
pieces on $[t_0, t_N]$.

**By hand:** with knots 0, 1, 3 and values 0, 2, 2 the slopes are 2 and 0. What are the two weights? (2 and −2: the
second hinge takes the slope of the first away again.) The code does the same for $\sin$, with eight units.
"""

# %%
x = np.linspace(LOW, HIGH, 2001)
knots = np.linspace(LOW, HIGH, 9)
hinges, weights, bias = relu_interpolant(knots, np.sin(knots))

fig, (left, right) = plt.subplots(1, 2)
plot_interpolant(x, evaluate_hinges(x, hinges, weights, bias), knots, np.sin(knots), np.sin(x), ax=left)
plot_hinges(x, hinges, weights, numbers=True, ax=right)
show_figure(fig, """Left: the sine on the interval from -5 to 5 and a polyline of eight pieces through nine knots on
it; the polyline cuts off the tops. Right: the eight hinges, rays that start at the knots, marked by circles, with
positive and negative slopes, each with its number at its end; they leave the sine's range of -1 to 1 by far. The
hinge at 0 has the weight 0. Together with the constant sin(-5), about 0.96, they add up to the polyline.""")
print("bias", np.round(bias, 2), " weights", np.round(weights, 2))

# %% [markdown]
r"""
Look at the scale on the right: the hinges are large and cancel each other. The sum is small only because the
weights fit together; nothing in the single units looks like a sine.

## 7 The error, certified before it is measured

**Proposition.** If $f$ is twice continuously differentiable on $[a, b]$ with $|f''| \le M$, and neighbouring knots
are at most $h$ apart, with the first at $a$ and the last at $b$, then $\max_{[a, b]} |f - g| \le M h^2 / 8$.

*Proof (optional).* At the knots the error is 0. Take $x$ strictly between the neighbouring knots $s < t$, and choose
$c$ so that

$$ \varphi(u) = f(u) - g(u) - c\,(u - s)(u - t) $$

vanishes at $u = x$, that is, $f(x) - g(x) = c\,(x - s)(x - t)$: possible, as the product is not 0 there. It vanishes
at $s$ and $t$, too. Between two zeros of a function lies a zero of its derivative (Rolle): so $\varphi'$ has two
zeros between $s$ and $t$, and $\varphi''$ has one, at some $\xi$. As $g$ is affine there, $0 = \varphi''(\xi) =
f''(\xi) - 2c$. The product $(x - s)(t - x)$ is largest in the middle, where it is $(t - s)^2 / 4 \le h^2 / 4$. Hence

$$ |f(x) - g(x)| = \tfrac12 \, |f''(\xi)| \, (x - s)(t - x) \le \tfrac12 \, M \cdot \tfrac14 h^2 . \qquad ∎ $$

With $N$ evenly spaced units $h = (b - a)/N$, so the error is at most $M (b - a)^2 / (8 N^2)$. For the sine $M = 1$.
What the next cell calls *measured* is the largest error on 20,001 points: the true one is at least as large.
"""

# %%
counts = np.array([5, 10, 20, 40, 80, 160])


def error_with(knots, target, low, high):
    network = relu_interpolant(knots, target(knots))
    return sup_error(target, lambda x: evaluate_hinges(x, *network), low, high)


errors = np.array([error_with(np.linspace(LOW, HIGH, n + 1), np.sin, LOW, HIGH) for n in counts])
bounds = np.array([interpolation_bound(1.0, (HIGH - LOW) / n) for n in counts])
for count, error, bound in zip(counts, errors, bounds, strict=True):
    print(f"{count:4d} units: measured {error:.3g}, certified {bound:.3g}")
ratio = errors[3] / errors[2]
reveal("01.doubling", f"{ratio:.3f} times the old error (the bound falls to exactly a quarter)", right=2)

# %% [markdown]
r"""
The bound is nearly met, and nothing here had to be trained. (Exercise 01.3 asks which width certifies a given error.)

## 8 Does this always hold?

**The certificate needs a second derivative; convergence does not.** On a piece $[s, t]$ the network takes weighted
means of $f(s)$ and $f(t)$, so $|f(x) - g(x)| \le \max(|f(x) - f(s)|, |f(x) - f(t)|)$ there. A continuous function on
$[a, b]$ is uniformly continuous, so this tends to 0 with $h$: **every** continuous function is approximated. But the
rate can be slower. Take $\sqrt{x}$ on $[0, 1]$, whose second derivative is unbounded at 0. The chord from $s$ to $t$
is off by $(\sqrt t - \sqrt s)^2 / (4 (\sqrt t + \sqrt s))$ at most (where $\sqrt x$ is half-way between $\sqrt s$ and
$\sqrt t$), which is $h^2 / (4 (\sqrt t + \sqrt s)^3)$ for $t - s = h$: largest on the first piece, where it is
$\sqrt h / 4$. So the error is exactly $1 / (4 \sqrt N)$, and halving it takes four times as many units.
"""

# %%
root_errors = np.array([error_with(np.linspace(0, 1, n + 1), np.sqrt, 0.0, 1.0) for n in counts])

fig, (left, right) = plt.subplots(1, 2, sharey=True)
plot_errors(counts, errors, bounds, ax=left).set_title("sin on [-5, 5]: falls like 1/N²")
plot_errors(counts, root_errors, 0.25 / np.sqrt(counts), ax=right).set_title("√x on [0, 1]: falls like 1/√N")
show_figure(fig, """Two log-log plots of the largest error against the number of hinges, 5, 10, 20, 40, 80 and 160.
Left, for the sine: the measured points lie on the proved line, the first one a little below it; it falls by a factor
of four with each doubling. Right, for the square root: the points lie on the proved line, which is much flatter and
falls by a factor of √2 with each doubling.""")

# %% [markdown]
r"""
**Only inside the interval.** To the left of the first knot the network is constant, to the right of the last one it
goes on in a straight line. More units repair nothing there. They can even make it worse: the last piece then has very
nearly the slope of the sine at 5, which is $\cos 5 \approx 0.28$, and the line runs away with that.
"""

# %%
for count in (40, 400):
    knots = np.linspace(LOW, HIGH, count + 1)
    network = relu_interpolant(knots, np.sin(knots))
    for low, high in [(-5, 5), (-10, -5), (5, 10), (5, 50)]:
        error = sup_error(np.sin, lambda x: evaluate_hinges(x, *network), low, high)
        print(f"{count} units on [-5, 5], measured on [{low}, {high}]: {error:.3g}")

# %% [markdown]
r"""
## 9 Many dimensions (optional)

**The construction is one-dimensional.** A grid of spacing $1/n$ cuts $[0, 1]^d$ into $n^d$ cells. And for $d \ge 2$ one
unit bends along a whole hyperplane, so the network of section 6 has no direct counterpart there. Is it hopeless in many
dimensions, then?

Not for every function. Barron (1993) takes functions with a finite $C_f = \int |\omega| \, |\hat f(\omega)| \,
d\omega$, where $f(x) = \int e^{i \omega \cdot x} \hat f(\omega) \, d\omega$ writes $f$ as a sum of waves: functions
whose fast waves are faint. For every such $f$, every bounded, measurable $\sigma$ that tends to 0 on the left and to
1 on the right, every $N$ and every way to distribute the points $x$ over a ball of radius $r$ around 0, there is a
network with $N$ units whose mean squared error is at most $(2 r C_f)^2 / N$. The *rate* does not know $d$. The
constant may: for some families of functions $C_f$ grows exponentially with $d$.

The idea behind it is short, and with cosines for units it fits on a page. Take the bell $f(x) = e^{-|x|^2/2}$. It is
a mean of waves: $f(x) = \mathbb{E} \cos(\omega \cdot x)$, where the $d$ coordinates of $\omega$ are independent and
standard normal (the real part of the normal distribution's characteristic function). So **draw** $\omega_1, \dots,
\omega_N$ at random and let $g(x) = \frac1N \sum_i \cos(\omega_i \cdot x)$, a network with one hidden layer and the
activation cosine (continuous, bounded, not constant: Hornik's theorem covers it). A mean of $N$ independent draws has
the variance of one draw over $N$. With $\cos^2 z = \frac12 (1 + \cos 2z)$, and the formula for $f$ at $2x$,

$$ \mathbb{E} \, \bigl(f(x) - g(x)\bigr)^2 = \frac{\mathbb{E} \cos^2(\omega \cdot x) - f(x)^2}{N}
   = \frac{\frac12 (1 + e^{-2|x|^2}) - e^{-|x|^2}}{N} = \frac{(1 - e^{-|x|^2})^2}{2N} \le \frac{1}{2N} . $$

Average over $x$, under any distribution: the expected mean squared error is at most $1/(2N)$ in *any* dimension, and
some draw is at least as good as the expectation. So a network with this error **exists**; which draw it is, the proof
does not say. Here an average draw will do, because we know where to draw from: that takes knowing $\hat f$.

Below, points with random directions and lengths uniform in $[0, 2]$, so that the bell varies as much in 100 dimensions
as in one. The crosses are what the middle formula expects. That is a mean; the median of one input lies below it,
since a few draws err far more than the others.
"""

# %%
cosines = measure_cosines(seeds=range(20))
show_figure(cosines_figures.cosine_errors_by_units(cosines), """The mean squared error of random cosine networks against
10, 100 and 1,000 units, on a logarithmic scale, with medians and intervals over 20 draws. The lines for 10 and 100
inputs lie on one another and on the crosses of what is expected, a factor of ten lower for ten times the units, below
the dotted line 1/(2N) and far below the best constant. The line for one input lies lower, with wide intervals.""")
show_claim("01.dimension", cosines)
show_claim("01.dimension-free", cosines)

# %% [markdown]
r"""
A bell is an easy function. To reach *every* function on $[0, 1]^d$ with $|\nabla f| \le 1$ up to an error of
$\varepsilon$, the number of parameters has to grow at least like $\varepsilon^{-d}$ as $\varepsilon \to 0$, with a
constant that depends on $d$, whatever the method, if the parameters depend continuously on $f$ (DeVore, Howard &
Micchelli 1989).
"""

# %% [markdown]
r"""
## 10 Better knots: build it by hand

Move one hinge: the network always runs through the target at its knots. (The first hinge stays, since the network has
to cover the interval; positions are in steps of the even spacing.) Can you beat evenly spaced hinges for the *kink*,
$|x - 0.75|$? And for the *sine*? The sliders need a running kernel; the figure of section 6 shows the same thing,
standing still.
"""

# %%
live_figure(
    hinge_builder,
    target=Dropdown(options=list(TARGETS), value="kink", description="target"),
    count=IntSlider(6, 2, 12, description="how many hinges"),
    moved=IntSlider(4, 2, 12, description="the hinge to move"),
    shift=FloatSlider(0.0, min=-0.95, max=0.95, step=0.05, description="move it by (steps)"),
)

# %% [markdown]
r"""
Do not take your own fingers' word for it: the next cell tries every move that the sliders allow with six hinges.
"""

# %%
for name in ("kink", "sine"):
    target = TARGETS[name]
    moves = [(hinge, shift) for hinge in range(2, 7) for shift in np.linspace(-0.95, 0.95, 39)]
    error = {move: error_with(moved_knots(6, *move), target, LOW, HIGH) for move in moves}
    best = min(moves, key=error.get)
    even = error_with(moved_knots(6, 2, 0.0), target, LOW, HIGH)
    helps = error[best] < even * (1 - 1e-9)  # by more than rounding
    better = f"hinge {best[0]} by {best[1]:.2f} steps: {error[best]:.3g}" if helps else "none is better"
    print(f"{name}: evenly spaced {even:.3g}; best single move: {better}")

# %% [markdown]
r"""
For the kink a hinge at $x = 0.75$ makes the error vanish: the target is a polyline itself. For the sine no single move
helped: the largest error sits in two mirror-image places at once. That does not make even spacing best. A piece of
length $h$ is off by about $|f''| h^2 / 8$; for equal errors everywhere $h$ has to go like $1/\sqrt{|f''|}$. So add up
$\sqrt{|f''|}$ along the interval, cut the total into equal parts, and put a knot at each cut:
"""

# %%
x = np.linspace(LOW, HIGH, 2001)
bending = np.cumsum(np.sqrt(np.abs(np.sin(x))))
for count in (10, 20, 40):
    equal_parts = np.linspace(bending[0], bending[-1], count + 1)
    uneven, even = np.interp(equal_parts, bending, x), np.linspace(LOW, HIGH, count + 1)
    both = [error_with(knots, np.sin, LOW, HIGH) for knots in (even, uneven)]
    print(f"{count} units: evenly spaced {both[0]:.3g}, as dense as the root of |f''| {both[1]:.3g}")

# %%
feedback("01.constructions")

# %% [markdown]
r"""
## 11 Existence is one thing, learning another

The theorem says that weights exist. In one dimension we wrote them down. **Does training find weights as good?** Same
width, same target:

- *written down*: the hinges of section 6, evenly spaced. Of a unit's three numbers only its output weight depends on
  the target, which is looked at in $N + 1$ places;
- *trained*: all $3N + 1$ numbers, on 500 random points of the interval. Mean squared error, Adam on all points at
  once, a learning rate that rises and falls once (one-cycle), inputs scaled to $[-1, 1]$; the best of the rates,
  chosen on 500 other points; judged on the whole interval. That is eight runs of thousands of steps.

**With 80 ReLU units, started as PyTorch starts them, and the sine on $[-5, 5]$: how does the largest error of a typical
trained network compare with the one that was written down?**
"""

# %%
predict("01.learning", ["smaller", "about the same", "two to ten times as large", "more than ten times as large"])

# %% [markdown]
r"""
First an example, with 20 units, ten seeds, 3,000 steps and one rate, not tuned:
"""

# %%
knots = np.linspace(LOW, HIGH, 21)
panels = {}
for name in ("sin", "two sines"):
    hinges, weights, bias = relu_interpolant(knots, CURVES[name].f(knots))
    swept = train_on_curve(name, 20, seeds=range(10), lrs=[0.1])
    panels[name] = name, {
        "written down": partial(evaluate_hinges, hinges=hinges, weights=weights, bias=bias),
        "trained, best of ten": best_of(swept),
    }
    squared = curve_scores(swept)["squared"].values
    print(f"{name}, 20 units, mean squared error: written down {built_errors(CURVES[name], 20)[1]:.2g}, "
          f"trained: best {squared.min():.2g}, median {np.median(squared):.2g}")

# %%
show_figure(curves_figures.fits(panels), """Two targets on the interval from -5 to 5, each with a network of 20 hidden
units that was written down and the best of ten that were trained. Left, the sine: both follow it so closely that the
lines lie on one another. Right, a sine with a smaller, faster sine on top: the one written down follows the fast waves
roughly, the trained one cuts through most of them.""")

# %% [markdown]
r"""
The whole comparison takes half an hour, so it is recorded: 20 seeds, 10,000 steps, eight rates from
{{= min(learning.LEARNING_RATES)}} to {{= max(learning.LEARNING_RATES)}}, four widths, three targets, and **four
starts**:

- ReLU, *PyTorch's start*: a unit's weight and bias are both uniform in $[-1, 1]$, so its bend, at minus their quotient,
  lies outside the scaled interval $[-1, 1]$ in half of the cases. A quarter of the units begin as straight lines, and
  a quarter as 0 on the whole interval: no gradient reaches those, so they stay as they are;
- ReLU, *bends inside*: slopes $\pm 1$, bends uniform in the interval;
- *steep tanh, bends inside*: the same with tanh and slopes $\pm 10$;
- ReLU, *trained from written down*: the network of section 6, and then the same training.

The black lines are not trained: the network written down, and the same hinges with the output weights that are best for
the mean squared error.
"""

# %%
record = recorded("01_learning")
show_figure(learning_figures.learning_by_width(record), """Three log plots of the mean squared error against 10, 20, 40
and 80 hidden units: for the sine, for two sines and for the sine on an interval four times as wide. The black lines,
written down and with the best output weights, fall steeply and evenly. ReLU networks from PyTorch's start begin near
them at 10 units and fall far more slowly, for two sines hardly at all; even their best seed, a star, stays above at 40
and 80 units. With bends inside they do a little better. Those trained from the written-down start lie on the line of
the best output weights at 80 units, and on it or below it before. Steep tanh units lie below all of these, but for the
sine with 80 units.""")
ratio = np.median(learned(record, "default", "sin", 80, LARGEST)) / built("sin", 80, LARGEST)
reveal("01.learning", f"{ratio:.0f} times as large, the median of 20 recorded seeds", right=4 if ratio > 10 else 3)

# %% [markdown]
r"""
**Few units.** With ten, where even spacing hardly resolves the faster targets, training wins there. Most of its lead
comes from the output weights (an interpolant does not minimise the mean squared error), and for the plain sine the
two are about even.
"""

# %%
show_claim("01.few-units")
show_claim("01.few-units-weights")
show_claim("01.sine-ten")

# %% [markdown]
r"""
**Many units.** Once its pieces are shorter than the waves, each doubling divides the mean squared error of the network
written down by about 16. Training from PyTorch's start collects little of that, and even its best seed of 20 stays
behind:
"""

# %%
show_claim("01.many-units")
show_claim("01.largest")

# %% [markdown]
r"""
**It depends on things that make no difference to the theorem.** Weights as good are not hard to *keep*: started there,
training improves on them (at a small learning rate). They are hard to *find* from that start. Put the bends inside the
interval, and it gets better. Take steep tanh units, and a random start beats the ReLU network that was written down:
"""

# %%
show_claim("01.stays")
show_claim("01.spread")
show_claim("01.steep-tanh")

# %% [markdown]
r"""
So "a network of this width can represent it" says nothing about what training will return, and "training did not find
it" says nothing about what the width can represent. What training finds depends on start, steps, rate and
activation. The theorem knows nothing of the first three, and treats ReLU and tanh alike.

### The same in the plane

How many units do classes need, for a network that is *trained*? Two clouds, two rings (500 points, less noise than in
section 2), two spirals; recorded, 20 seeds, each with data of its own.
"""

# %%
show_figure(planes_figures.planes_by_width(recorded("01_planes")), """Three plots of held-out accuracy against 0, 2, 3,
4, 8, 16 and 32 hidden units, with the median, its interval, the best and the worst of 20 seeds. Two clouds: close to 1
everywhere. Two rings: a half without hidden units, about four fifths with two; with three the median is close to 1 and
the worst seed at a half; with four the worst is at four fifths, and from eight on all are close to 1. Two spirals:
below two thirds up to four units, far above with eight, where seeds differ most, and close to 1 from sixteen on.""")
show_claim("01.flat-for-lines")
show_claim("01.rings-four")
show_claim("01.spirals-sixteen")

# %% [markdown]
r"""
Look at the rings with three units: the best seed is right nearly always, as three lines around the origin allow; the
worst is far from it. Such weights exist for all 20 of them.

### Try it: the width

Ten networks are trained for each position of the slider (ReLU, PyTorch's start, 1,500 steps, one rate, not tuned). Find
the width from which the one written down is better, for each target.
"""

# %%
live_figure(
    width_slider,
    target=Dropdown(options=["sin", "two sines", "sin, four times as wide"], value="two sines", description="target"),
    width=SelectionSlider(options=[2, 3, 5, 10, 20, 40, 80], value=10, description="hidden units"),
)

# %%
feedback("01.learning")

# %% [markdown]
r"""
## 12 Sentences to distrust

All of these are in circulation, in tutorials and lecture notes. After this lesson you can say what is wrong with each.

- *"A network with one hidden layer can approximate any function."* Any **continuous** function, on a **compact** set,
  with an activation that is **not a polynomial**, and with **biases**: section 4 has what happens without.
- *"The theorem holds for bounded, monotone activations"*, and then ReLU is used throughout. ReLU is not bounded; Leshno
  and his coauthors cover it.
- *"We verify the theorem by our training accuracy."* The theorem is about the largest error on the whole of $K$; the
  training points are a few points of it. An accuracy looks only at which side of a threshold the output is on, and
  where two classes touch, their labels jump. Nothing of the theorem has been looked at.
- *"The first layer learns only linear features."* So it looks when units are drawn *before* their ReLU. What the next
  layer sees is bent: section 2 draws it.
- *"More units make the boundary smoother."* With ReLU it consists of straight pieces, always. There are more of them.
- *"The model ends with a softmax, the loss is `CrossEntropyLoss`."* That loss applies the softmax itself. Applied
  twice, with two classes, no certainty can bring the loss below $\ln(1 + e^{-1}) \approx 0.3133$: the outputs of the
  first softmax differ by 1 at most. (Our networks end with the affine layer.)
"""

# %% [markdown]
r"""
## Summary

- A hidden layer learns features; what it adds comes from the activation. Linear layers in a row are one linear layer,
  two ReLU units cannot close a ring, three can.
- Width by itself did no harm on the rings; learning the training points by heart did, to the cross-entropy above all.
- One hidden layer with an activation that is not a polynomial comes as close as you like to any continuous function
  **on a compact set**. That is a statement about existence. Drop one of four hypotheses, and it can fail: in three of
  the examples training comes down to the proved floor, in the fourth it never sees where it fails.
- Sigmoid staircases reach $Lh/2$ and a little more, a rate of $1/N$. In one dimension the ReLU network is a polyline
  whose weights are changes of slope; with $N$ evenly spaced hinges its error is at most $M (b - a)^2 / (8 N^2)$,
  provided that $|f''| \le M$.
- For any continuous function it still converges on the interval, but the rate can be slower, as $\sqrt x$ shows.
  Outside the interval the network is a constant and a straight line, however many units it has.
- In many dimensions a rate of $1/N$ in mean square is possible for functions with a finite $C_f$, not for all.
- What can be represented need not be learned. ReLU networks from PyTorch's start fall far behind the ones written down
  as the width grows; other starts and activations change that, and make no difference to the theorem.

**Now do the exercises**: `01_universal_approximation.ipynb` in the exercises' folder, six of them, with checks.

**Words.** *Hinge*: one ReLU unit of one input. *Knot*: a point where the polyline may bend. *Sup-norm error*: the
largest absolute error on the set. *Mean squared error*: the mean of the squared error over the set. *Compact*: closed
and bounded. *Held-out*: drawn independently, and used for nothing but the report. *Validation*: held out from
training, used to choose. *Interval*: covers the true median (or mean, where it says so) in at least 95 of 100
repetitions; that the rate was chosen with the same seeds is not in it. *Claim*: a sentence with a number that can be
refuted. *Depth*: the number of hidden layers, here 1. *Width*: the number of units in a hidden layer.

**Further reading**

- G. Cybenko (1989), *Approximation by superpositions of a sigmoidal function*: networks with a continuous sigmoidal
  activation are dense in the continuous functions on $[0, 1]^d$; an existence proof, without a rate.
- K. Hornik (1991), *Approximation capabilities of multilayer feedforward networks*: the same on compact sets for
  continuous, bounded, non-constant activations.
- M. Leshno, V. Lin, A. Pinkus & S. Schocken (1993), *Multilayer feedforward networks with a nonpolynomial activation
  function can approximate any function*: the equivalence of section 3.
- A. Barron (1993), *Universal approximation bounds for superpositions of a sigmoidal function*: the bound of section 9,
  and that no *fixed* set of $N$ features does as well for its class in high dimension.
- R. DeVore, R. Howard & C. Micchelli (1989), *Optimal nonlinear approximation*: how many parameters smooth functions of
  $d$ variables need, whatever the method, if the parameters depend continuously on the function.
"""

# %% [markdown]
r"""
**Before you close the page** (in Colab everything but a saved copy is forgotten): `download()` makes one small file
of your predictions and remarks. Unpack it beside the notebook when you go on. What you wrote under "clear or not"
helps whoever teaches this, if you send it to them; nothing is sent by itself.
"""

# %%
download()
