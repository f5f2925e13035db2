# %% [markdown]
r"""
# 05b What a shallow student leaves

**A random deep network is the teacher. A network with one hidden layer learns from it, and something is left over. What
would take it away: units, points, or a better optimiser?** An excursion from lesson 05, in 21 minutes. Nothing later
needs it.
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np
import torch

from utils.claims import recorded
from utils.feedback import download, feedback
from utils.figures import show_figure, use_style
from utils.least_squares import levenberg_marquardt
from utils.lesson_05 import page
from utils.models import mlp
from utils.predictions import predict, reveal
from utils.training import train_ensemble

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work
torch.set_default_dtype(torch.float64)  # some errors are smaller than float32 can hold

# %% [markdown]
r"""
## 1 A teacher, and what is left of it (5 min)

The teacher is the lesson's: five inputs, four hidden layers of five tanh units, one output, no biases, all weights
drawn from $N(0, \sigma^2/n_\text{in})$. Choose a σ.
"""

# %% tags=["idea"]
sigma = 2.0  # try .4, 1, 1.5, 2.5


def make_teacher(sigma, width=5, depth=4, n_in=5):
    sizes = [n_in, *[width] * depth, 1]
    return [sigma * torch.randn(m, n) / n**0.5
            for n, m in zip(sizes, sizes[1:], strict=False)]


def run(weights, X):
    for W in weights[:-1]:
        X = torch.tanh(X @ W.T)
    return X @ weights[-1].T


# %% [markdown]
r"""
Draw inputs from a normal distribution. Before any network learns, ask what a **linear map** can do. Every error that
you report should have this line beside it:
"""

# %% tags=["idea"]
torch.manual_seed(0)  # try others
teacher = make_teacher(sigma)
X, X_new = torch.randn(4000, 5), torch.randn(4000, 5)
y, y_new = run(teacher, X), run(teacher, X_new)
linear = torch.linalg.lstsq(X, y).solution


def left(y_hat):
    return (((y_hat - y_new) ** 2).mean() / y_new.var()).item()


print(f"a constant leaves      {left(y.mean()):.3f}")
print(f"a linear map leaves    {left(X_new @ linear):.3f}")

# %% [markdown]
r"""
That is the **relative error**, measured on held-out points: 1 for a constant, 0 for a perfect student. Now the student:
one hidden layer of {{= students.UNITS}} units. We fit it by Levenberg–Marquardt, which recovered the teacher in the
lesson. These data have no noise, and there are enough points, so we do nothing against overfitting. (With fewer points
and more units you would have to: section 2.)
"""

# %% tags=["idea"]
shallow = mlp([5, 45, 1], "tanh", bias=False, init="normal").double()
# two seconds, after compiling
levenberg_marquardt([shallow], X, y, max_steps=100)
with torch.no_grad():
    print(f"the student leaves     {left(shallow(X_new)):.1e}")
show_figure(page.around({"teacher": lambda X: run(teacher, X),
                         "linear map": lambda X: X @ linear,
                         "45 units": shallow}), "05b.around")

# %% [markdown]
r"""
The picture goes around a circle of inputs. Change σ, run the three cells again, and set σ back to 2 before you go on.
The linear map's error changes, too, but the student's changes by powers of ten.

## 2 Who is to blame? (5 min)

Take hard teachers, of width {{= students.NARROW}} and σ = {{= format(students.SIGMA, "g")}}. A student of
{{= students.UNITS}} units, fitted to {{= format(students.POINTS, ",")}} points in one start of {{= students.STEPS}}
steps, leaves an error. It could lack **units**. It could lack **points**: then the training error is far below the
held-out one. Or it has enough of both, and the **optimiser** does not find the weights. We changed one thing at a time.
When we tried Adam, it got batches of {{= students.BATCH}}, a learning rate that rises and falls once, and the best of
{{= len(students.RATES)}} rates, chosen on validation points.

