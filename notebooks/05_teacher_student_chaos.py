# %% [markdown]
r"""
# 05 Students, teachers and chaos

**How hard a function can a random deep network be, and who can learn it?** You will send a circle through twenty random
layers, find the number that tells what becomes of it, and find out who can learn such a network.

*73 minutes, and about 100 more for the exercises. You need lessons 01 to 04.*
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np
import torch
from torch.func import jacfwd

from utils.claims import recorded
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_05 import page
from utils.models import mlp
from utils.predictions import predict, reveal
from utils.statistics import median
from utils.training import train
from utils.widgets import live_figure

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work
SEED = 4

# %% [markdown] tags=["aha"]
r"""
## 1 A circle through twenty layers (12 min)

Draw a circle, and send it through a network that nobody has trained. Each layer multiplies by random weights and
applies tanh, and that is all. There are no biases. The weights have mean 0 and standard deviation $\sigma/\sqrt{n}$,
where $n$ is the number of inputs of the layer. So $\sigma$ is the only dial.
"""

# %% tags=["idea"]
def layers(x, sigma, depth=20, width=300, seed=0):
    generator = np.random.default_rng(seed)
    after = [x]
    for _ in range(depth):
        n = x.shape[1]
        W = sigma / np.sqrt(n) * generator.normal(size=(width, n))
        x = np.tanh(x @ W.T)
        after.append(x)
    return after


angle = np.linspace(0, 2 * np.pi, 289)
circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
print("points and units, layer by layer:",
      *[x.shape for x in layers(circle, sigma=1)][:3], "…")

# %% [markdown]
r"""
After the first layer the circle is a closed curve in a space of 300 dimensions, and each further layer carries it on.
Take the same random numbers four times, with $\sigma = 0.8$, $1$, $1.5$ and $2.5$. **What has become of the circle
after twenty layers?**
"""

# %%
predict("05.circle")

# %%
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
How large is a unit in the end, in ten networks?
"""

# %% tags=["idea"]
def size(x):
    return np.sqrt(np.mean(x**2))


for sigma in page.SIGMAS:
    last = [size(layers(circle[::8], sigma, seed=seed)[-1]) for seed in range(10)]
    print(f"σ = {sigma:g}: {median(last)}")

# %% [markdown]
r"""
- **σ = 0.8.** The size is gone, but the shape is not. Under a microscope you would still find nearly an ellipse.
- **σ = 1.** The same, but slowly. After $l$ layers a unit's size is close to $1/\sqrt{2l}$, which is
  {{= 1 / math.sqrt(2 * circle.DEPTH)}} after twenty.
- **σ = 1.5.** The size settles. The curve winds about, but you can still follow it with a finger.
- **σ = 2.5.** The size settles as well, and the curve is a tangle.

**Somewhere between 1 and 2.5 a random network begins to drive neighbours apart.**
"""

# %% [markdown]
r"""
## 2 Two neighbours (8 min)

The eye is a poor judge. So take two points, a hundredth of a radian apart, and measure the gap between them after every
layer, in ten networks.
"""

# %% tags=["idea"]
def gaps(sigma, apart, seed, depth):
    pair = np.array([[1, 0], [np.cos(apart), np.sin(apart)]])
    return [size(x[0] - x[1]) for x in layers(pair, sigma, depth, seed=seed)]


apart = {sigma: [gaps(sigma, 0.01, seed, depth=40) for seed in range(10)]
         for sigma in page.SIGMAS}  # some seconds
print("last gaps:", {sigma: float(f"{np.median(apart[sigma], axis=0)[-1]:.2g}")
                     for sigma in apart})
show_figure(page.separation(apart), "05.separation")

# %% [markdown]
r"""
A straight line on this axis means that every layer multiplies the gap by the same factor. At $\sigma = 0.8$ it is less
than 1, and at $\sigma = 1$ it creeps up towards 1. At 1.5 and 2.5 a layer stretches a small gap, on average.

The growth has to stop, for tanh keeps all outputs in a box. At 2.5 our neighbours end as far apart as two unrelated
points, {{= circle.farthest(2.5)}} per unit.

Can you keep them together? Start from a gap **a hundred times smaller**. At $\sigma = 2.5$,
how many more layers does it take until the gap is 0.5?
"""

# %%
predict("05.neighbours")

# %% tags=["idea"]
def layers_until(gap, apart):
    return [np.argmax(np.array(gaps(2.5, apart, seed, depth=60)) > gap)
            for seed in range(10)]


close, closer = (np.median(layers_until(0.5, apart)) for apart in (0.01, 0.0001))

