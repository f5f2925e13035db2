# %% [markdown]
r"""
# 03a Does a hierarchy need depth?

**Depth is said to win because the world is made of parts within parts. Is that why it wins?** An excursion from lesson
03, in 21 minutes. Nothing later needs it.
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np
import torch

from utils.claims import claimed, recorded
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_03 import page
from utils.models import mlp
from utils.predictions import predict, reveal

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work

# %% [markdown]
r"""
## 1 A game of three moves (2 min)

Two players move in turn. Each move is a choice between two, and the game ends after three moves. So it has eight ends,
which are worth $x_1, \dots, x_8$ to the player who moves last. What is the whole game worth if both play well?

Go backwards. Of two positions, you take the better one, and what you win, your opponent loses. So a position in which
you choose is worth $h(a, b) = -\max(a, b)$ to your opponent, who led you there. Do this three times, and you know what
the game is worth to the player who does not begin:
"""

# %% tags=["idea"]
def game(x):  # x [..., 8]
    while x.shape[-1] > 1:
        x = -np.maximum(x[..., 0::2], x[..., 1::2])
    return x[..., 0]


ends = np.random.default_rng(0).normal(size=8)  # try another seed; who wins?
print(f"to the player who does not begin, this game is worth {game(ends):.1f}")
show_figure(page.played(ends), "03a.game")

# %% [markdown]
r"""
This is a **hierarchy** in its purest form: a binary tree of one function of *two* arguments.

## 2 Three layers can (4 min)

Since $\max(a, b) = \operatorname{relu}(a - b) + \operatorname{relu}(b) - \operatorname{relu}(-b)$, three ReLU units can
play one move. So here is the whole game as a hand-built network:
"""

# %% tags=["idea"]
W1, w2 = np.array([[1, -1], [0, 1], [0, -1]]), np.array([-1, -1, 1])


def game_network(x):  # x [n, 8]
    while x.shape[-1] > 1:
        pairs = x.reshape(len(x), -1, 2)
        x = np.maximum(pairs @ W1.T, 0) @ w2
    return x[:, 0]


X = np.random.default_rng(1).normal(size=(20_000, 8))
print("exactly the game?", np.allclose(game_network(X), game(X)))

# %% [markdown]
r"""
It has three hidden layers, of 12, 6 and 3 units. One hidden layer cannot play the game exactly, however wide it is.

<details><summary>The proof</summary>

**Proposition.** No network with one hidden layer of ReLU units, however wide, computes the game of three moves exactly.

A unit bends the function along a whole hyperplane. All units that bend it along the same hyperplane add up to one
change of gradient, the same everywhere on that hyperplane. So a network with one hidden layer has a crease either all
along a hyperplane or nowhere on it (except where it meets others). The game has a crease on $x_1 = x_2$ where good play
leads to these two ends, and none where it leads elsewhere. ∎

</details>

"Exactly" is a lot to ask. What about *nearly*? People who say that hierarchies need depth quote these theorems (after
Mhaskar & Poggio 2016):

- **Theorem** (Poggio et al. 2017, theorem 2). Let $f$ be a binary tree on the cube $[-1, 1]^d$. Let each node have
  continuous derivatives up to order $m$, and let their largest values add up to at most 1; let the activation be
  smooth, and not a polynomial. Then a deep network **that contains the tree** comes within $\varepsilon$ of $f$
  everywhere with $O\bigl((d - 1)\, \varepsilon^{-2/m}\bigr)$ units. The exponent has a 2 because no node has more than
  two inputs.
- **Theorem** (Poggio et al. 2017, theorem 1). If all we know of $f$ are its $m$ derivatives, in all $d$ variables, then
  one hidden layer of $O(\varepsilon^{-d/m})$ units is enough, and no reasonable method manages this whole class with
  fewer (reasonable: the parameters depend continuously on $f$).

For ReLU, there is such a pair, too (theorem 4): $\varepsilon^{-2}$ against $\varepsilon^{-d}$, for functions with
bounded slope. Read what the theorems do *not* say. The second number is for the **worst of all smooth functions**: they
do not show that any particular tree is hard for one layer. (Other theorems do, for products: Rolnick and Tegmark 2018,
for smooth activations; Shapira 2023, for ReLU on many domains, though not on the unit cube.) Both theorems are about
weights that *exist*, not about what training finds from a few thousand examples, and both leave the constants open. So
let us race networks, on normal inputs rather than on a cube.