**Which change takes most off the error?**
"""

# %%
predict("05b.blame")

# %%
blame = recorded("05_blame")
reveal("05b.blame", figure=page.shares_left(blame), **page.blame_answer(blame))

# %% [markdown]
r"""
Why not just train longer? A **loss curve** shows whether an error was still falling. Here are two kinds of student for
your teacher: one has a single hidden layer, the other the teacher's shape. Each starts from eight initialisations, and
learns with Adam:
"""

# %% tags=["idea"]
scale = y.std()


def learning(sizes):  # 20,000 steps each; all take half a minute at most
    models = [mlp(sizes, "tanh", bias=False, init="normal").float() for _ in range(8)]
    return train_ensemble(models, X, y / scale, validation=(X_new, y_new / scale),
                          epochs=1250, batch_size=250, lr=0.01, schedule="cosine")


show_figure(page.loss_curves(learning([5, 45, 1]), learning([5, 5, 5, 5, 5, 1])),
            "05b.loss")

# %% [markdown]
r"""
After a quarter of the steps, the shallow curves have almost stopped falling, while most of the deep ones still fall.
But *flat* does not mean that a network can do no better: some deep curves lie flat far above zero, too, although their
shape is the teacher's own. In the end all are flat, because the schedule takes the rate to zero. A loss curve describes
a search, not what a network could be.

The changes differ in cost. Adam takes five times as long, the restarts eight times, the points four times, the units
nine times, and units and points together {{= searches.COST}} times. **So is it just the cost?** On a smaller scale we
could afford to ask: we took {{= searches.SMALL[0]}} units on {{= format(searches.SMALL[1], ",")}} points, and gave them
{{= searches.COST}} times the search, in {{= searches.LONGER["restarts"]}} restarts. For the same cost you can have
three times the units and four times the points. These left {{claim 05.equal-cost}} of the error that the longer search
left. So it is not the cost.

What is left then may be due to capacity, or to a search that fails: no optimiser here can tell. And the number of
points decides how many units can be used:
"""

# %%
show_figure(page.units_and_points(blame), "05b.points")

# %% [markdown]
r"""
With {{= format(students.SAMPLES[0], ",")}} points, {{= students.WIDTHS[-1]}} units memorise the points. With
{{= format(students.SAMPLES[-1], ",")}} points, the training and the held-out error are close together up to
{{= students.UNITS}} units. With {{= students.WIDTHS[-1]}} units, the held-out error is still a third larger.

## 3 How many units for a millionth? (4 min)

If the error falls along a straight line on logarithmic axes, you can follow the line to any error you like. Try this
for your teacher and four students:
"""

# %% tags=["idea"]
widths, errors = [5, 15, 45, 135], []
for units in widths:
    model = mlp([5, units, 1], "tanh", bias=False, init="normal").double()
    levenberg_marquardt([model], X, y, max_steps=60)  # about ten seconds for the widest
    errors.append(page.relative_error(model, X_new, y_new))
slope, height = np.polyfit(np.log(widths), np.log(errors), 1)
print("errors:", ", ".join(f"{error:.1e}" for error in errors))
print(f"slope {slope:.2f}; for an error of 1e-6: "
      f"{np.exp((np.log(1e-6) - height) / slope):,.0f} units")

# %% [markdown]
r"""
The program prints a number whatever you feed it. How much is this number worth? We did the same for
{{= students.TEACHERS}} teachers, with {{= format(students.SAMPLES[-1], ",")}} points and {{= students.STEPS}} steps.
Each teacher has its own line, and so its own number of units. **How many times as large is the largest of these numbers
as the smallest?**
"""

# %%
predict("05b.width")

# %%
reveal("05b.width", figure=page.extrapolations(blame), **page.widths_answer(blame))

# %%
page.print_widths(blame)

# %% [markdown]
r"""
The first line belongs to the figure (median, as a power of ten: {{claim 05.extrapolated}}). The next three fit the same
teachers without the widest student, without the narrowest, and with a quarter of the points. With so few points the
answer is far larger, and what is added has nothing to do with units. Nor has a part of the first line's answer: the
last line continues the errors on the *training* points, and asks for fewer units.

The interval knows nothing of this. It covers the choice of teachers, but takes the line for granted. We have not seen
the line beyond {{= students.WIDTHS[-1]}} units. On a bounded set of inputs, the *best* students cannot follow a
straight line:

<details><summary>Why not?</summary>