# %%
reveal("05.neighbours", more=closer - close, close=close, closer=closer, seeds=10)

# %% [markdown]
r"""
A hundred times the precision buys you that many layers. This is what *chaos* means: inputs that you cannot tell apart
have outputs that have nothing in common.

Now try any $\sigma$. The left picture is the circle, and its square is the first of the neighbours. The right one says
how much two points still have in common: their *correlation* is the cosine of the angle between their sums $Wx + b$.
Then add biases, with standard deviation {{= circle.SIGMA_B}}: now nothing fades to zero. Watch the dashed line, for two
points a quarter circle apart. Where does it climb to 1, and where does it settle below?
"""

# %%
live_figure(page.circle_at, **page.circle_controls())

# %% [markdown]
r"""
So with biases there is an edge, too. Below it, all inputs become one and the same point. Above it, any two inputs end
with the same correlation, {{= circle.common(2)}} at $\sigma = 2$ and {{= circle.common(4)}} at 4, whether they began
as neighbours or far apart (Poole et al. 2016).

*→ Now do exercise 05.1: how fast do two inputs separate?*
"""

# %% [markdown]
r"""
## 3 A number on a napkin (14 min)

Fade or tangle: can you tell without drawing a network? What goes into a tanh is a sum of random weights, each times a
signal. The weights are normal, so for given signals the sum is normally distributed, with mean 0. Its variance, called
the **length** (a square, despite its name), is the same for all units:
$q = \sigma^2 \cdot \text{mean}(x^2) + \sigma_b^2$. So the next layer's signals are $\tanh(\sqrt q\, z)$, with $z$
standard normal. In a wide layer their mean square is nearly its expectation, and the next length is
$$q \;\to\; \sigma^2\, E\!\left[\tanh(\sqrt q\, z)^2\right] + \sigma_b^2.$$
(Poole et al. 2016, for infinite width.) For the average a grid of values of $z$ will do, each weighted by the bell
curve:
"""

# %% tags=["idea"]
z = np.linspace(-8, 8, 201)
w = np.exp(-(z**2) / 2)
w /= w.sum()  # now w @ f(z) is the average of f over a standard normal number


def next_length(q, sigma, sigma_b=0.0):
    return sigma**2 * (w @ np.tanh(np.sqrt(q) * z) ** 2) + sigma_b**2


q = 1.0
for _ in range(20):
    q = next_length(q, sigma=1.5)  # now 0.8, 1 and 2.5
    print(f"{q:.3f}", end="  ")

# %% [markdown]
r"""
Change σ and run it again. At 0.8 the length dies. At 1 it dies, too, but slowly: after $l$ layers about $1/(2l)$ is
left. At 1.5 and 2.5 it comes to rest at a value $q^*$. Now networks of your own, twenty for each σ:
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
for sigma in (2.5, 1.5, 1, 0.8):
    drawn[sigma] = [lengths_in_a_network(sigma) for _ in range(20)]
    theory[sigma] = [sigma**2]  # the input has mean square 1
    while len(theory[sigma]) < 20:
        theory[sigma].append(next_length(theory[sigma][-1], sigma))
show_figure(page.length_paths(drawn, theory), "05.lengths")

# %% [markdown]
r"""
Lines are your map, points are networks. Above 1 they stay near their line. At 1 and below they spread further with
every layer.

