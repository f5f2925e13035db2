# %% [markdown]
r"""
# 05 Students, teachers and chaos

**How hard a function can a random deep network be, and who can learn it?** You will send a circle through twenty random
layers, find the one number that decides what becomes of it, and see which networks can learn such a function.

*71 minutes, four lines of yours included, and about 45 more for the exercises. You need lesson 01,
and lesson 04 for the three questions at the start.*
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np
import torch
from torch import nn

from utils.claims import claimed, recorded
from utils.exercises import yours
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.lesson_05 import page
from utils.models import mlp
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
applies tanh, and that is all. There are no biases. **Write that layer.** Its weights `W` have one row per unit, and the
points `x` have one row per point. (Replace the three dots. If you are stuck, the line is folded below. The page goes on
either way. After a syntax error, mend the cell or put the dots back, and run on from there.)
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
After the first layer, the circle is a closed curve in 300 dimensions, and each further layer carries it on. Take the
same random numbers four times, with $\sigma = 0.8$, $1$, $1.5$ and $2.5$. **What has become of the circle after twenty
layers?**
"""

# %%
predict("05.circle")

# %% tags=["idea"]
after = {sigma: layers(circle, sigma) for sigma in page.SIGMAS}
page.play_circles(after)

# %% [markdown]
r"""
The film shows the first three of each layer's 300 units, all on one scale. Play it, turn it, then move the slider by
hand and follow the two marked points, neighbours on the circle.
"""

# %%
reveal("05.circle")

# %% [markdown]
r"""
## 2 Two neighbours (10 min)

The eye is a poor judge. So take two points, a hundredth of a radian apart, and measure the
[gap](../reference/glossary.md) between them after every layer, in ten networks.
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
A straight line on this axis means that every layer multiplies the gap by the same factor. That is the factor printed
above, taken between the 5th and the 15th layer. The growth has to stop, because tanh keeps every output between −1
and 1. At $\sigma = 2.5$, the gap ends at {{= circle.farthest(2.5)}} per unit, as large as between two unrelated points.

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
Now try any $\sigma$, this time with biases, so that nothing fades to zero. The left picture shows the circle; the
square on it marks the first of the two neighbours. The right picture says how much two points still have in common:
their *correlation* is the cosine of the angle between their sums $Wx + b$. The dashed line is for two points a quarter
circle apart. **For which σ does their correlation climb to 1, and for which does it settle below 1?**
"""

# %%
live_figure(page.circle_at, **page.circle_controls())

# %% [markdown]
r"""
So there is an edge, near {{= format(theory.CRITICAL, ".1f")}} with these biases. Below it, all inputs become the same
point. Above it, any two inputs end with the same correlation, whether they began as neighbours or far apart (Poole et
al. 2016). Just above the edge, neighbours get there only after more layers than the slider has.

*→ Now do exercise 05.1: how fast do two inputs separate?*
"""

# %% [markdown]
r"""
## 3 A number on a napkin (18 min)

Can you find the edge without sending a circle through twenty layers? Follow the two neighbours once more, and measure
their gap twice in every layer: between what goes *into* the tanh units, and between what comes *out*.
"""

# %% tags=["idea"]
def in_and_out(sigma, seed, depth=10):
    pair = np.array([[1, 0], [np.cos(0.001), np.sin(0.001)]])
    steps = []
    for out in layers(pair, sigma, depth, seed=seed)[1:]:
        for signal in (np.arctanh(out), out):  # arctanh undoes tanh: what went in
            steps.append(np.sqrt(np.mean((signal[0] - signal[1]) ** 2)))
    return steps


steps = {sigma: [in_and_out(sigma, seed) for seed in range(10)] for sigma in page.SIGMAS}
show_figure(page.zigzag(steps), "05.zigzag")

