# %% [markdown]
r"""
# 05 Students, teachers and chaos

**How hard a function can a random deep network be, and who can learn it?** You will send a circle through twenty random
layers, find the number that tells what becomes of it, and find out who can learn such a network.

*72 minutes, four lines of yours included, and about 45 more for the exercises. You need lesson 01,
and lesson 04 for the three questions at the start.*
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np
import torch
from torch.func import jacfwd

from utils.claims import claimed, recorded
from utils.exercises import yours
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_05 import page
from utils.models import mlp
from utils.playground import playground
from utils.predictions import ask, predict, reveal
from utils.training import train
from utils.widgets import live_figure

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work
SEED = 4

# %% [markdown]
r"""
## Three questions about lesson 04 (2 min)
"""

# %%
ask("05.before-trained", "05.before-board", "05.before-most")

# %% [markdown] tags=["aha"]
r"""
## 1 A circle through twenty layers (11 min)

Draw a circle, and send it through a network that nobody has trained. Each layer multiplies by random weights and
applies tanh, and that is all. There are no biases. **Write that layer.** Its weights `W` have a row for each unit, the
points `x` a row for each point. (Replace the three dots. If you are stuck, the line lies below. Whatever you write, the
page goes on; after a syntax error, mend the cell or put the dots back, and run on from there.)
"""

# %% tags=["idea"]
# BEGIN BLANK
def layer(x, W):
    """Return the outputs [points, units] of points x [points, inputs]."""
    return np.tanh(x @ W.T)
# END BLANK

# %% [markdown]
r"""
The weights have mean 0 and standard deviation $\sigma/\sqrt{n}$, where $n$ is the number of inputs of the layer. So
$\sigma$ is the only dial.
"""

# %%
layer = yours("05.layer")


def layers(x, sigma, depth=20, width=300, seed=0):
    generator = np.random.default_rng(seed)
    after = [x]
    for _ in range(depth):
        n = after[-1].shape[1]
        W = sigma / np.sqrt(n) * generator.normal(size=(width, n))
        after.append(layer(after[-1], W))
    return after


angle = np.linspace(0, 2 * np.pi, 289)
circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)

# %% [markdown]
r"""
After the first layer the circle is a closed curve in a space of 300 dimensions, and each further layer carries it on.
Take the same random numbers four times, with $\sigma = 0.8$, $1$, $1.5$ and $2.5$. **What has become of the circle
after twenty layers?**
"""

# %%
predict("05.circle")

# %% tags=["idea"]
after = {sigma: layers(circle, sigma) for sigma in page.SIGMAS}
page.play_circles(after)

# %% [markdown]
r"""
The film shows the first three of each layer's 300 units, on one scale. Play it, turn it, then move the slider by hand
and follow the two marked points, neighbours on the circle.
"""

# %%
reveal("05.circle")

# %% [markdown]
r"""
## 2 Two neighbours (10 min)

The eye is a poor judge. So take two points, a hundredth of a radian apart, and measure the gap between them after every
layer, in ten networks.
"""

# %% tags=["idea"]
def gaps(sigma, apart, seed, depth=40):
    pair = np.array([[1, 0], [np.cos(apart), np.sin(apart)]])
    return [np.sqrt(np.mean((x[0] - x[1]) ** 2))
            for x in layers(pair, sigma, depth, seed=seed)]


apart = {sigma: [gaps(sigma, 0.01, seed) for seed in range(10)]
         for sigma in page.SIGMAS}  # some seconds
for sigma in apart:
    middle = np.median(apart[sigma], axis=0)
    print(f"σ = {sigma:g}: times {(middle[15] / middle[5]) ** (1 / 10):.2f} a layer")
show_figure(page.separation(apart), "05.separation")

# %% [markdown]
r"""
A straight line on this axis means that every layer multiplies the gap by the same factor: the printed one, between the
5th and the 15th layer. The growth has to stop, for tanh keeps all outputs in a box. At 2.5 our neighbours end as far
apart as two unrelated points, {{= circle.farthest(2.5)}} per unit.

Can you keep them together? Start from a gap **a hundred times smaller**. At $\sigma = 2.5$, how many more layers does
it take until the gap is 0.5?
"""

# %%
predict("05.neighbours")

# %% tags=["idea"]
def layers_until(gap, apart):
    return np.median([np.argmax(np.array(gaps(2.5, apart, seed, 60)) > gap)
                      for seed in range(10)])


close, closer = (layers_until(0.5, apart) for apart in (0.01, 0.0001))

# %%
reveal("05.neighbours", more=closer - close, close=close, closer=closer)

# %% [markdown]
r"""
Now try any $\sigma$, and biases, with which nothing fades to zero. The left picture is the circle; its square is the
first of the neighbours. The right one says how much two points still have in common: their *correlation* is the cosine
of the angle between their sums $Wx + b$. **For which σ does the dashed line, two points a quarter circle apart, climb
to 1, and for which does it settle below?**
"""

# %%
live_figure(page.circle_at, **page.circle_controls())

# %% [markdown]
r"""
So there is an edge: near {{= format(theory.CRITICAL, ".1f")}}, with these biases. Below it, all inputs become one and
the same point. Above it, any two inputs end with the same correlation, whether they began as neighbours or far apart
(Poole et al. 2016); just above it, neighbours need more layers than the slider has.