Now the gap between two neighbours. A tanh multiplies a small gap by its slope, $1 - \tanh^2$. The weights then mix it
and multiply it by σ. So once $q$ has settled, each layer multiplies the gap's mean square by
$$\chi_1 = \sigma^2\, E\!\left[\tanh'(\sqrt{q^*}\, z)^2\right].$$
That is the number on the napkin. Below 1 neighbours come together: **ordered**. Above 1 they part: **chaotic**.
"""

# %% tags=["idea"]
def chi(sigma, sigma_b=0.0):
    q = 1.0
    for _ in range(1000):
        q = next_length(q, sigma, sigma_b)
    return sigma**2 * (w @ (1 - np.tanh(np.sqrt(q) * z) ** 2) ** 2)


for sigma in (0.8, 1, 1.5, 2.5):
    print(f"σ = {sigma}: χ₁ = {chi(sigma):.3f}, root {np.sqrt(chi(sigma)):.3f}")
print("a gap grows a hundredfold in "
      f"{np.log(100) / np.log(np.sqrt(chi(2.5))):.0f} layers at σ = 2.5")

# %% [markdown]
r"""
The root is the factor by which a gap grows: hence the layers that you counted in section 2. Without biases the edge
lies at $\sigma = 1$ (Sompolinsky, Crisanti & Sommers 1988).

**Give every unit a bias, with $\sigma_b = 0.3$. Where is the edge now?**
"""

# %%
predict("05.edge")

# %%
reveal("05.edge", **page.edge_answer())  # or find it yourself, by chi(sigma, sigma_b=0.3)

# %% [markdown]
r"""
With biases $q^*$ is never 0, so the correlation of two signals means something on both sides of the edge. It has a map,
too. Move both sliders. In the right panel the map ends in the upper right corner: equal inputs stay equal. If it is
flatter there than the dashed diagonal, $\chi_1 < 1$, and 1 attracts. If it is steeper, 1 repels.
"""

# %%
live_figure(page.cobweb, **page.cobweb_controls())

# %% [markdown]
r"""
*→ Now do exercises 05.2 and 05.3. How wide is infinite, and how far does a signal reach? That is excursion 05a.*
"""

# %% [markdown]
r"""
## 4 A teacher and its students (14 min)

Take a random network as a function to be learned. It is the **teacher**. It answers questions $X$, and a **student**
sees nothing but questions and answers. Here is a deep teacher: four hidden layers of five units, σ = 2, no biases.
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
There are 4,000 examples for 105 weights. Every score below is a **relative error**: the mean
squared error on questions that the student has never seen, over the variance of the answers. The mean answer scores 1.
The first student is a linear function, fitted by least squares:
"""

# %% tags=["idea"]
def relative_error(student, X=X_test, y=y_test):
    with torch.no_grad():
        return ((student(X) - y) ** 2).mean().item() / y.var().item()


coefficients = torch.linalg.lstsq(X, y).solution
print(f"linear: {relative_error(lambda X: X @ coefficients):.2f}")

# %% [markdown]
r"""
(Over many teachers: {{claim 05.linear}}.) Never judge a network's error without this line beside
it.

Now students with one hidden layer. With 18 units such a student has {{= teachers.parameters("shallow 18")}} parameters,
about as many as the teacher; others have 45 and 135. The last student has the teacher's own shape, and random weights
of its own. All get the same 20,000 steps of Adam. **Who comes nearest to the teacher?**
"""

# %%
predict("05.students")

# %% tags=["idea"]
def trained_student(sizes, lr=0.01):
    generator = torch.Generator().manual_seed(SEED + 1)
    student = mlp(sizes, "tanh", bias=False, init="normal", generator=generator).double()
    train(student, X, y, epochs=1250, lr=lr, batch_size=250, schedule="cosine")
    return student


students = {str(sizes): trained_student(sizes)
            for sizes in ([5, 18, 1], [5, 45, 1], [5, 135, 1], shape)}

# %%
record = recorded("05_students")
yours = ", ".join(f"{sizes}: {relative_error(student):.0e}"
                  for sizes, student in students.items())
reveal("05.students", figure=page.students(record), yours=yours,
       **page.student_medians(record))

# %% [markdown]
r"""
The figure has the best of six rates for each student, chosen on validation data. At equal parameters and steps, one
layer has a far larger error than the teacher's shape (ratio: {{claim 05.students-equal}}). With
{{= teachers.parameters("shallow 135")}} parameters it is still far behind (ratio: {{claim 05.students-wide}}). Is it
the depth, or the very shape? Against three hidden layers of 6, 6 and 5 units, one layer's error is larger by a factor
of {{claim 05.students-deep}}; these are behind the teacher's shape by another {{claim 05.students-shape}}. So under
Adam most of the lead is depth. (Under section 5's optimiser, only the shape reaches the last digits.) But of a
teacher with one layer, one layer learns far more than four: who contains the target wins.

*→ Now do exercises 05.4 to 05.6. What of the shallow error is capacity, what is sample size? Excursion 05b.*
"""

# %% [markdown]
r"""
## 5 Another optimiser (12 min)

The student of the teacher's shape came close. But a perfect student exists: the teacher itself. Give Adam ten seconds
on your machine, at the rate that suits it best:
"""

# %%
page.print_adam((X, y), (X_test, y_test), rate=page.best_adam_rate(recorded("05_adam")))

# %% [markdown]
r"""
The same ten seconds go to **Levenberg–Marquardt**. It replaces the network by its tangent at the present weights, and
solves that least-squares problem with a penalty on long steps, the *damping*. **How small will its error be on
questions that it has not seen?**
"""

# %%
predict("05.recovered")

# %% [markdown]
r"""
If a step lowers the error, it is kept, and the damping falls; if not, the damping rises.
This student starts close to the teacher, with every weight off by about a fiftieth.
"""

# %% tags=["idea"]
def answers(w, x=X[:1000]):
    for W in w[:100].reshape(4, 5, 5):
        x = torch.tanh(x @ W.T)
    return x @ w[100:]


exact = torch.cat([W.detach().flatten() for W in teacher.parameters()])
w = exact * (1 + 0.02 * torch.randn(105, generator=generator, dtype=torch.float64))
residual, damping = answers(w) - y[:1000, 0], 1e-3
for _ in range(8):
    J = jacfwd(answers)(w)
    trial = w - torch.linalg.solve(J.T @ J + damping * torch.eye(105), J.T @ residual)
    missed = answers(trial) - y[:1000, 0]
    better = missed.square().sum() < residual.square().sum()
    w, residual = (trial, missed) if better else (w, residual)
    damping = damping / 10 if better else damping * 10
    print(f"{(residual.square().mean() / y.var()).item():.0e}", end="  ")

# %% [markdown]
r"""
A real student starts from random weights, and from there most single starts fail. So start a hundred at a time, and
give up on the worst ones early:
"""

# %%
fit = page.recover_in_time(X, y, seconds=10,
                           generator=torch.Generator().manual_seed(SEED + 10))
recovery, adam = recorded("05_recovery"), recorded("05_adam")
reveal("05.recovered", figure=page.digits(recovery, adam),
       yours=relative_error(fit.model), starts=fit.restarts,
       **page.digits_reached(recovery, adam))

# %% [markdown]
r"""
Beside the teacher a few steps use up every digit of float64. With so many random starts, too, most searches end at
the last digits (share of teachers recovered within {{= format(teachers.LIMIT, "g")}} seconds on one core:
{{claim 05.recovered}}; we had claimed three quarters). A million steps of Adam do not (relative error:
{{claim 05.adam}}, in single precision).

**Has the student found the same weights?** Nobody can tell the order of hidden units from outside. And tanh is odd:
change the signs of all weights into a unit and out of it, and nothing else changes. Undo both, layer by layer:
"""

# %% tags=["idea"]
T, S = page.weights(teacher), page.weights(fit.model)
for k in range(4):
    # to each unit of the student, and to its mirror image
    distance = torch.cdist(T[k], torch.cat([S[k], -S[k]]))
    found = distance.argmin(1)
    order, sign = found % 5, 1 - 2.0 * (found // 5)
    S[k] = sign[:, None] * S[k][order]
    S[k + 1] = S[k + 1][:, order] * sign
largest = max((t - s).abs().max().item() for t, s in zip(T, S, strict=True))
print("largest difference of a weight below 1e-6:", largest < 1e-6)

# %% [markdown]
r"""
If your search ended below 1e-20, all 105 weights are the teacher's. (Largest difference of a weight over many
teachers: {{claim 05.recovered-weights}}.) So the teacher can be *found*, exactly, from questions and answers. (Its
function determines nearly every network so: Sussmann 1992, Fefferman & Markel 1994, Vlačić & Bölcskei 2022.)

*→ Now do exercise 05.7, for the best matching.*
"""

# %% [markdown]
r"""
## 6 Easy and hard teachers (8 min)

Wide teachers should be easy below σ = 1 and hard above. (At width 5, as ours, none is chaotic: excursion 05a.)

Take {{= depths.lines.seeds}} teachers of {{= students.WIDE}} units in each of 4, 16 or 64 hidden layers, and
{{= len(depths.SIGMAS)}} values of σ. **At which σ does the best linear map miss half of a teacher?**
"""

# %%
predict("05.sigma")

# %%
lines = recorded("05_depths")
reveal("05.sigma", figure=page.missed_by_depth(lines), **page.depth_answer(lines))

# %% [markdown]
r"""
An edge is a statement about **depth**: each layer multiplies a gap by little more than 1, and only many layers make
much of that. With 64 layers a line misses half at σ = {{claim 05.half-deep}}. At {{= depths.HARD}} it leaves more of
them than of four layers, by {{claim 05.deeper-misses}}: with four, nothing happens at 1.

Better students fail there, too. Four hidden layers of 60 units, tuned, after
{{= format(depths.EPOCHS * depths.ROWS[0] // depths.BATCH, ",")}} steps of Adam, leave {{claim 05.deep-easy}} of a
teacher of 64 layers at σ = {{= depths.EASY}}, and {{claim 05.deep-hard}} at {{= depths.HARD}}. Below the edge even a
line leaves little, whatever the depth.
"""

# %%
feedback("05.sigma")

# %% [markdown]
r"""
## 7 What you can now say (5 min)

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

{{claims}}
"""

# %%
download()