Teacher and tanh are analytic: around every point they are their power series. So on a bounded set of inputs polynomials
of degree $k$ come near the teacher at a geometric rate, $\rho^{-k}$ with $\rho > 1$. The teacher is odd, so odd
polynomials do. An odd polynomial of degree $k$ in five variables is a sum of about $k^4$ odd polynomials in one
variable each (of some direction), and about $k/2$ tanh units without biases follow each of those as closely as you
like: their sums come near each odd power up to $z^k$. So $N$ units reach about $\rho^{-N^{1/5}}$ (with another $\rho$),
and this falls faster than any power of $N$. On logarithmic axes the curve of the best students bends down eventually.

</details>

So say: *if the trend of our searches went on, a typical teacher would take millions of units.* Do not say: *this task
needs so many units.*

*→ Further: exercise 05.9 continues such lines for twelve teachers.*

## 4 A parabola (4 min)

None of our students has biases. Now let the target be the parabola $x_1^2$, and give a student without biases
{{= students.UNITS}} units. **What relative error will it leave?**
"""

# %%
predict("05b.odd")

# %% tags=["idea"]
def square(X):
    return X[:, :1] ** 2


models = {bias: mlp([5, 45, 1], "tanh", bias=bias, init="normal").double()
          for bias in (False, True)}
for model in models.values():
    levenberg_marquardt([model], X, square(X), max_steps=100)  # four seconds
without, biased = (page.relative_error(model, X_new, square(X_new))
                   for model in models.values())

# %%
figure = page.around({"x₁²": square,
                      "without biases": models[False],
                      "with biases": models[True]})
reveal("05b.odd", figure=figure, without=without, biased=biased)

# %% [markdown]
r"""
**Proposition.** If an input $x$ is as likely as $-x$, then a tanh network without biases has a mean squared error of at
least $\mathbb E\, e^2$, where $e$ is the even part of its target.

Such a network $f$ is **odd**, $f(-x) = -f(x)$, because every layer passes a change of sign on. Let $o$ be the odd part
of the target. The product of an even and an odd function averages to zero, so

$$\mathbb E\,(e + o - f)^2 = \mathbb E\, e^2 + \mathbb E\,(o - f)^2 \ge \mathbb E\, e^2.$$ ∎

For $x_1^2$ that is $\mathbb E\, x_1^4 = 3$. The target's variance is 2, so the relative error is at least $3/2$, for
any width, any depth and any optimiser. With our teachers this did no harm, since they are odd, too. But such students
are not universal approximators.
"""

# %% [markdown]
r"""
## 5 Deep teachers, deep students (3 min)

In the lesson, teachers of {{= students.WIDE}} units got harder with depth: at σ = {{= depths.TAUGHT[1]}}, the best
linear map leaves more of 64 layers than of four, by {{claim 05.deeper-misses}}. Is that a weakness of linear maps? We
gave the same teachers to better students, with four hidden layers of 60 units and
{{= format(depths.EPOCHS * depths.ROWS[0] // depths.BATCH, ",")}} steps of Adam at the best of {{= len(depths.RATES)}}
rates. Of teachers with four layers they left {{claim 05.four-hard}}, of those with 64 layers {{claim 05.deep-hard}}.
And at σ = {{= depths.TAUGHT[0]}}, below the edge, they learned even teachers of 64 layers, and left
{{claim 05.deep-easy}}. So they feel the edge, too.

Back to the narrow teachers, and to one layer against several. More units closed only part of the gap: one layer of 135
units still made {{claim 05.students-wide}} times the error of a student of the teacher's shape.
"""

# %%
feedback("05b.students")

# %% [markdown]
r"""
**What you can now say.** What takes most of a shallow student's error away is units *and* points: three times the units
and four times the points left {{claim 05.both}} of it. Adam, a longer search or more points alone took off far less. On
a smaller scale, a longer search did so even at the same cost. We do not know whether the rest is a limit of one layer,
or of the search.

A linear map shows how much of a success is owed to an easy teacher. Without biases, a target's even part is out of
reach.

**What you do not know.** How good the best shallow student is: every error here is where a search ended. And what holds
for many inputs instead of five.

{{claims}}
"""

# %%
download()
