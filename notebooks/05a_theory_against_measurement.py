# %% [markdown]
r"""
# 05a Theory against measurement

**The napkin of lesson 05 is about networks that are infinitely wide. How wide must yours be?** You will compute what
theory says about angles, see all of order and chaos on one map, and compare both with networks drawn at random. An
excursion from lesson 05, in 32 minutes. Nothing later needs it.
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np

from utils.claims import recorded
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_05 import page
from utils.meanfield import chi_1
from utils.playground import playground
from utils.predictions import predict, reveal

use_style()
SEED = 0
SIGMA_B = 0.3  # biases, in all of this excursion but where it says so

# %% [markdown]
r"""
## 1 Angles have a map, too (6 min)

You know the length map from the lesson. A layer has weights $N(0, \sigma_w^2/n)$ and biases $N(0, \sigma_b^2)$, and $q$
is the mean square of the sums that go into its tanh. In the limit of infinite width, these sums are normal, and $q$
follows
$$q \;\to\; \sigma_w^2\, E\!\left[\tanh(\sqrt q\, z)^2\right] + \sigma_b^2, \qquad z \sim N(0, 1),$$
to its fixed point $q^*$ (Poole et al. 2016). Now take *two* inputs. What goes into one tanh is then a pair of normal
numbers. Both have the variance $q^*$, and their correlation is $c$, the cosine of the angle between the two signals. So
you need an average over pairs, and for that a grid of pairs:
"""

# %% tags=["idea"]
z = np.linspace(-8, 8, 201)
w = np.exp(-(z**2) / 2)
w /= w.sum()  # now w @ f(z) is the average of f over a standard normal number
one, independent = np.meshgrid(z, z)


def next_length(q, sigma_w, sigma_b=SIGMA_B):
    return sigma_w**2 * (w @ np.tanh(np.sqrt(q) * z) ** 2) + sigma_b**2


def next_cosine(c, q, sigma_w, sigma_b=SIGMA_B):
    other = c * one + np.sqrt(1 - c**2) * independent  # its correlation with `one` is c
    product = np.tanh(np.sqrt(q) * one) * np.tanh(np.sqrt(q) * other)
    covariance = sigma_w**2 * (w @ product @ w) + sigma_b**2
    return covariance / next_length(q, sigma_w, sigma_b)

# %% [markdown]
r"""
**Two inputs are 60° apart, so $c = 0.5$. The weights have $\sigma_w = 1.5$, a little into the chaotic phase. At which
angle do the two signals come to rest?**
"""

# %%
predict("05a.maps")

# %%
lengths = {}
for sigma_w in (0.8, 4, 1.5):
    q, c = 1.0, 0.5
    for _ in range(100):
        q = next_length(q, sigma_w)
    for _ in range(200):
        c = next_cosine(c, q, sigma_w)
    lengths[sigma_w] = q
cosines = np.linspace(0, 1, 101)
maps = {sigma_w: [next_cosine(c, q, sigma_w) for c in cosines]
        for sigma_w, q in lengths.items()}
reveal("05a.maps", figure=page.cosine_maps(maps, cosines), **page.angle_answer(c))

# %% [markdown]
r"""
Every curve ends at $c = 1$, because equal inputs stay equal. What counts is how it arrives there. The slope at that end
is
$$\chi_1 = \sigma_w^2\, E\!\left[\tanh'(\sqrt{q^*}\, z)^2\right],$$
your napkin number. If the slope is below 1, the curve comes in from above, and all inputs become parallel. If the slope
is above 1, the curve comes in from below, so it has crossed the diagonal further left. There, at $c^*$, all pairs come
to rest: neighbours part and strangers approach, until every pair stands at the same angle.

<details><summary>Why the curve crosses only once</summary>

**Proposition.** On $[0, 1]$ the cosine's map at $q^* > 0$ meets the diagonal once below $c = 1$ if $\chi_1 > 1$, and
only at $c = 1$ if $\chi_1 \le 1$.

Expand $\tanh(\sqrt q\, u)$ in Hermite polynomials that are normalised for a standard normal $u$, with coefficients
$a_k$. Then $E[\tanh(\sqrt q\, u_1) \tanh(\sqrt q\, u_2)] = \sum_k a_k^2 c^k$ for a correlation $c$. No coefficient is
negative, and as tanh is not a straight line, one with $k \ge 3$ is positive. So on $[0, 1]$ the map is strictly convex,
and a convex curve that ends at $(1, 1)$ meets the diagonal at most once more. It does so, at $c = 0$ or above, exactly
if its slope at 1 is larger than 1. ∎

</details>

## 2 A map of order and chaos (2 min)

Weights and biases pull in different directions. A bias is the same for every input, and drives the units into the flat
part of tanh, where small differences get lost. Without biases, the edge is at $\sigma_w = 1$ exactly; with
$\sigma_b = 0.3$ it is at {{= format(theory.CRITICAL, ".2f")}}. Find other points of the edge yourself.
"""

# %% tags=["idea"]
for sigma_w, sigma_b in ((1.5, 0), (1.5, 0.4), (1.5, 1), (2, 1)):  # which make 1.00?
    q = 1.0
    for _ in range(200):
        q = next_length(q, sigma_w, sigma_b)
    chi = sigma_w**2 * (w @ (1 - np.tanh(np.sqrt(q) * z) ** 2) ** 2)
    off = abs(chi - chi_1(sigma_w, sigma_b, "tanh"))
    print(f"σ_w = {sigma_w}, σ_b = {sigma_b}: "
          f"q* = {q:.2f}, χ₁ = {chi:.3f}, off by {off:.0e}")
show_figure(page.phases(), "05a.biases")

# %% [markdown]
r"""
## 3 How wide is infinite? (5 min)

Now draw networks at random. In a layer of $n$ units, $q$ is a mean over $n$ numbers. So even in the first layer it is
off by about $\sqrt{2/n}$ of its size. For an error of a tenth, width 200 is enough there. **Which width is enough in
layer 20, at $\sigma_w = 2.5$?**
"""

# %%
predict("05a.width")

# %%
widths = recorded("05_widths")
reveal("05a.width", figure=page.width_errors_drawn(widths), **page.width_answer(widths))

# %% [markdown]
r"""
The error falls with the square root of the width (its power is {{claim 05.error-falls}} between 10 and 1,000).

And depth? In the chaotic phase the length map forgets: what one layer got wrong, the next ones repair. From layer 5 to
layer 20 the error hardly changes, nor does it at the edge with biases. Without biases, at $\sigma_w = 1$, lengths fade
to $q^* = 0$. There the map repairs too slowly, and the error grows from layer 5 to layer 20 by a factor of
{{claim 05.error-grows}}. So the width must be large *in comparison with the depth*. Try it with your own networks:
"""

# %% tags=["idea"]
def drawn_lengths(rng, width, depth, sigma_w, sigma_b):
    x, q = np.ones(width), []
    for _ in range(depth):
        W = sigma_w / np.sqrt(width) * rng.standard_normal((width, width))
        u = W @ x + sigma_b * rng.standard_normal(width)
        q.append(np.mean(u**2))
        x = np.tanh(u)
    return np.array(q)


rng = np.random.default_rng(SEED)
for sigma_w, sigma_b in ((2.5, SIGMA_B), (1, 0)):
    drawn = np.array([drawn_lengths(rng, 50, 40, sigma_w, sigma_b)
                      for _ in range(40)])  # 500 takes ten seconds
    print(f"σ_w = {sigma_w}, relative spread in layers 1, 5, 20, 40:",
          (drawn.std(0) / drawn.mean(0))[[0, 4, 19, 39]].round(2))
show_figure(page.angle_errors(widths), "05a.angles")

# %% [markdown]
r"""
Angles are harder still. The figure is for two inputs 60° apart, in layer 20. In the ordered phase with biases, theory
is right at any width: all angles close, whatever the network. Without biases, at $\sigma_w = 1$, theory says that the
angle hardly changes. But layers are almost linear here, and in a narrow network the product of their random matrices
turns everything into one direction or its opposite. In layer 20, networks of width 20 have begun to do so: the median
cosine, without its sign, is {{claim 05.narrow-turns}}.

## 4 Two neighbours, forty layers on (5 min)

In theory, each layer multiplies a small gap between two signals by $\sqrt{\chi_1}$, so its logarithm grows by
$\tfrac12 \log \chi_1$, a **Lyapunov exponent**. To measure it, you must keep the gap small. So after each layer you
write down how much the gap has grown, and shrink it back, keeping its direction:
"""

# %% tags=["idea"]
def growth_by_layer(rng, width, depth, sigma_w, sigma_b=SIGMA_B, small=1e-6):
    x = rng.standard_normal(width)
    gap, growth = small * rng.standard_normal(width), []
    for _ in range(depth):
        W = sigma_w / np.sqrt(width) * rng.standard_normal((width, width))
        b = sigma_b * rng.standard_normal(width)
        x, moved = np.tanh(W @ x + b), np.tanh(W @ (x + gap) + b)
        growth.append(np.log(np.linalg.norm(moved - x) / np.linalg.norm(gap)))
        gap = (moved - x) * small * np.sqrt(width) / np.linalg.norm(moved - x)
    return np.array(growth[10:])  # by then q* is reached


rng = np.random.default_rng(SEED)
for sigma_w in (0.8, 1.5, 2.5):
    half = np.log(chi_1(sigma_w, SIGMA_B, "tanh")) / 2
    measured = growth_by_layer(rng, 200, 60, sigma_w).mean()
    print(f"σ_w = {sigma_w}: measured {measured:.3f}, ½ log χ₁ = {half:.3f}")

# %% [markdown]
r"""
Width 200 comes close. **How much does a layer of width 5 stretch a gap, at $\sigma_w = 2.5$?**
"""

# %%
predict("05a.narrow")

# %%
stretch = recorded("05_stretch")
reveal("05a.narrow", figure=page.stretched(stretch), **page.narrow_answer(stretch))

# %% [markdown]
r"""
Over four values of $\sigma_w$, from 0.8 to 4, the *largest* exponent of networks of width 5 is
{{claim 05.narrow-ordered}}. **So none of them is chaotic, whatever $\chi_1$ says.** Networks of width 6 are not chaotic
either; those of width 12 are (exponent at $\sigma_w = 2.5$: {{claim 05.twelve-chaotic}}).

How can that be? Follow one gap through 3,000 layers, at $\sigma_w = 4$:
"""

# %% tags=["idea"]
growth = growth_by_layer(rng, 5, 3000, sigma_w=4.0)  # try width 10 and 20
print(f"½ log χ₁ in theory: {np.log(chi_1(4.0, SIGMA_B, 'tanh')) / 2:.2f}")
print("the same from the mean square of all steps: "
      f"{np.log(np.mean(np.exp(2 * growth))) / 2:.2f}")
print(f"mean of their logarithms: {growth.mean():.2f}; "
      f"share of steps that stretch: {np.mean(growth > 0):.2f}")
print("every twentieth step shrinks the gap to "
      f"{np.exp(np.quantile(growth, 0.05)):.3f} or less")

# %% [markdown]
r"""
The mean *square* of the steps is nearly what theory says. But all of them multiply the gap, so what counts is the mean
of their logarithms. If steps vary, this mean is smaller than the logarithm of the mean step. In a wide layer, steps
hardly vary. But sometimes all five units are in the flat part of tanh, and then one step undoes what many others did.
Even without tanh the steps vary: linear layers of width 5 with $\sigma_w = 1$ keep a gap's mean square, yet their
exponent is $\frac12 (\psi(\frac52) + \log \frac25)$, where $\psi$ is the derivative of $\log \Gamma$. That is
{{= theory.linear_exponent(5)}}.

## 5 A line grows (7 min)

The circle of the lesson is nothing but neighbours, side by side. So in a wide network, once lengths have settled, the
circle's own length must grow like a gap:
"""

# %% tags=["idea"]
def circle_lengths(rng, width, depth, sigma_w, points=4000):
    angle = np.linspace(0, 2 * np.pi, points)
    circle = np.stack([np.cos(angle), np.sin(angle), *np.zeros((width - 2, points))])
    x = np.sqrt(width) * circle
    lengths = []
    for _ in range(depth):
        W = sigma_w / np.sqrt(width) * rng.standard_normal((width, width))
        x = np.tanh(W @ x + SIGMA_B * rng.standard_normal((width, 1)))
        lengths.append(np.linalg.norm(np.diff(x), axis=0).sum())  # of a polygon
    return lengths


rng = np.random.default_rng(SEED)
curves = {sigma_w: circle_lengths(rng, 200, 12, sigma_w) for sigma_w in (0.8, 1.5, 2.5)}
show_figure(page.curves(curves), "05a.curves")
playground(data="none", layers=[64], against=[64] * 8, hold="nothing",
           activation="tanh", init="lecun", gain=3)

# %% [markdown]
r"""
At width 500 and $\sigma_w = 2.5$, the growth in one layer was {{claim 05.curve-grows}} times $\sqrt{\chi_1}$. A fixed
factor per layer means exponential growth. But tanh keeps the curve in a box, without room to go straight, so it bends.
That is the tangle that you saw (Poole et al. 2016, Raghu et al. 2017).

But at width 5, where gaps shrink, the curve still grows (the logarithm of its growth in one layer:
{{claim 05.narrow-curve}}). Its length is a *sum* over its pieces, and the few that stretch far count most. A gap's
exponent describes the typical piece.

*In the playground* are random networks of one layer and of eight. Drag both gains (under *Activation*) down to 1, and
below. What becomes of the wrinkles?

## 6 How far a signal reaches (7 min)

In either phase, a deep network forgets. Once angles are close to $c^*$, each layer multiplies a difference between them
by the slope of the map at $c^*$. After
$$\xi_c = -1 / \log f'(c^*)$$
layers, the difference has fallen to $1/e$; the slope of the length map gives $\xi_q$ (Schoenholz et al. 2017). In the
ordered phase $c^* = 1$, so the slope is $\chi_1$, and at the edge $\xi_c$ is infinite.

Take two pairs of inputs, one at 60° and one at 90°, and follow the difference of their cosines from layer
{{= theory.FITTED_FROM[theory.ANGLES] + 1}} to layer {{= theory.REACH_DEPTH}}. **At the edge, in networks of width
{{= theory.REACH_WIDTH}}, after how many layers is $1/e$ of this difference left?**
"""

# %%
predict("05a.reach")

# %%
reach = recorded("05_reach")
reveal("05a.reach", figure=page.reaches_drawn(reach), **page.reach_answer(reach))

# %% [markdown]
r"""
At $\sigma_w = 2.5$ theory is right (measured over theory: {{claim 05.reach-theory}}). Near the edge, networks seem to
fall short of $\xi_c$. Width is not to blame: the map itself, fitted from the same pairs over the same layers, falls
just as short (at $\sigma_w$ = {{= format(theory.BESIDE, "g")}}, networks over map: {{claim 05.reach-edge}}). $\xi_c$
describes the rate *at* the fixed point, but what we fitted was the way to it. Find the slopes, then start from other
pairs:
"""

# %% tags=["idea"]
for sigma_w in (1.1, 1.3, 1.5, 2.5):  # try 1.39: are 400 steps enough?
    q, c, tiny = 1.0, 0.5, 1e-4
    for _ in range(200):
        q = next_length(q, sigma_w)
    for _ in range(400):
        c = next_cosine(c, q, sigma_w)
    c = min(c, 1 - tiny)
    slope = (next_cosine(c, q, sigma_w) - next_cosine(c - tiny, q, sigma_w)) / tiny
    print(f"σ_w = {sigma_w}: c* = {c:.3f}, slope {slope:.3f}, "
          f"ξ_c = {-1 / np.log(slope):.1f} layers")

# %% tags=["idea"]
for sigma_w in (1.5, 2.5):
    q = 1.0
    for _ in range(200):
        q = next_length(q, sigma_w)
    for a, b in ((0.5, 0), (0.9, 0.5), (0.99, 0.9)):
        near, far, layers = a, b, 0
        while near - far > (a - b) / np.e:
            near, far = (next_cosine(c, q, sigma_w) for c in (near, far))
            layers += 1
        print(f"σ_w = {sigma_w}, cosines {a} and {b}: 1/e is left after {layers} layers")

# %% [markdown]
r"""
At $\sigma_w = 1.5$, $c^*$ is about 0.77. Wide pairs are forgotten in fewer than $\xi_c$ layers. Narrow pairs take many
more, because neighbours have to part first. So you cannot name one number of layers for the edge, only one for each
pair.
"""

# %%
feedback("05a.theory")

# %% [markdown]
r"""
**What you can now say.** How wide must a network be? Where lengths settle, about 200 units are enough to get them
within a tenth at any depth (error at width 200 in layer 20: {{claim 05.tenth}}). Where they fade, you need more with
every layer. Ten times less error costs a hundred times the width. And a network needs more than six units to have a
chaotic phase at all (up to $\sigma_w = 4$).

**What you do not know.** What holds for trained networks, since all this is about random weights. Whether a network can
be *trained* at the depths that its signals reach. And what a theory of width 5 would say.

{{claims}}
"""

# %%
download()