*→ Now do exercise 05.1: how fast do two inputs separate?*
"""

# %% [markdown]
r"""
## 3 A number on a napkin (17 min)

Can you tell without drawing a network? What goes into a tanh is a sum of random weights, each times a signal. For given
signals the sum is normally distributed, with mean 0. Its variance, called the **length** (a square, despite its name),
is the same for all units: $q = \sigma^2 \cdot \text{mean}(x^2) + \sigma_b^2$. So the next layer's signals are
$\tanh(\sqrt q\, z)$, with $z$ standard normal. In a wide layer their mean square is nearly its expectation, and the
next length is
$$q \;\to\; \sigma^2\, E\!\left[\tanh(\sqrt q\, z)^2\right] + \sigma_b^2.$$
(Poole et al. 2016, for infinite width.) For the average $E$ a grid of values of $z$ will do, each weighted by the bell
curve:
"""

# %% tags=["idea"]
z = np.linspace(-8, 8, 201)
weights = np.exp(-(z**2) / 2)
weights /= weights.sum()


def average(values):  # average(z**2), say, is 1
    return weights @ values

# %% [markdown]
r"""
**Write the formula for the next $q$.**
"""

# %% tags=["idea"]
# BEGIN BLANK
def next_length(q, sigma, sigma_b=0.0):
    """Return the next layer's length."""
    return sigma**2 * average(np.tanh(np.sqrt(q) * z) ** 2) + sigma_b**2
# END BLANK

# %%
next_length = yours("05.length")
q = 1.0
for _ in range(20):
    q = next_length(q, sigma=1.5)  # now 0.8, 1 and 2.5
    print(f"{q:.3f}", end="  ")

# %% [markdown]
r"""
Change σ and run it again. At 0.8 the length dies. At 1 it dies, too, but slowly. At 1.5 and 2.5 it comes to rest, at a
value $q^*$. Now networks of your own, twenty for each σ:
"""

# %% tags=["idea"]
def lengths_in_a_network(sigma, width=200, depth=20):
    x, lengths = np.ones(width), []
    for _ in range(depth):
        u = sigma / np.sqrt(width) * rng.standard_normal((width, width)) @ x
        lengths.append(np.mean(u**2))
        x = np.tanh(u)
    return lengths


rng, drawn, theory = np.random.default_rng(SEED), {}, {}
for sigma in page.SIGMAS:
    drawn[sigma] = [lengths_in_a_network(sigma) for _ in range(20)]
    theory[sigma] = [sigma**2]  # the input has mean square 1
    while len(theory[sigma]) < 20:
        theory[sigma].append(next_length(theory[sigma][-1], sigma))
show_figure(page.length_paths(drawn, theory), "05.lengths")

# %% [markdown]
r"""
Lines are your map, points are networks. Now the gap between two neighbours. A tanh multiplies a small gap by its slope,
$1 - \tanh^2$. The weights then mix it and multiply it by σ. So once $q$ has settled, each layer multiplies the gap's
mean *square* by
$$\chi_1 = \sigma^2\, E\!\left[\tanh'(\sqrt{q^*}\, z)^2\right].$$
That is the number on the napkin. **Write it**, for a $q$ that has settled.
"""

# %% tags=["idea"]
# BEGIN BLANK
def chi(q, sigma):
    """Return the factor of a small gap's mean square in one layer."""
    return sigma**2 * average((1 - np.tanh(np.sqrt(q) * z) ** 2) ** 2)
# END BLANK

# %%
chi = yours("05.chi")
for sigma in page.SIGMAS:
    q = 1.0
    for _ in range(1000):
        q = next_length(q, sigma)
    print(f"σ = {sigma}: χ₁ = {chi(q, sigma):.2f}, its root {np.sqrt(chi(q, sigma)):.2f}")

