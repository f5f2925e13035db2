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

Two players move in turn. Each move is a choice of two, and after three moves the game ends: eight ends, worth
$x_1, \dots, x_8$ to whoever moves last. What is the whole game worth, if both play well?

Go backwards. Of two positions you take the better one, and what you win, your opponent loses. So to your opponent,
who led you there, the position in which you choose is worth $h(a, b) = -\max(a, b)$. Do this three times, and you
know what the game is worth to the player who does not begin:
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
That is a **hierarchy** in its purest form: a binary tree of one function of *two* arguments.

## 2 Three layers can (4 min)

Since $\max(a, b) = \operatorname{relu}(a - b) + \operatorname{relu}(b) - \operatorname{relu}(-b)$, three ReLU units
play one move. Look, a network, built by hand:
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
Three hidden layers, of 12, 6 and 3 units. One hidden layer cannot do it exactly, however wide.

<details><summary>The proof</summary>

**Proposition.** No network with one hidden layer of ReLU units, however wide, computes the game of three moves exactly.

A unit bends the function along a whole hyperplane. All units that bend along the same one add up to one change of
gradient, and it is the same everywhere on that hyperplane. So a network with one hidden layer has a crease either all
along a hyperplane or nowhere on it (but for where it meets others). The game has a crease on $x_1 = x_2$ as long as
good play leads to these two ends, and none where it leads elsewhere. ∎

</details>

Exactly is much to ask. What about *nearly*? These are the theorems that people quote when they say that hierarchies
need depth (after Mhaskar & Poggio 2016):

- **Theorem** (Poggio et al. 2017, theorem 2). Let $f$ be a binary tree on the cube $[-1, 1]^d$. Let each node have
  continuous derivatives up to order $m$, and let their largest values add up to at most 1; let the activation be
  smooth, and not a polynomial. Then a deep network **that contains the tree** comes within $\varepsilon$ of $f$
  everywhere with $O\bigl((d - 1)\, \varepsilon^{-2/m}\bigr)$ units. The 2 is because no node has more than two inputs.
- **Theorem** (Poggio et al. 2017, theorem 1). If all we know of $f$ are its $m$ derivatives, in all $d$ variables, then
  one hidden layer of $O(\varepsilon^{-d/m})$ units does it, and for this whole class nothing reasonable does with fewer
  (reasonable: the parameters depend continuously on $f$).

For ReLU there is such a pair, too (theorem 4): $\varepsilon^{-2}$ against $\varepsilon^{-d}$, for functions with
bounded slope. Read what it does *not* say. The second number is for the **worst of all smooth functions**: these
theorems show no particular tree to be hard for one layer. (For products others do: Rolnick and Tegmark 2018, for smooth
activations; Shapira 2023, for ReLU on many domains, though not on the unit cube.) Both are about weights that *exist*,
not about what training finds from some thousand examples. And the constants are left open. So let us race, on normal
inputs rather than on a cube.

## 3 The race (4 min)

At most {{= hierarchy.BUDGET}} parameters, on one hidden layer of 104 units, two of 27, three of 20 or four of 16. The
ends are standard normal; 6,000 games to learn from, 2,400 steps of Adam, in batches of 150 whose order is the same for
all. The rate rises and falls once (one cycle, Smith and Topin 2018); how high, validation games choose, out of six. (A
step of three layers takes {{= hierarchy.step_flops(3) / hierarchy.step_flops(1)}} times the
arithmetic of one, at equal parameters.) We report the share of variance that is missed on held-out games: 0 is
perfect, 1 is the best constant. **Which network misses the least?**
"""

# %%
predict("03a.moves")

# %%
moves = recorded("03_moves")
reveal("03a.moves", figure=page.missed_by_depth(moves), deep=claimed("03.game-deep"),
       **page.medians_by_depth(moves))

# %% [markdown]
r"""
Your turn, with one rate, and batches drawn afresh:
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

To credit the game's hierarchy, we need a **control**: a function without one, and otherwise as hard. As hard in what
sense? We choose **roughness**, the mean squared slope over the variance. Linear functions have 1, and finer wiggles
more. The game's slope is 1 almost everywhere, since its worth *is* one of the ends, up to the sign.

