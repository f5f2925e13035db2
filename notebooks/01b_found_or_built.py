# %% [markdown]
r"""
# 01b Found or built?

**A network that does the job exists. When does training find it, and when does it find one that only knows its training
points?** An excursion from lesson 01, in 35 minutes. Nothing later needs it.
"""

# %%
# set-up
import numpy as np
import torch
from sklearn.linear_model import LogisticRegression

from utils.claims import recorded
from utils.figures import show_figure, use_style
from utils.keeping import download, feedback
from utils.lesson_01 import page
from utils.predictions import predict, reveal
from utils.widgets import live_figure

use_style()

# %% [markdown]
r"""
## 1 Three clouds of points (8 min)

Here are the sets that every course starts with: two clouds that a line separates, two rings, two spirals.
"""

# %%
show_figure(page.three_sets(), "01b.sets")

# %% [markdown]
r"""
One hidden layer of ReLU units is trained on each, with data and initial weights of its own for every seed, and the
learning rate tuned on validation points. **How many hidden units do the spirals take?**
"""

# %%
predict("01b.spirals")

# %%
reveal("01b.spirals", figure=page.planes_by_width(recorded("01_planes")))

# %% [markdown]
r"""
On these two clouds units beyond the line buy nothing (32 units against none: {{claim 01.flat-for-lines}}). The spirals
want many: sixteen are far better than four ({{claim 01.spirals-sixteen}}).

Look at the rings with three units. The best seed is nearly always right, as three lines around the origin allow. The
worst is far from it, although the same weights exist for all 20 seeds. **Existing is not being found.**

<details><summary>Why two units cannot fence in a ring</summary>

Let $g = c + a_1 \operatorname{ReLU}(u_1) + a_2 \operatorname{ReLU}(u_2)$ be the difference of the two outputs, where
$u_1, u_2$ are affine functions of $x$, and suppose that $\{g < 0\}$ is bounded and not empty. If $u_1$ and $u_2$ depend
on $x$ through the same direction (or one of them not at all), then $g$ is constant along the perpendicular, and $\{g <
0\}$ is unbounded. Otherwise $(u_1, u_2)$ are coordinates of the plane. On the quadrant $u_1, u_2 \le 0$, which is
unbounded, $g = c$: so $c \ge 0$. Along $u_1 \to \infty$, $u_2 \le 0$, $g = c + a_1 u_1$: so $a_1 \ge 0$, and likewise
$a_2 \ge 0$. Then $g \ge 0$ everywhere: a contradiction. The same holds for $\{g > 0\}$, with $-g$. ∎

</details>

## 2 Features by hand, features learned (9 min)

Back to the noisy rings of the path, where even the best of all classifiers, which knows the densities, is not always
right. A linear model on features made by hand minimises

$$ \frac1n \sum_{i=1}^n \ell\bigl(\varphi(x_i) W,\, y_i\bigr) \quad \text{over } W \text{ alone}, $$

with a fixed $\varphi$, here $(x_1, x_2, x_1^2, x_2^2)$. A hidden layer minimises the same thing over $W$ *and*
$\varphi$, a family of functions with weights of their own. For two classes $\ell$ is the cross-entropy, $-\log p_{y}$,
with its minus sign; the softmax that makes $p$ of the outputs is part of PyTorch's `cross_entropy`. Put a second one
into the model, and no certainty brings the loss of two classes below $\ln(1 + e^{-1})$: the outputs of the first differ
by 1 at most. (Another slip: a column of ones in the data *and* a bias in `nn.Linear` are two biases for one.)

With the squares, logistic regression is nearly as good as possible (the best of all classifiers minus it: {{claim
01.hand-made}}). But who tells you to take squares? Take all polynomial features up to some degree, and there are soon
**too many features**:
"""

# %%
def features(points, degree):
    x1, x2 = points.double().T
    return torch.stack([x1**i * x2**j for i in range(degree + 1) for j in range(degree + 1 - i)], dim=1)


def accuracies(degree, seed):
    """Return training and held-out accuracy of logistic regression on polynomial features."""
    parts = page.rings(seed)
    model = LogisticRegression(C=1e6, max_iter=20_000).fit(features(parts[0][0], degree), parts[0][1])
    return [model.score(features(points, degree), labels) for points, labels in (parts[0], parts[2])]


for degree in (1, 2, 4, 8, 12):
    train, test = np.median([accuracies(degree, seed) for seed in range(20)], axis=0)
    print(f"degree {degree}, {(degree + 1) * (degree + 2) // 2} features: training {train:.2f}, held-out {test:.2f}")

# %% [markdown]
r"""
These are medians of 20 data sets. The training accuracy goes up with the number of features; the held-out accuracy is
best at degree 2 and then comes down again. The family was too large for a hundred points.

## 3 Too few units, too many (9 min)

The same question for hidden units, up to as many as there are training points. **100 hidden units, 100 training points,
learning rate chosen on validation points: how does the held-out accuracy compare with 10 units?**
"""

# %%
predict("01b.width")

# %%
reveal("01b.width", figure=page.accuracy_by_width(recorded("01_rings")))

# %% [markdown]
r"""
Two units **underfit**: they are wrong on the training points, too. A hundred do no harm by themselves
({{claim 01.width-is-harmless}}): tuned properly, on validation points, they are as good as any.

Now tune them wrongly, by the training loss. They memorise all training points (training accuracy: {{claim
01.by-heart}}). In held-out accuracy that costs little ({{claim 01.overfit}}), much less than the usual sketch of
**overfitting** promises. In held-out cross-entropy it costs a lot (wrongly tuned over properly tuned: {{claim
01.overconfident}}): the network is sure of itself where it is wrong. It was the way of choosing the rate that did it,
not the width alone.

## 4 Start somewhere else (9 min)

Back to curves. Of the networks with 80 ReLU units for two sines, those from PyTorch's initialisation stayed far behind
the hand-built one. A unit's weight and bias are both drawn uniformly from $[-1, 1]$ there, so its bend, at minus their
quotient, lies outside the interval $[-1, 1]$ in half of the cases. A quarter of the units start as straight lines, and
a quarter as 0 on the whole interval; those have no gradient and stay as they are. **Suppose training starts at the
hand-built weights instead. What happens?**
"""

# %%
predict("01b.kept")

# %%
reveal("01b.kept", figure=page.kept_or_lost())

# %% [markdown]
r"""
Good weights are not hard to *keep*; they are hard to *find*. With 40 units for the sine, training from hand-built
weights still improves on them (error after over before: {{claim 01.stays}}).

With few units it is the other way round. Ten evenly spaced hinges hardly resolve two sines, and training beats them
({{claim 01.few-units}}). Most of that lead comes from the output weights ({{claim 01.few-units-weights}} of it): an
interpolant runs through its knots, which is not what minimises the mean squared error.

Try it: ten networks for each position. From which width on is the hand-built one better?
"""

# %%
live_figure(page.width_slider, **page.width_controls())

# %%
feedback("01b.learning")

# %% [markdown]
r"""
**What you can now say.** A network of some width being *able* to represent a function says nothing about what training
returns; "training did not find it" says nothing about what the width can represent. What training finds depends on the
initialisation, the learning rate and the activation. Width by itself did no harm on the rings; choosing the rate by the
training loss did.

**What you do not know.** All of this is one target family and one noise level. Whether more steps would close the gap
was not varied here.

{{claims}}
"""

# %%
download()