# %% [markdown]
r"""
The root is the factor that you measured in section 2, once lengths have settled; at σ = 1 they never do. **Below 1
neighbours come together: ordered. Above 1 they move apart: chaotic.** Without biases the edge lies at
$\sigma = 1$ (Sompolinsky, Crisanti & Sommers 1988), with biases further up.

What does the number buy? It tells **who can be taught**: what a student can make of a deep teacher (section 6). And it
tells **who can be trained**: going backwards, it is the gradient's mean square that each layer multiplies by $\chi_1$
(Schoenholz et al. 2017; lesson 06).

*→ Now do exercises 05.2 and 05.3. How wide is infinite, and how far does a signal reach? That is excursion 05a.*
"""

# %% [markdown]
r"""
*In the playground* nothing is trained: one layer and eight, at random weights. Drag both gains (under *Activation*)
down to 1, and below. What becomes of the wrinkles?
"""

# %%
playground(data="none", layers=[64], against=[64] * 8, hold="nothing",
           activation="tanh", init="lecun", gain=3)

# %% [markdown]
r"""
## 4 A teacher and its students (8 min)

Take a random network as a function to be learned. It is the **teacher**. It answers questions $X$, and a **student**
sees nothing but questions and answers. Here is a deep teacher: four hidden layers of five units, σ = 2, no biases.

<details><summary>Code to take along: random_teacher, from utils/lesson_05/networks.py</summary>

```python
import torch
from torch import nn

def random_teacher(width=5, sigma=2.0, depth=4, *, generator):
    sizes, layers = [5, *[width] * depth, 1], []
    for n_in, n_out in zip(sizes, sizes[1:]):
        linear = nn.Linear(n_in, n_out, bias=False)
        nn.init.normal_(linear.weight, std=sigma / n_in**0.5, generator=generator)
        layers += [linear, nn.Tanh()]
    return nn.Sequential(*layers[:-1]).double()
```

</details>
"""

# %% tags=["idea"]
shape = [5, 5, 5, 5, 5, 1]
generator = torch.Generator().manual_seed(SEED)
teacher = mlp(shape, "tanh", bias=False, init=("normal", 2.0),
              generator=generator).double()
X, X_test = (torch.randn(n, 5, generator=generator, dtype=torch.float64)
             for n in (4000, 2000))
with torch.no_grad():
    y, y_test = teacher(X), teacher(X_test)

# %% [markdown]
r"""
There are 4,000 examples for 105 weights. Every score below is a **relative error**, as in lesson 02: the mean squared
error on questions that the student has never seen, over the variance of the answers. The mean answer scores 1.
"""

# %% tags=["idea"]
def relative_error(y_hat, y):
    return ((y_hat - y) ** 2).mean() / y.var()


coefficients = torch.linalg.lstsq(X, y).solution
linear = (X_test @ coefficients).numpy()
print(f"linear, by least squares: {relative_error(linear, y_test.numpy()):.2f}")

# %% [markdown]
r"""
(Over many teachers: {{claim 05.linear}}.) Never judge a network's error without this line beside it.

Now students with one hidden layer. With 18 units such a student has {{= teachers.parameters("shallow 18")}} parameters,
about as many as the teacher; others have 45 and 135 units. The last student has the teacher's own shape, and random
weights of its own. All get the same 20,000 steps of Adam. **Who comes nearest to the teacher?**
"""

# %%
predict("05.students")

# %% tags=["idea"]
def trained_student(sizes, lr=0.01):
    generator = torch.Generator().manual_seed(SEED + 1)
    student = mlp(sizes, "tanh", bias=False, init="normal", generator=generator).double()
    train(student, X, y, epochs=1250, lr=lr, batch_size=250, schedule="cosine")
    with torch.no_grad():
        return relative_error(student(X_test).numpy(), y_test.numpy())


yours_by_shape = [f"{sizes}: {trained_student(sizes):.0e}"
                  for sizes in ([5, 18, 1], [5, 45, 1], [5, 135, 1], shape)]

# %%
record = recorded("05_students")
reveal("05.students", figure=page.students(record), yours=", ".join(yours_by_shape),
       equal_ratio=claimed("05.students-equal"), wide_ratio=claimed("05.students-wide"),
       deep_ratio=claimed("05.students-deep"),
       **page.student_medians(record))

# %% [markdown]
r"""
So what shape a student has matters more than how many parameters.

*→ Further: exercises 05.4, 05.5 and 05.6. What of the shallow error is capacity, what is sample size? Excursion 05b.*
"""

# %% [markdown]
r"""
## 5 Another optimiser (14 min)

A perfect student exists: the teacher itself. Will anybody find it? Give Adam ten seconds on your machine, at the rate
that suits it best:
"""

# %%
page.print_adam((X, y), (X_test, y_test), rate=page.best_adam_rate(recorded("05_adam")))

# %% [markdown]
r"""
The same ten seconds go to **Levenberg–Marquardt**. It replaces the network by its tangent at the present weights, and
solves that least-squares problem with a penalty on long steps. **How small will the error on unseen questions be?**
"""