## 3 The race (4 min)

Each network has at most {{= hierarchy.BUDGET}} parameters: one hidden layer of 104 units, two of 27, three of 20 or
four of 16. The ends are standard normal numbers. There are 6,000 games to learn from, and 2,400 steps of Adam in
batches of 150, whose order is the same for all. The learning rate rises and falls once (one cycle, Smith and Topin
2018), and validation games choose its peak from six values. (A step of three layers takes
{{= hierarchy.step_flops(3) / hierarchy.step_flops(1)}} times the arithmetic of one layer's.) We report the share of
variance that a network misses on held-out games: 0 is perfect, 1 is the best constant. **Which network misses the
least?**
"""

# %%
predict("03a.moves")

# %%
moves = recorded("03_moves")
reveal("03a.moves", figure=page.missed_by_depth(moves), deep=claimed("03.game-deep"),
       **page.medians_by_depth(moves))

# %% [markdown]
r"""
Now it is your turn, with a single learning rate, and freshly drawn batches:
"""

# %% tags=["idea"]
def learn(sizes, target, lr=0.03, steps=2400):
    X, X_new = torch.randn(6000, 8), torch.randn(4000, 8)
    Y, Y_new = (torch.tensor(target(x.numpy()))[:, None].float() for x in (X, X_new))
    mean, spread, model = Y.mean(), Y.std(), mlp(sizes)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    cycle = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, lr, total_steps=steps, cycle_momentum=False)
    for _ in range(steps):
        batch = torch.randint(6000, (150,))
        loss = ((model(X[batch]) - (Y[batch] - mean) / spread) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        cycle.step()
    return ((model(X_new) - (Y_new - mean) / spread) ** 2).mean().item()

# %% tags=["idea"]
# two trainings, some seconds each
torch.manual_seed(0)  # try others
for sizes in ([8, 104, 1], [8, 20, 20, 20, 1]):
    print(sizes, f"misses {learn(sizes, game):.3f} of the variance")

# %% [markdown]
r"""
## 4 Is it the hierarchy? (5 min)

Before we credit the game's hierarchy, we need a **control**: a function that has no hierarchy, but is otherwise just as
hard. In what sense? We choose **roughness**, the mean squared slope divided by the variance. A linear function has
roughness 1, and finer wiggles have more. The game's slope is 1 almost everywhere, because the game is worth what one of
its ends is worth, up to the sign.

Our control is a sum of 256 cosine waves in random directions, and every wave depends on all inputs.
"""

# %% tags=["idea"]
def random_function(scale, rng, waves=256):
    directions = scale * rng.normal(size=(8, waves))
    phases = rng.uniform(0, 2 * np.pi, waves)
    return lambda x: np.cos(x @ directions + phases).sum(-1)


def roughness(f, X, step=1e-4):
    slopes = [(f(X + step * e) - f(X - step * e)) / (2 * step) for e in np.eye(8)]
    return np.square(slopes).sum(0).mean() / f(X).var()


print(f"the game: {roughness(game, X):.2f}")  # all three take some seconds
for scale in (0.3, 0.9):  # which scale is as rough as the game?
    f = random_function(scale, np.random.default_rng(3))
    print(f"random, scale {scale}: {roughness(f, X[:5000]):.2f}")

# %% [markdown]
r"""
Did you find the scale? It is about 0.59. Here are both functions on one plane through the eight dimensions. As a second
measure, walk around random circles, and count how often each function crosses its median:
"""

# %% tags=["idea"]
control = random_function(0.59, np.random.default_rng(3))
t, rng = np.linspace(0, 2 * np.pi, 200), np.random.default_rng(4)
circles = [
    np.outer(np.cos(t), rng.normal(size=8)) + np.outer(np.sin(t), rng.normal(size=8))
    for _ in range(400)
]
for name, f in (("the game", game), ("random", control)):
    middle = np.median(f(X[:5000]))
    changes = [np.sum(np.diff(f(circle) > middle)) for circle in circles]
    print(f"{name}: {np.mean(changes):.1f} crossings a circle")
show_figure(page.slices({"the game": game, "random function": control}), "03a.slices")

# %% [markdown]
r"""
Now we run the same race on random functions that are exactly as rough as the game, a new one for each seed. **What
becomes of the three-layer network's lead?**
"""

# %%
predict("03a.control")

# %%
targets = recorded("03_targets")
reveal("03a.control", figure=page.missed_by_version(targets, ["tree", "random function"]),
       behind=claimed("03.game-control"), **page.medians_of(targets, "random function"))

# %% [markdown]
r"""
Check this with `learn(sizes, control)`.

Is this control fair? A sum of waves *is* one hidden layer, with another activation, while the game is exactly three. So
let us turn the race round. Each time, we divide what one layer misses by what three layers miss. First take random
networks of one layer, with 21 ReLU units, as many as the game needs. On these, one layer wins
({{claim 03.mirror-teacher}}). Then take random networks of three layers of six units. They are not trees, because every
unit takes in all inputs, and yet three layers win on them: the ratio is {{claim 03.mirror-deep}}. On random networks of
three layers of *twelve*, little of this lead is left ({{claim 03.mirror-wide}}), though three layers of 20 contain
these as well. **Three layers won where the target can be made by a few units in three layers.** Whether the target is a
hierarchy is another question. (With four times the steps, three layers lead by more on the game, and still lose on the
random functions.)

## 5 Hide the tree (3 min)

Do three layers win because the game's inputs belong together in *pairs*? Hide the pairs: rotate the eight-dimensional
space at random before the game is played, $x \mapsto xQ$. Now each input has a say in every end. **What becomes of the
three-layer network's lead?** Think of what a first layer does to its inputs.
"""

# %%
predict("03a.rotated")

# %%
reveal("03a.rotated", figure=page.missed_by_version(targets, ["tree", "rotated tree"]),
       kept=claimed("03.game-rotated"), **page.medians_of(targets, "rotated tree"))

# %% [markdown]
r"""
Try a rotated game yourself:
"""

# %% tags=["idea"]
# again two trainings
Q, _ = np.linalg.qr(np.random.default_rng(5).normal(size=(8, 8)))
for sizes in ([8, 104, 1], [8, 20, 20, 20, 1]):  # then learn(sizes, control)
    missed = learn(sizes, lambda x: game(x @ Q))
    print(sizes, f"misses {missed:.3f} of the rotated game's variance")

# %% [markdown]
r"""
## 6 Everything that we tried (3 min)

Did we look for a target until depth won? Here are **all** eight trees that we tried. Each repeats a single node
$h(a, b)$, and beside each are random functions just as rough. **On how many of the trees do three layers, in the
median, miss at most half of what one layer misses?**
"""

# %%
predict("03a.trees")

# %%
reveal("03a.trees", figure=page.leads(targets), **page.trees_won(targets))

# %% [markdown]
r"""
The table shows the shares that one layer and three layers miss (medians over 20 seeds). (We did not record earlier
trials: the same eight trees with two seeds, and four of them with four inputs.)
"""

# %%
page.print_targets(targets)

# %% [markdown]
r"""
Depth also won on a smooth tree, that of $\tanh(a + b + ab)$, where one layer missed {{claim 03.saturating-deep}} times
as much as three. But **a hierarchy is not enough.** On the tree of $ab + a$, the lead is slight. On the product of all
inputs, which Poggio et al. call the prototype of such functions, neither network learned anything. That says nothing
about depth: the product of eight normal numbers depends on a few extreme points (on average, its square is 1, and its
fourth power is $3^8$), and 6,000 examples hold too few of them. In no row does depth lead on the random functions.
"""

# %%
feedback("03a.hierarchy")

# %% [markdown]
r"""
**What you can now say.** Depth does not need parts within parts to win, and parts within parts are not enough. With as
many parameters and both sides tuned, one layer missed many times as much of the game as three layers did. So it did
when a rotation had hidden the parts. And on random networks of three narrow layers, which have no parts, it missed more
by a factor of {{claim 03.mirror-deep}}. On {{claim 03.trees}} of eight trees, three layers missed at most half of what
one layer missed, but on random networks of one layer they lost. It is *proved* that one layer needs exponentially many
units for the worst smooth function, and for a few others, but not for every tree.

**What you do not know.** You cannot tell which trees are the good ones before you try. (For two-layer networks, there
is a theory of how long SGD takes for a function, by its *leap*: Abbe et al. 2023.) You do not know what more examples
would change, nor whether a network that is *wired* like the tree would do better still. Such a network ought to suffer
from a rotation.

{{claims}}
"""

# %%
download()