The control is a sum of 256 cosine waves in random directions. All inputs are in all of them.
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
Did you find it? About 0.59. Here are both on one plane through the eight dimensions. As a second measure, walk around
random circles, and count how often the function crosses its median:
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
The same race, on random functions exactly as rough as the game, a new one for each seed. **What becomes of the lead of
three layers?**
"""

# %%
predict("03a.control")

# %%
targets = recorded("03_targets")
reveal("03a.control", figure=page.missed_by_version(targets, ["tree", "random function"]),
       behind=claimed("03.game-control"), **page.medians_of(targets, "random function"))

# %% [markdown]
r"""
Check it with `learn(sizes, control)`.

Is this control fair? A sum of waves *is* one hidden layer, of another activation; the game is exactly three. So
turn it round. Of a random network of one layer, with 21 ReLU units, as many as play the game, one layer misses less
(what it misses over what three miss: {{claim 03.mirror-teacher}}). And take random networks of three layers of six
units. They are no trees, since every unit takes in all inputs. Three layers miss less of them ({{claim
03.mirror-deep}}). But of random networks of three layers of *twelve*, which three layers of 20 contain as well, little
is left of this lead ({{claim 03.mirror-wide}}). **Three layers won where few units in three layers make the target.**
Whether it is a hierarchy is another question. (After four times the steps three layers lead by more on the game, and
still lose on the random functions: see the table of claims.)

## 5 Hide the tree (3 min)

Is it, then, that the game's inputs belong together in *pairs*? Hide the pairs: rotate the eight-dimensional space at
random before the game is played, $x \mapsto xQ$. Now each input has a say in every end. **Three layers against one:
what becomes of the lead?** Think of what a first layer does to its inputs.
"""

# %%
predict("03a.rotated")

# %%
reveal("03a.rotated", figure=page.missed_by_version(targets, ["tree", "rotated tree"]),
       kept=claimed("03.game-rotated"), **page.medians_of(targets, "rotated tree"))

# %% [markdown]
r"""
Try it yourself:
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

Did we look for a target until depth won? Judge for yourself: here are **all** eight trees that we tried, each of a
single node $h(a, b)$, each with random functions as rough as itself. **Of how many trees do three layers
miss at most half of what one layer misses, in the median?**
"""

# %%
predict("03a.trees")

# %%
reveal("03a.trees", figure=page.leads(targets), by_seed=claimed("03.trees"),
       **page.trees_won(targets))

# %% [markdown]
r"""
Shares missed by one and by three layers, medians over 20 seeds. (Before, we had looked at the same eight with two
seeds, and at four of them with four inputs. Those looks are not recorded.)
"""

# %%
page.print_targets(targets)

# %% [markdown]
r"""
Depth leaves far less of a smooth tree, too, of $\tanh(a + b + ab)$ (one layer over three: {{claim
03.saturating-deep}}). But **a hierarchy is not enough.** On trees of $ab + a$ the lead is slight. Of the product of all
inputs, which Poggio et al. call the prototype of such functions, neither network learns anything. That says nothing
about depth: the product of eight normal numbers hangs on a few points (its fourth power is $3^8$ on average, its square
1), too few for 6,000 examples. In no row does depth lead on the random functions.
"""

# %%
feedback("03a.hierarchy")

# %% [markdown]
r"""
**What you can now say.** Parts within parts are neither needed for depth to win nor enough. At equal parameters, both
tuned, one layer missed many times more than three of the game of parts, but also where a rotation had hidden the parts,
and of random networks of three narrow layers, which have none (one over three: {{claim 03.mirror-deep}}); of eight
trees three layers halved it on {{claim 03.trees}}, and on random networks of one layer they lost. It is *proved* that
one layer needs exponentially many units for the worst smooth function, and for a few others, but not for each tree.

**What you do not know.** Which trees are the good ones, before you try. (Of two-layer networks there is a theory of how
long SGD takes for a function, by its *leap*: Abbe et al. 2023.) What more examples would change. And whether a network
that is *wired* like the tree would do better still: there a rotation ought to hurt.

{{claims}}
"""

# %%
download()