# %%
predict("05.recovered")

# %% [markdown]
r"""
With the residuals $r$ and their Jacobian $J$ (a row an example, a column a weight), the step $s$ to subtract solves
$$(J^\top J + \lambda I)\, s = J^\top r.$$
The *damping* λ is the penalty: a step that lowers the error is kept, and the damping falls; else the damping rises.
**Write the step**, with `np.linalg.solve(A, b)` and `np.eye(n)`.
"""

# %% tags=["idea"]
# BEGIN BLANK
def step(J, r, damping):
    """Return s [weights] for J [examples, weights] and r [examples]."""
    return np.linalg.solve(J.T @ J + damping * np.eye(J.shape[1]), J.T @ r)
# END BLANK

# %% [markdown]
r"""
First a student that starts close to the teacher, with every weight off by about a fiftieth:
"""

# %%
step = yours("05.step")


def answers(w, x=X[:1000]):
    for W in w[:100].reshape(4, 5, 5):
        x = torch.tanh(x @ W.T)
    return x @ w[100:]


exact = torch.cat([W.detach().flatten() for W in teacher.parameters()])
noise = torch.Generator().manual_seed(SEED)
w = exact * (1 + 0.02 * torch.randn(105, generator=noise, dtype=torch.float64))
r, damping = answers(w) - y[:1000, 0], 1e-3
for _ in range(8):
    trial = w - torch.from_numpy(step(jacfwd(answers)(w).numpy(), r.numpy(), damping))
    missed = answers(trial) - y[:1000, 0]
    better = missed.square().sum() < r.square().sum()
    w, r, damping = (trial, missed, damping / 10) if better else (w, r, damping * 10)
    print(f"{(r.square().mean() / y.var()).item():.0e}", end="  ")

# %% [markdown]
r"""
A real student starts from random weights, and from there most single starts fail. So start a hundred at a time, and
give up on the worst ones early:
"""

# %%
fit = page.recover_in_time(X, y, seconds=10,
                           generator=torch.Generator().manual_seed(SEED + 10))
recovery, adam = recorded("05_recovery"), recorded("05_adam")
with torch.no_grad():
    error = relative_error(fit.model(X_test).numpy(), y_test.numpy())
reveal("05.recovered", figure=page.digits(recovery, adam),
       yours=error, starts=fit.restarts, share=claimed("05.recovered"),
       by_adam=claimed("05.adam"), gap=claimed("05.recovered-weights"),
       **page.digits_reached(recovery, adam))

# %% [markdown]
r"""
**Are they the same weights?** Nobody can tell the order of hidden units from outside. And tanh is odd: change the signs
of all weights into a unit and out of it, and nothing else changes.

**Theorem** (Vlačić & Bölcskei 2021; for one hidden layer Sussmann 1992). Take tanh networks with no zero among their
weights, and no two units of a layer whose incoming weights and biases agree up to a common sign. Two of them that
compute the same function differ only in the order and the signs of their hidden units.

*→ Further: exercise 05.7 undoes both.*
"""

# %% [markdown]
r"""
## 6 Easy and hard teachers (6 min)

Wide teachers should be easy below σ = 1 and hard above. (Narrow ones are another matter: excursion 05a.)

Take {{= depths.lines.seeds}} teachers of {{= students.WIDE}} units in each of 4, 16 or 64 hidden layers, and
{{= len(depths.SIGMAS)}} values of σ. There is a σ at which the best linear map misses half of a teacher. **How does it
depend on the teacher's depth?**
"""

# %%
predict("05.sigma")

# %%
lines = recorded("05_depths")
reveal("05.sigma", figure=page.missed_by_depth(lines), above=claimed("05.half-deep"),
       misses=claimed("05.deeper-misses"), easy=claimed("05.deep-easy"),
       hard=claimed("05.deep-hard"), four=claimed("05.four-hard"),
       **page.depth_answer(lines))

# %%
feedback("05.sigma")

# %% [markdown]
r"""
## 7 What you can now say (4 min)

1. In a wide random tanh network one number, $\chi_1$, tells whether neighbours come together or part.
2. Without biases the edge is at $\sigma = 1$: below it all signals fade, above it lengths settle. With biases lengths
   settle on both sides, and the phases differ in the angle at which inputs end.
3. A linear baseline belongs beside every error. On deep teachers one hidden layer ended far above deep students.
4. Such a teacher can often be recovered exactly, up to the order and the signs of its units, by the right optimiser.
5. Teachers get harder as $\sigma$ grows: gradually with four layers, soon beyond 1 with 64.

**What you do not know yet**: what the edge means for training (lesson 06), and when depth hurts (lesson 07).
"""

# %%
show_figure(page.card(), "05.card")

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
