# %% [markdown]
r"""
# 05b What a shallow student leaves

**A random deep network is the teacher. A network with one hidden layer learns from it, and something is left over. What
would take it away: units, points, or a better optimiser?** An excursion from lesson 05, in 24 minutes. Nothing later
needs it.
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np
import torch

from utils.claims import claimed, recorded
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

The teacher is the path's: five inputs, four hidden layers of five tanh units, one output, no biases, all weights drawn
from $N(0, \sigma^2/n_\text{in})$. Choose a σ.
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
Draw inputs from a normal distribution. Before any network learns, ask what a **linear map** can do. Everybody who
reports an error should have this line beside it:
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
one hidden layer of {{= students.UNITS}} units. We fit it by Levenberg–Marquardt, the optimiser of the path's exact
recovery. There is no noise in these data, and there are points enough, so nothing is done against overfitting. (With
fewer points and more units that fails: section 4.)
"""

# %% tags=["idea"]
shallow = mlp([5, 45, 1], "tanh", bias=False, init="normal").double()
# two seconds; the first time it compiles, in 10 to 20
levenberg_marquardt([shallow], X, y, max_steps=100)
with torch.no_grad():
    print(f"the student leaves     {left(shallow(X_new)):.1e}")
show_figure(page.around({"teacher": lambda X: run(teacher, X),
                         "linear map": lambda X: X @ linear,
                         "45 units": shallow}), "05b.around")

# %% [markdown]
r"""
The picture goes once around a circle of inputs, as on the path. Change σ, run the three cells again, and set it back
to 2 before you go on. The linear map's error changes, too, but the student's changes by powers of ten.

## 2 The student of the right shape (4 min)

Here is the experiment: {{= len(students.SIGMAS)}} values of σ, {{= students.TEACHERS}} teachers, each drawn once and
then multiplied by σ. Two kinds of student get the same {{= format(students.POINTS, ",")}} points. The shallow one has
{{= students.UNITS}} units, and takes the better of {{= students.RESTARTS}} restarts (other initial weights) with
{{= students.STEPS}} steps each. The other has the **teacher's own shape**, and fits {{= students.SAME_ROWS}} of the
points. Its steps are far cheaper, so in at most twice the time it gets {{= students.SAME_RESTARTS}} restarts, and the
worst are given up early.

**At which σ does a student of the teacher's shape recover some teachers exactly, to a relative error
below $10^{-20}$, if each restart has {{= students.SAME_STEPS}} steps?**
"""

# %%
predict("05b.shape")

# %%
sigmas = recorded("05_sigmas")
reveal("05b.shape", figure=page.shapes_by_sigma(sigmas), **page.shape_answer(sigmas),
       hard=claimed("05.hard-found"))

# %% [markdown]
r"""
At the largest σ most searches fail. But why is an *easy* teacher not recovered? We tried it from right beside the
teachers: we added noise of 2% to their weights, and searched on from there. Of σ = 1, {{= searches.FEW}} steps bring
back a share of {{claim 05.beside-hard}}; of σ = 0.4, {{claim 05.beside-easy}}, although the search begins beside the
solution.

So something there is flat. Move a teacher's weights a little: in some directions its answers change a lot, in others
hardly at all. The ratio of the two, the **condition number** of the Jacobian, is larger at σ = 0.4 than at σ = 2 by
{{claim 05.condition}} powers of ten, for the same teachers but for the factor σ. Very different weights make nearly the
same, nearly linear function, and little leads on from one to the other.

Little is not nothing, so the answer above depends on its budget. With {{= format(searches.MANY, ",")}} steps from
random weights, the search recovers a share of {{claim 05.more-steps}} of the teachers at σ = 1, where
{{= searches.FEW}} steps recovered hardly any.

## 3 The quasi-linear teacher (1 min)

For small $z$, $\tanh z = z - z^3/3 + \dots$ With small weights every unit sees a small $z$, so a teacher of small σ is
nearly a product of matrices. At σ = {{= format(students.SIGMAS[0], "g")}} a linear map leaves
{{claim 05.linear-small}}, and at σ = {{= format(students.SIGMA, "g")}} {{claim 05.linear}}. So "a small network learned
this teacher well" says little unless the linear map's error stands beside it.

## 4 Who is to blame? (5 min)

Take hard teachers, width {{= students.NARROW}}, σ = {{= format(students.SIGMA, "g")}}. A student of
{{= students.UNITS}} units, fitted to {{= format(students.POINTS, ",")}} points in one restart of
{{= students.STEPS}} steps, leaves an error. It could lack **units**. It could lack **points**: then the training
error is far below the held-out one. Or it has enough of both, and the **optimiser** does not find the weights. Change
one thing at a time. Adam gets batches of {{= students.BATCH}}, a learning rate that rises and falls once, and the best
of {{= len(students.RATES)}} rates, chosen on validation points.

**Which of these takes most off the error?**
"""

# %%
predict("05b.blame")

# %%
blame = recorded("05_blame")
reveal("05b.blame", figure=page.shares_left(blame), **page.blame_answer(blame))