# %% [markdown]
r"""
So two things happen in a layer. The tanh shrinks the gap. Then the next weights mix the units' gaps, and multiply them
by σ. What matters is which of the two wins. You can say by how much tanh shrinks a small gap: each unit multiplies it
by tanh's slope, $1 - \tanh^2$, which is 1 in the middle and almost 0 where tanh is flat. So how widely are the units
spread along tanh?

What goes into each unit is a sum of random weights, each times a signal. For given signals it is normally distributed,
with mean 0. Its variance is the same for every unit, and is called the **length** $q$ (a square, despite its name). So
the sums are $\sqrt q\, z$, with $z$ [standard normal](../reference/glossary.md). To average over them, take a grid of
values of $z$, each weighted by the bell curve:
"""

# %% tags=["idea"]
z = np.linspace(-8, 8, 201)
weights = np.exp(-(z**2) / 2)
weights /= weights.sum()


def average(values):  # average(z**2), say, is 1
    return weights @ values

# %% [markdown]
r"""
Now the number. **Each layer multiplies a small gap's mean *square* by $\chi_1$: by σ², and by the average of the
*squared* slope of tanh at the sums $\sqrt q\, z$.** Write the line that returns $\chi_1$, for a $q$ that has settled.
"""

# %% tags=["idea"]
# BEGIN BLANK
def chi(q, sigma):
    """Return the factor of a small gap's mean square in one layer."""
    return sigma**2 * average((1 - np.tanh(np.sqrt(q) * z) ** 2) ** 2)
# END BLANK

# %%
chi = yours("05.chi")
for sigma in (1.5, 2.5):
    out = layers(circle[:1], sigma)[-1]
    q = np.mean(np.arctanh(out) ** 2)  # in one network
    print(f"σ = {sigma}: length {q:.2f}, gap times {np.sqrt(chi(q, sigma)):.2f} a layer")

# %% [markdown]
r"""
Both factors come close to those of section 2. But the lengths came from networks that you had to draw. A napkin has no
network, so compute the length, too. In a wide layer, the mean square of what comes out of the tanh units is close to
its average over $z$ (Poole et al. 2016). The next weights multiply it by σ², and biases would add $\sigma_b^2$: that is
the next layer's length. **Write the line that returns the next $q$.**
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
Change σ and run the cell again. At 0.8 the length dies out. At 1 it does too, but slowly. At 1.5 and 2.5 it settles at
a value $q^*$. Now draw some networks, twenty for each σ:
"""

# %% tags=["idea"]
drawn, theory = {}, {}
for sigma in page.SIGMAS:
    networks = [layers(np.ones((1, 200)), sigma, width=200, seed=seed)[1:]
                for seed in range(20)]
    drawn[sigma] = [[np.mean(np.arctanh(out) ** 2) for out in after]
                    for after in networks]
    theory[sigma] = [sigma**2]  # the input has mean square 1
    while len(theory[sigma]) < 20:
        theory[sigma].append(next_length(theory[sigma][-1], sigma))
show_figure(page.length_paths(drawn, theory), "05.lengths")

# %% [markdown]
r"""
The lines are your map, the points are networks. So let the length settle, and put it into your `chi`: no network is
needed.
"""

# %% tags=["idea"]
for sigma in page.SIGMAS:
    q = 1.0
    for _ in range(1000):
        q = next_length(q, sigma)
    print(f"σ = {sigma}: χ₁ = {chi(q, sigma):.2f}, its root {np.sqrt(chi(q, sigma)):.2f}")

# %% [markdown]
r"""
**If χ₁ is below 1, neighbours come together, and the network is ordered. If χ₁ is above 1, they move apart, and it is
chaotic.** Without biases, the edge is at $\sigma = 1$ (Sompolinsky, Crisanti & Sommers 1988). There the length shrinks
so slowly that it never quite settles. Biases move the edge to larger $\sigma$.

What does the number buy? It tells you **who can be taught**: what a student can make of a deep teacher (section 6). And
it tells you **who can be trained**: on the way back, each layer multiplies the gradient's mean square by $\chi_1$
(Schoenholz et al. 2017; lesson 06).

*→ Now do exercises 05.2 and 05.3. How wide is infinite, and how far does a signal reach? Excursion 05a answers both.*
"""