# %% [markdown]
r"""
Why not just train on? A **loss curve** shows whether an error was still falling. Here are both kinds of student on your
teacher, eight initialisations each, under Adam:
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
After a quarter of the steps the shallow curves hardly fall, while most of the deep ones fall on. But *flat* doesn't
mean that a network can do no better: deep curves lie flat far above zero, too, although their shape is the teacher's
own. In the end all are flat, because the schedule takes the rate to zero. A loss curve describes a search, not
what a network could be.

The changes do not cost the same: Adam takes five times as long, the restarts eight times, the points four times, the
units nine times, and units and points together {{= searches.COST}} times. **Is it the cost, then?** On a smaller scale
we could afford to ask: {{= searches.SMALL[0]}} units on {{= format(searches.SMALL[1], ",")}} points, and
{{= searches.COST}} times the search for them, in {{= searches.LONGER["restarts"]}} restarts. Three times the units and
four times the points, at the same cost, leave {{claim 05.equal-cost}} of what that search leaves. So it is not the
cost.

What is left after that may be capacity, or a search that fails: no optimiser here can tell. And the points decide how
many units can be used:
"""

# %%
show_figure(page.units_and_points(blame), "05b.points")

# %% [markdown]
r"""
With {{= format(students.SAMPLES[0], ",")}} points, {{= students.WIDTHS[-1]}} units memorise the points. With
{{= format(students.SAMPLES[-1], ",")}}, both errors are close together up to {{= students.UNITS}} units; with
{{= students.WIDTHS[-1]}} the held-out error is still a third larger.

## 5 How many units for a millionth? (4 min)

If the error falls along a straight line on logarithmic axes, the line can be followed to any error. Do it, for your
teacher and four students:
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
The program prints a number for anything. How much is it worth? We did the same for {{= students.TEACHERS}} teachers,
with {{= format(students.SAMPLES[-1], ",")}} points and {{= students.STEPS}} steps. **How many times as many units does
the most demanding teacher need, by this reckoning, as the least demanding one?**
"""

# %%
predict("05b.width")

# %%
reveal("05b.width", figure=page.extrapolations(blame), **page.widths_answer(blame))

# %%
page.print_widths(blame)

# %% [markdown]
r"""
The first line is the figure's (median, as a power of ten: {{claim 05.extrapolated}}). The next three fit the same
teachers without the widest student, without the narrowest, and with a quarter of the points. With so few points the
answer is far larger, and that part of it has nothing to do with units. Nor has a part of the first line's answer: the
last line continues the errors on the *training* points, and asks for fewer units.

The interval knows of none of this. It is for the choice of teachers, and takes the straight line for granted. We have
not seen the line beyond {{= students.WIDTHS[-1]}} units. And on a bounded set of inputs, the *best* students cannot go
along a straight line:

<details><summary>Why not?</summary>

Teacher and tanh are analytic: around every point they are their power series. So on a bounded set of inputs polynomials
of degree $k$ come near the teacher at a geometric rate, $\rho^{-k}$ with $\rho > 1$. The teacher is odd, so odd ones
do. An odd polynomial of degree $k$ in five variables is a sum of about $k^4$ odd polynomials in one variable each (of
some direction), and about $k/2$ tanh units without biases follow each of those as closely as you like: their sums come
near each odd power up to $z^k$. So $N$ units reach about $\rho^{-N^{1/5}}$, with another $\rho$, which falls faster
than any power of $N$. On logarithmic axes the curve of the best students bends down, sooner or later.

</details>

So say: *if this trend of our searches went on, a typical teacher would take millions of units.* Do not say: *this task
needs so many units.*

## 6 A parabola (5 min)

None of our students has biases. Now let the target be $x_1^2$, a parabola, and give a student without biases
{{= students.UNITS}} units. **What relative error does it leave?**
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

For such a network $f$ is **odd**: $f(-x) = -f(x)$, because every layer hands a change of sign on. Let $o$ be the odd
part of the target. The product of an even and an odd function averages to zero, so

$$\mathbb E\,(e + o - f)^2 = \mathbb E\, e^2 + \mathbb E\,(o - f)^2 \ge \mathbb E\, e^2.$$ ∎

For $x_1^2$ that is $\mathbb E\, x_1^4 = 3$, with variance 2: a relative error of at least $3/2$, for any width, any
depth and any optimiser. Here it did no harm, since teachers without biases are odd, too. But such students are no
universal approximators.
"""

# %%
feedback("05b.students")

# %% [markdown]
r"""
**What you can now say.** What takes most of a shallow student's error away is units *and* points: three times the one
and four times the other leave {{claim 05.both}} of it. Another optimiser, Adam, a longer search or more points alone
take far less, and on a smaller scale the longer search did so at the same cost. Whether what is left is a limit of one
layer, or of the search, is not known.

A student of the teacher's own shape learns every easy teacher, but only to a small error, at which it stays for very
many steps or for good. Of hard teachers it recovers half or more, to the last digits, and of the hardest hardly any. A
linear map shows how much of a success is owed to an easy teacher. Without biases, whatever is even in a target is out
of reach.

**What you do not know.** How good the best shallow student is: every error here is of a search. What holds for many
inputs instead of five.

{{claims}}
"""

# %%
download()