# %% [markdown]
r"""
## 4 A teacher and its students (10 min)

Take a random network as a function to be learned: the **teacher**. It answers questions $X$, and a **student** sees
nothing but questions and answers. Here is a deep teacher, with four hidden layers of five units, σ = 2 and no biases.

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
error on questions that the student has never seen, divided by the variance of the answers. Always answering the mean
scores 1.
"""

# %% tags=["idea"]
def relative_error(y_hat, y):
    return ((y_hat - y) ** 2).mean() / y.var()


coefficients = torch.linalg.lstsq(X, y).solution
linear = (X_test @ coefficients).numpy()
print(f"linear, by least squares: {relative_error(linear, y_test.numpy()):.2f}")

# %% [markdown]
r"""
(The median over many teachers is {{claim 05.linear}}.) Never judge a network's error without this line beside it.

Now for a student and its training loop. The student has one hidden layer of 18 units, and so
{{= teachers.parameters("shallow 18")}} parameters, about as many as the teacher. Each step takes 250 examples, and the
learning rate falls to 0 along half a wave, the [cosine schedule](../reference/glossary.md):
"""

# %% tags=["idea"]
def learn(student, passes, lr=0.01):
    optimizer = torch.optim.Adam(student.parameters(), lr)
    cosine = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 16 * passes)
    order = torch.Generator().manual_seed(0)
    for _ in range(passes):  # over all 4,000 examples
        for batch in torch.randperm(len(X), generator=order).split(250):
            loss = nn.functional.mse_loss(student(X[batch]), y[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            cosine.step()

# %% tags=["idea"]
def new_student(sizes):
    generator = torch.Generator().manual_seed(SEED + 1)
    return mlp(sizes, "tanh", bias=False, init="normal", generator=generator).double()


def left_by(student):
    with torch.no_grad():
        return relative_error(student(X_test).numpy(), y_test.numpy())


student = new_student([5, 18, 1])
learn(student, passes=50)
print(f"18 units after 800 steps: {left_by(student):.2f}")

# %% [markdown]
r"""
That is a beginning. The course's `train` runs the same loop, compiled. Let it train four students for 20,000 steps
each: three with one hidden layer, of 18, 45 and 135 units, and one with the teacher's own shape, which starts from
other random weights. **Who comes nearest to the teacher?**
"""

# %%
predict("05.students")

# %% tags=["idea"]
own = {}
for sizes in ([5, 18, 1], [5, 45, 1], [5, 135, 1], shape):
    student = new_student(sizes)
    train(student, X, y, epochs=1250, lr=0.01, batch_size=250, schedule="cosine")
    own[sum(W.numel() for W in student.parameters())] = left_by(student)

# %%
record = recorded("05_students")
reveal("05.students", figure=page.students(record, own),
       equal_ratio=claimed("05.students-equal"), deep_ratio=claimed("05.students-deep"),
       **page.student_medians(record))

# %% [markdown]
r"""
So the shape of a student matters more than its number of parameters.

*→ Further: exercises 05.4, 05.5 and 05.6. Does one layer lack units, or examples? Excursion 05b tries both.*
"""

# %% [markdown]
r"""
## 5 Another optimiser (10 min)

A perfect student exists: the teacher itself. Will anyone find it? Give Adam ten seconds on your machine, at the rate
that suits it best:
"""

# %%
page.print_adam((X, y), (X_test, y_test), rate=page.best_adam_rate(recorded("05_adam")))

# %% [markdown]
r"""
The same ten seconds go to [Levenberg–Marquardt](../reference/glossary.md). Where Adam takes one step down the gradient,
this optimiser replaces the whole network by its tangent at the present weights. A tangent is linear, so the best step
can be computed, as the linear map in section 4 was. Because a tangent can be trusted only nearby, long steps pay a
penalty. Most starts fail, so the optimiser gets a hundred of them, and gives up the worst early. **How small will the
error on unseen questions be?**
"""

# %%
predict("05.recovered")

# %%
fit = page.recover_in_time(X, y, seconds=10,
                           generator=torch.Generator().manual_seed(SEED + 10))
recovery, adam = recorded("05_recovery"), recorded("05_adam")
reveal("05.recovered", figure=page.digits(recovery, adam), yours=left_by(fit.model),
       starts=fit.restarts, share=claimed("05.recovered"),
       **page.digits_reached(recovery, adam))

# %% [markdown]
r"""
**Are these the same weights as the teacher's?** Look at one hidden layer. The weights into its units are the rows of
`W`, and the weights out of them are the columns of the next matrix, `V`. Turn some units around: multiply their rows of
`W` by −1. As tanh is odd, their outputs change sign. **Write the line that returns the `V` with which the network still
computes the same.** `signs` holds −1 for each unit that was turned, and 1 for the others.
"""

# %% tags=["idea"]
# BEGIN BLANK
def turned(V, signs):
    """Return V [next units, units] for a layer whose units got these signs."""
    return V * signs
# END BLANK

# %%
turned = yours("05.turned")
W = [weight.detach().numpy() for weight in fit.model.parameters()]
signs = np.array([1, -1, -1, 1, -1])
other = [signs[:, None] * W[0], turned(W[1].copy(), signs), *W[2:]]


def answers(matrices):
    x = X_test.numpy()
    for matrix in matrices[:-1]:
        x = np.tanh(x @ matrix.T)
    return x @ matrices[-1].T


print(f"answers change by {np.abs(answers(other) - answers(W)).max():.0e} at most")

# %% [markdown]
r"""
So different weights compute one function: you can turn units around, and put them in another order. Is that all?

**Theorem** (Vlačić & Bölcskei 2021; for one hidden layer Sussmann 1992). Take tanh networks with no zero among their
weights, and no two units of a layer whose incoming weights and biases agree up to a common sign. Two such networks that
compute the same function differ only in the order and the signs of their hidden units.

Once order and signs are undone, the recovered weights are the teacher's: the largest difference is
{{claim 05.recovered-weights}} (the median over our teachers). They were found from questions and answers alone.

*→ Further: exercise 05.7 undoes both. How does Levenberg–Marquardt find a teacher, and which does it miss? See
excursion 05c.*
"""

# %% [markdown]
r"""
## 6 Easy and hard teachers (6 min)

How hard a teacher is should depend on its σ: if its layers are wide, it should be easy below σ = 1 and hard above.
(Narrow teachers are another matter: see excursion 05a.)

Take {{= depths.lines.seeds}} teachers of {{= students.WIDE}} units in each of 4, 16 or 64 hidden layers, and
{{= len(depths.SIGMAS)}} values of σ. At some σ, the best linear map begins to miss half of a teacher. **How does that σ
depend on the teacher's depth?**
"""

# %%
predict("05.sigma")

# %%
lines = recorded("05_depths")
reveal("05.sigma", figure=page.missed_by_depth(lines), above=claimed("05.half-deep"),
       **page.depth_answer(lines))

# %% [markdown]
r"""
Is that a weakness of linear maps alone? Excursion 05b gives deep teachers to deep students.
"""

# %%
feedback("05.sigma")

# %% [markdown]
r"""
## 7 What you can now say (4 min)

1. In a wide random tanh network, one number, $\chi_1$, decides whether neighbours come together or move apart.
2. Without biases, the edge is at $\sigma = 1$: below it all signals fade, above it lengths settle. With biases, lengths
   settle on both sides, and the two phases differ in the angle at which inputs end.
3. A linear baseline belongs beside every error. On deep teachers, one hidden layer made far larger errors than deep
   students.
4. The right optimiser often recovers such a teacher exactly, up to the order and the signs of its units.
5. Teachers get harder as $\sigma$ grows: gradually if they have four layers, but soon after σ = 1 if they have 64.

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
