# %% [markdown]
r"""
# 05 Students, teachers and chaos: exercises

Three exercises belong to the path, 9 points and about 45 minutes, in the order in which it comes to them. Six more go
further, 20 points and about 115 minutes.

Run the set-up cells, write each answer into its function, run its cell, then run the check below it. NumPy is all you
need, and PyTorch where you want its gradients. You may rename the arguments, but keep the functions' names and the
first line of their cells.

Where an exercise says nothing else, four correct digits are enough; compute in float64, as NumPy does by itself. A
number may be Python's, NumPy's or PyTorch's, and a list may as well be a tuple, an array or a tensor. All cases of a
check together have ten seconds; a good answer needs a fraction of one.
"""

# %%
# set-up
import itertools

import numpy as np
import torch

from utils import meanfield
from utils.exercises import check, progress, show
from utils.feedback import download
from utils.figures import show_figure, use_style
from utils.lesson_05.student_runs import (
    many_teachers,
    one_teacher,
    student_dots,
    teacher_data,
)

use_style()

# %% [markdown]
r"""
## Exercise 05.1: how fast two points separate (3 points)

**Example.** Two nearby points pass through a network. In layers 0 to 3 their distances are $0.5$, $0.05$, $0.1$ and
$0.4$. Layer 0 does not count, because the signal has not settled there. From layer 1 to layer 2 the distance grows by
the factor 2, from layer 2 to layer 3 by the factor 4. The mean of the two natural logarithms is $\frac12 (\ln 2 + \ln
4) = 1.0397$: this is the rate, and a positive one means that the points separate.

Such a rate is called a Lyapunov exponent. Write the function that measures it: **the mean, over the steps from one
layer to the next, of the natural logarithm of the factor by which the distance of the two points grows**.

- `one`, `other`: the activations of the two points, layer by layer, two arrays of shape (layers, units)
- `skip`: how many layers do not count, 0, 1 or 2. They are the first ones, so the first step that counts leads from
  layer `skip` to layer `skip + 1`
- returns: the rate, a number

The distance is the straight one, the root of the sum of the squared differences. In some networks the two points meet:
from some layer on all digits of their activations agree, and the distance is exactly 0. Then the last step that counts
ends in the last layer in which the points are still apart. At least two steps count in every case.
"""

# %%
# exercise 05.1
def separation_rate(one: np.ndarray, other: np.ndarray, skip: int) -> float:
    """Return the mean logarithm of the factor by which two points' distance grows
    in a layer.
    """
    # BEGIN SOLUTION
    distances = np.linalg.norm(one - other, axis=1)[skip:]
    apart = distances[distances > 0]  # points that have met stay together
    return np.diff(np.log(apart)).mean()
    # END SOLUTION


# %%
show("05.1", separation_rate)

# %%
check("05.1", separation_rate)

# %% [markdown]
r"""
Once it is right, measure a network of your own. Draw 20 weight matrices of 500 × 500 with standard deviation
$2.5 / \sqrt{500}$, send two points that differ by $10^{-6}$ through the loop `x = np.tanh(x @ W.T)`, keep both
points' activations, and find your rate. Why must the points begin so near to each other?

After section 3 of the path, compare your rate with $\frac12 \ln \chi_1$. The next cell prints it for $\sigma_w = 2.5$
and no biases, since the loop has none.
"""

# %%
print(f"½ ln χ₁ = {np.log(meanfield.chi_1(2.5, 0, 'tanh')) / 2:.3f}")

# %% [markdown]
r"""
## Exercise 05.2: the σ that keeps a length (3 points)

**Example.** The pre-activations of a layer have the mean square $q = 1$, its length. With $z$ standard normal, the mean
square behind tanh is $\mathbb{E}[\tanh(z)^2] = 0.39429$. With $\sigma_w = 1.5$ and $\sigma_b = 0.3$ the next layer has
the length $1.5^2 \cdot 0.39429 + 0.3^2 = 0.97716$: the signal gets shorter. With $\sigma_w = 1.51919$ and the same
biases the next layer has the length 1 again, and so have all that follow. So for $q = 1$ and $\sigma_b = 0.3$ the
answer is $1.51919$.

The length map follows the mean square $q$ of the pre-activations of an infinitely wide tanh network from layer to
layer:

$$ q \mapsto \sigma_w^2 \, \mathbb{E}\big[\tanh(\sqrt{q} \, z)^2\big] + \sigma_b^2, \qquad z \sim N(0, 1). $$

On the path you choose $\sigma_w$ and see where the length comes to rest. Now turn this around: you are given the
length, and you look for the network. **Return the $\sigma_w$ with which the length map takes $q$ to $q$.**

- `q`: the length that is to stay as it is, from 0.02 to 2.5
- `sigma_b`: the standard deviation $\sigma_b$ of the biases, at least 0. Its square is less than $q$
- returns: $\sigma_w$, a positive number: the weights have the standard deviation $\sigma_w / \sqrt{n}$ in a layer with
  $n$ inputs

How you take the mean over $z$ is up to you: a fine grid from $-8$ to $8$ with the normal density, say, or a quadrature
with 60 nodes or more. Four digits have to be right, and for that 1,000 random values of $z$ are far too few.

(`utils.meanfield` knows parts of the answer; the check does not let you call them.)
"""

# %%
# exercise 05.2
def sigma_at_rest(q: float, sigma_b: float) -> float:
    """Return the σ_w with which an infinitely wide tanh network
    keeps the length q.
    """
    # BEGIN SOLUTION
    z = np.linspace(-8, 8, 1001)
    density = np.exp(-(z**2) / 2)
    mean_square = np.average(np.tanh(np.sqrt(q) * z) ** 2, weights=density)
    # q = σ_w² · mean_square + σ_b², solved for σ_w
    return np.sqrt((q - sigma_b**2) / mean_square)
    # END SOLUTION


# %%
check("05.2", sigma_at_rest)

# %% [markdown]
r"""
## Exercise 05.3: order or chaos? (3 points)

**Example.** Three tanh networks have $(\sigma_w, \sigma_b) = (0.8, 0)$, $(1.5, 0)$ and $(1.3, 0.5)$. Their lengths come
to rest at $q^* = 0$, $0.7934$ and $0.8758$, and there $\chi_1$ is $0.64$, $1.1393$ and $0.8252$. So the answer is
`["ordered", "chaotic", "ordered"]`. The third network has $\sigma_w > 1$ and is ordered all the same: its biases
lengthen the signal, and a longer signal lies where tanh is flatter.

One number decides whether nearby points separate in an infinitely wide network:

$$ \chi_1 = \sigma_w^2 \, \mathbb{E}\big[\tanh'(\sqrt{q^*} \, z)^2\big], \qquad \tanh'(u) = 1 - \tanh(u)^2, $$

where $z$ is standard normal and $q^*$ is the length at which the length map comes to rest, from any start above 0.
**Where $\chi_1 < 1$ the network is ordered, where $\chi_1 > 1$ it is chaotic.** Say of each network which it is.

- `networks`: a list of pairs $(\sigma_w, \sigma_b)$, each a list of two numbers from 0 to 4
- returns: a list with `"ordered"` or `"chaotic"` for each network

There are no close calls: $\chi_1$ is at most 0.98 or at least 1.02.

(`utils.meanfield` knows the answer; the check does not let you call it. Your own line of section 3,
the path's `next_length`, is welcome.)
"""

# %%
# exercise 05.3
def order_or_chaos(networks: list[list[float]]) -> list[str]:
    """Return for each pair of σ_w and σ_b whether a wide tanh network
    is "ordered" or "chaotic".
    """
    # BEGIN SOLUTION
    z = np.linspace(-8, 8, 1001)
    density = np.exp(-(z**2) / 2)
    verdicts = []
    for sigma_w, sigma_b in networks:
        q = 1.0
        for _ in range(300):
            mean_square = np.average(np.tanh(np.sqrt(q) * z) ** 2, weights=density)
            q = sigma_w**2 * mean_square + sigma_b**2
        slope = 1 - np.tanh(np.sqrt(q) * z) ** 2
        chi_1 = sigma_w**2 * np.average(slope**2, weights=density)
        verdicts.append("chaotic" if chi_1 > 1 else "ordered")
    return verdicts
    # END SOLUTION


# %%
check("05.3", order_or_chaos)

# %% [markdown]
r"""
## Going further

The first four of these belong to sections 4 and 5 of the path. Exercise 05.8 belongs to excursion 05c, and exercise
05.9 to excursion 05b.
"""

# %% [markdown]
r"""
## Exercise 05.4: a teacher, and a student that learns from it (5 points)

Four small steps make the whole experiment: build a teacher, scale its weights, ask it, and train a student on its
answers. Write them as one function. All random numbers are given, so there is exactly one right answer.

1. **Build and scale.** `draws` holds a matrix of standard normal numbers for each layer of the teacher, of shape
   (outputs, inputs). The teacher's weights are $\sigma / \sqrt{n}$ times these, where $n$ is the number of **inputs of
   that layer**. There are no biases.
2. **Ask.** Send the rows of `X` through the teacher. Tanh acts after each layer but the last. The answers are
   $y_1, \dots, y_n$.
3. **Train.** The student's weights begin as `start`, again a matrix for each layer, and are used as they are. The
   student has tanh between its layers, too, but it need not have the teacher's shape. Its loss is the mean squared
   error $L = \frac1n \sum_i (\hat y_i - y_i)^2$ over all rows. Take so many `steps` of gradient descent on $L$: in each
   step **all** matrices move at once, $W \leftarrow W - \text{rate} \cdot \partial L / \partial W$.
4. **Judge.** The relative error is $L$ divided by the variance of the teacher's answers, $\frac1n \sum_i (y_i - \bar
   y)^2$. Note it before the first step, and after each one.

- `draws`, `start`: lists of matrices; `sigma`, `rate`: positive numbers; `X`: the inputs, of shape ($n$, inputs);
  `steps`: a whole number, at least 1
- returns: two arrays. The first holds the teacher's $n$ answers, the second the `steps + 1` relative errors

**Example.** The draws are $(\frac12, \frac12, 1, -1)^T$ and $(1, 1, 2, 1)$, $\sigma$ is 2, and the inputs are 0 and 1.
The first layer has one input and the second has four, so the weights are $(1, 1, 2, -2)^T$ and $(1, 1, 2, 1)$. The
answers are 0 and $2 \tanh 1 + \tanh 2 = 2.4872$, and their variance is 1.5466. The student has one hidden unit, and
begins with the weights 1 and 1: it says 0 and $\tanh 1 = 0.7616$. So $L = 1.4889$, and the relative error is 0.9627. A
step with the rate $\frac12$ takes the weights to 1.3623 and 1.6571, and the relative error to 0.3457. The answer is
`([0, 2.4872], [0.9627, 0.3457])`.

<details><summary>How do I get the gradients?</summary>

From PyTorch: make each matrix a tensor with `requires_grad=True`, compute $L$ from these tensors, call
`L.backward()`, and find $\partial L / \partial W$ in `W.grad`. PyTorch adds each new gradient to the old one, so set
`W.grad = None` after each step. (Or by hand, as in exercise 02.3.)

</details>
"""


# %%
# exercise 05.4
def teach(
    draws: list[np.ndarray],
    sigma: float,
    X: np.ndarray,
    start: list[np.ndarray],
    rate: float,
    steps: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the teacher's answers to the rows of X, and the student's
    relative errors before and after each step.
    """
    # BEGIN SOLUTION
    def network(weights, inputs):
        *hidden, last = weights
        for weight in hidden:
            inputs = torch.tanh(inputs @ weight.T)
        return (inputs @ last.T)[:, 0]

    X = torch.as_tensor(X)
    teacher = [sigma / draw.shape[1] ** 0.5 * torch.as_tensor(draw) for draw in draws]
    y = network(teacher, X)
    weights = [torch.tensor(weight, requires_grad=True) for weight in start]
    errors = []
    for _ in range(steps + 1):
        loss = ((network(weights, X) - y) ** 2).mean()
        errors.append(loss.item() / y.var(correction=0).item())
        gradients = torch.autograd.grad(loss, weights)
        with torch.no_grad():
            for weight, gradient in zip(weights, gradients, strict=True):
                weight -= rate * gradient
    return y.numpy(), np.array(errors)
    # END SOLUTION


# %%
show("05.4", teach)

# %%
check("05.4", teach)

# %% [markdown]
r"""
## Exercise 05.5: the teacher's shape, or one hidden layer? (4 points)

Run the next cell. One random teacher with four hidden layers of five units answers 2,000 random inputs. Five students
learn from it: four have one hidden layer, of 5, 15, 45 and 135 units, and the fifth has the teacher's shape. Each of
them is trained from ten seeds, which draw its data and its initial weights, for the same number of steps, and each at
the best of six learning rates, chosen on validation data. The cell takes some ten seconds.
"""

# %%
errors, parameters = one_teacher([5, 15, 45, 135], n_seeds=10)
show_figure(*student_dots(errors, parameters))

# %% [markdown]
r"""
Write the function that reads such an experiment. It returns three things:

- **the smallest student that is good enough**: a student is good enough if the **median** of its errors over the seeds
  is at most the target. Return the number of parameters of the smallest such student, and 0 if no student is good
  enough;
- **the lead of the teacher's shape** over the best shallow student. The best shallow student is the one with the
  smallest median error. For each seed subtract logarithms, $d = \log(\text{its error}) - \log(\text{error of the
  teacher's shape})$, which is positive where the teacher's shape does better. With $\bar d$ the mean and $s$ the
  standard deviation of these differences over $n$ seeds (the one that divides by $n - 1$), the lead is $\bar d$ in
  units of its standard error,
  $$ t = \frac{\bar d}{s / \sqrt n} \, ; $$
- **a verdict**: `"same shape"` where $t > 2$, `"shallow"` where $t < -2$, and `"cannot tell"` everywhere else.

The check gives your function experiments of other people.

- `errors`: relative held-out errors, an array of shape (seeds, students). The last student has the teacher's shape, all
  others have one hidden layer; they are **in no particular order**
- `parameters`: the number of parameters of each student, all different; `target`: a positive number
- returns: a triple, the number of parameters, the lead and the verdict

No two shallow students share the smallest median, no lead is within 0.1 of 2 or −2, and no median equals the target.

**Example.** Four seeds, three students, and a target of 0.025:

| | 30 parameters | 90 parameters | 105 parameters, the teacher's shape |
|---|---|---|---|
| seed 0 | 0.08 | 0.01 | 0.003 |
| seed 1 | 0.04 | 0.02 | 0.01 |
| seed 2 | 0.05 | 0.03 | 0.005 |
| seed 3 | 0.06 | 0.016 | 0.032 |

The medians are 0.055, 0.018 and 0.0075, so 90 parameters are good enough. The best shallow student is the second one.
The differences are $\log\frac{10}{3}$, $\log 2$, $\log 6$ and $\log\frac12$, that is 1.204, 0.693, 1.792 and −0.693.
Their mean is 0.749 and their standard deviation 1.061, so $t = 0.749 / 0.531 = 1.412$: the answer is
`(90, 1.412, "cannot tell")`. Three of four seeds are not enough. (Nor would a larger $t$ prove much: with four seeds,
chance alone takes $t$ beyond 2 or −2 in one experiment of seven, with ten seeds in one of thirteen.)
"""


# %%
# exercise 05.5
def best_student(
    errors: np.ndarray, parameters: np.ndarray, target: float
) -> tuple[int, float, str]:
    """Return the fewest parameters that reach the target, the lead
    of the teacher's shape, and the verdict.
    """
    # BEGIN SOLUTION
    medians = np.median(errors, axis=0)
    smallest = min(parameters[medians <= target], default=0)
    shallow = errors[:, np.argmin(medians[:-1])]
    d = np.log(shallow) - np.log(errors[:, -1])
    t = d.mean() / (d.std(ddof=1) / np.sqrt(len(d)))
    verdict = "same shape" if t > 2 else "shallow" if t < -2 else "cannot tell"
    return smallest, t, verdict
    # END SOLUTION


# %%
show("05.5", best_student)

# %%
check("05.5", best_student)

# %% [markdown]
r"""
Once it is right, read your own experiment: `best_student(errors, parameters, target=0.01)`. Then run it again for an
easy teacher, `one_teacher([5, 15, 45, 135], n_seeds=10, sigma=0.5)`. Is the verdict the same? (One thing to keep in
mind: the best shallow student was chosen by the same seeds that judge it, and that favours it a little.)
"""

# %% [markdown]
r"""
## Exercise 05.6: a width that nobody has trained (a short text)

Neuromatch Academy's tutorial *Depth vs width* (G. Mel de Fontenay) trains students with one hidden layer of 5, 15, 45
and 135 units on one random deep teacher, once each. It draws a straight line through the logarithms of their errors and
continues it to an error of $10^{-6}$. The line arrives there at about $10^8$ units. The tutorial concludes that no
shallow network of reasonable size can learn this teacher. What does this number mean, and what does it **not** mean?
Answer in four to six sentences. (The text has points only if your instructor says so.)
"""

# %% [markdown]
r"""
# exercise 05.6

The number says where a power law would arrive that fits four points, if it went on unchanged for almost a million times
the largest width that was trained. Nothing that was measured says so: the line may bend either way. Even if it is
straight, a small change of its slope changes the width by powers of ten, and with one teacher and one seed there is no
interval. Nor are these errors the best that each width can do: they are what the examples at hand and one optimiser
made of it, so more data or longer training may move the wide students most, and with them the slope. Finally it is
about one teacher with one $\sigma$; for a smaller $\sigma$ a narrow student does well. What remains is that over the
measured range width lowers the error slowly, while a student of the teacher's shape gets much further with fewer
parameters.
"""

# %%
check("05.6", None)

# %% [markdown]
r"""
## Exercise 05.7: how far is the student from its teacher? (4 points)

**Example.** A teacher and its student have two inputs, two hidden units and one output:

$$ A_1 = \begin{pmatrix} 1 & -2 \\ 0.5 & 1.5 \end{pmatrix}, \quad A_2 = \begin{pmatrix} 2 & 3 \end{pmatrix}
\qquad\text{and}\qquad
B_1 = \begin{pmatrix} -0.5 & -1.5 \\ 1 & -1.9 \end{pmatrix}, \quad B_2 = \begin{pmatrix} -3 & 2 \end{pmatrix}. $$

They look different. But let the student's two units change places, and turn all signs of its first one, those of its
incoming weights $-0.5$ and $-1.5$ and that of its outgoing weight $-3$. Since $\tanh(-u) = -\tanh(u)$, the network
computes what it did before, and its matrices are now

$$ \begin{pmatrix} 1 & -1.9 \\ 0.5 & 1.5 \end{pmatrix} \quad\text{and}\quad \begin{pmatrix} 2 & 3 \end{pmatrix} . $$

The largest difference from the teacher's weights is $0.1$, and no other labelling of the units makes it smaller. So the
answer is $0.1$.

Two tanh networks without biases have the same sizes. You may **relabel** the second one: put the units of each hidden
layer in another order, and turn the signs of any of them, always with their incoming and their outgoing weights
together. Inputs and outputs stay as they are. Each relabelling has a largest difference of two corresponding weights,
over all matrices. **How small can you make it?**

- `weights_a`, `weights_b`: two lists of matrices, one for each layer in the order in which they act, of shape
  (outputs, inputs). There is one hidden layer of at most four units, or there are two, of at most three and two units
  in either order
- returns: the smallest possible value of the largest difference, a number, at least 0

It is the weights that are compared, not what the networks compute. There are so few units that you can try all
relabellings: $4! \cdot 2^4 = 384$ of four units, and as many, $48 \cdot 8$, of three and two.

(`utils.lesson_05.teachers.weight_gap` answers a similar question; the check does not let you call it.)
"""

# %%
# exercise 05.7
def weights_apart(weights_a: list[np.ndarray], weights_b: list[np.ndarray]) -> float:
    """Return the largest difference of two weights when the hidden units of b
    are relabelled best.
    """
    # BEGIN SOLUTION
    if len(weights_a) == 1:
        return np.abs(weights_a[0] - weights_b[0]).max()
    units, best = len(weights_b[0]), np.inf
    for order in itertools.permutations(range(units)):
        for signs in itertools.product([1, -1], repeat=units):
            incoming = weights_b[0][list(order)] * np.array(signs)[:, None]
            outgoing = weights_b[1][:, list(order)] * signs
            difference = np.abs(weights_a[0] - incoming).max()
            if difference < best:
                deeper = weights_apart(weights_a[1:], [outgoing, *weights_b[2:]])
                best = min(best, max(difference, deeper))
    return best
    # END SOLUTION


# %%
check("05.7", weights_apart)

# %% [markdown]
r"""
Once it is right, give it a teacher with one hidden layer of four units and a student that Levenberg–Marquardt has
trained on it. How near to 0 does it come?
"""

# %% [markdown]
r"""
## Exercise 05.8: how linear is a teacher? (3 points)

**Example.** A teacher with one input has answered $-3$, $1$ and $4$ to the inputs $-1$, $1$ and $2$. The linear
function that fits this best is $2x$. On three other inputs, 0, 1 and $-2$, the teacher says 1, 2 and $-3$, and the
linear function 0, 2 and $-4$. Its mean squared error there is $\frac23$, and the variance of the teacher's answers
there is $\frac{14}{3}$. So the relative error is $\frac17$. The linear function explains the rest, a share of
$\frac67$: the answer is 0.857143.

Before you admire a student, you should know what a linear function can do. Fit the best one, $\hat y = w \cdot x$
**with no intercept**, by least squares on one part of the data, and return which share of the variance it explains on
the other part,

$$ 1 - \frac{\frac1m \sum_i (\hat y_i - y_i)^2}{\frac1m \sum_i (y_i - \bar y)^2} , $$

where both sums are over the $m$ held-out inputs, and $\bar y$ is the mean of the held-out answers. (No intercept,
because a tanh network without biases is odd: $f(-x) = -f(x)$.)

- `X`, of shape (rows, inputs), and `y`: to fit on. There are more rows than inputs, and the best $w$ is unique
- `held_X`, `held_y`: to score on; they need not have as many rows
- returns: the share, a number. It is at most 1, and negative where the linear function does worse than $\bar y$. It may
  be off by $10^{-5}$

(`linear_student` and `relative_error` in `utils.lesson_05.networks` know parts of the answer; the check does not let
you call them.)
"""


# %%
# exercise 05.8
def linear_share(
    X: np.ndarray, y: np.ndarray, held_X: np.ndarray, held_y: np.ndarray
) -> float:
    """Return the share of the held-out outputs' variance that the best
    linear function of the first part explains.
    """
    # BEGIN SOLUTION
    w = np.linalg.lstsq(X, y, rcond=None)[0]
    return 1 - np.mean((held_X @ w - held_y) ** 2) / np.var(held_y)
    # END SOLUTION


# %%
show("05.8", linear_share)

# %%
check("05.8", linear_share)

# %% [markdown]
r"""
Once it is right, ask it about teachers with four hidden layers of five units. The next cell makes the data of a
quasi-linear one; in a cell of your own call `linear_share(X, y, held_X, held_y)`, then take larger $\sigma$. How much
is left for a hidden layer to learn from a quasi-linear teacher?
"""

# %%
X, y, held_X, held_y = teacher_data(sigma=0.4)
print(X.shape, held_X.shape)

# %% [markdown]
r"""
## Exercise 05.9: the width that a target would take (4 points)

The tutorial of exercise 05.6 had one teacher, and so one number. Here are twelve teachers, with students of one hidden
layer, trained as in exercise 05.5. The cell takes some ten seconds, too.
"""

# %%
widths = np.array([5, 15, 45, 135])
of_teachers = many_teachers(widths, n_teachers=12)
print(of_teachers.round(3))

# %% [markdown]
r"""
For **each** teacher draw the straight line $\log e = a + b \log w$ that fits the errors $e$ at all widths $w$ best, by
least squares in $\log e$. Continue it to the target, and call the width at which it arrives there $w^*$. Return the
**median** of $w^*$ over the teachers, then the **second smallest** and the **second largest** of them: the interval
that is left when one teacher at each end is dropped.

- `widths`: the widths, at least two, increasing; `errors`: relative held-out errors, of shape (teachers, widths), at
  least four teachers; `target`: a positive number, below all errors. All lines fall
- returns: three numbers, the median, the lower end and the upper end. They need not be whole, and four correct digits
  are enough

**Example.** Four teachers, the widths 10 and 100, and a target of $10^{-4}$:

| | width 10 | width 100 | slope | $w^*$ |
|---|---|---|---|---|
| teacher 0 | 0.1 | 0.01 | −1 | 10,000 |
| teacher 1 | 0.2 | 0.02 | −1 | 20,000 |
| teacher 2 | 0.1 | 0.001 | −2 | 316.2 |
| teacher 3 | 0.01 | 0.003162 | −1/2 | 100,000 |

The median is 15,000, and the answer is `(15000, 10000, 20000)`.

<details><summary>How sure is such an interval?</summary>

If $n$ teachers are drawn independently, each $w^*$ lies below the true median with probability $\frac12$. The interval
misses that median if at most one of them lies below it, or at most one above it, so with probability
$2 (1 + n) / 2^n$. With four teachers that is far too often; with twelve it is $0.6\,\%$. But this is the median of what
the straight lines say. Whether the errors follow their lines out there, no interval knows.

</details>

(`utils.lesson_05.students.width_for` knows parts of the answer; the check does not let you call it.)
"""


# %%
# exercise 05.9
def width_needed(
    widths: np.ndarray, errors: np.ndarray, target: float
) -> tuple[float, float, float]:
    """Return median, second smallest and second largest, over the teachers,
    of the width that the target takes.
    """
    # BEGIN SOLUTION
    slopes, heights = np.polyfit(np.log(widths), np.log(errors).T, 1)
    needed = np.sort(np.exp((np.log(target) - heights) / slopes))
    return np.median(needed), needed[1], needed[-2]
    # END SOLUTION


# %%
show("05.9", width_needed)

# %%
check("05.9", width_needed)

# %% [markdown]
r"""
Once it is right, read the twelve teachers: `width_needed(widths, of_teachers, 1e-6)`. By how many powers of ten do the
ends of the interval differ? And what becomes of it if you leave out the smallest width? (Excursion 05b has far smaller
numbers: another optimiser and more points. That, too, is in no interval.)
"""

# %% [markdown]
r"""
## When you are done

Save the notebook: in Colab, choose *File → Save a copy in Drive*, because Colab forgets everything else; elsewhere,
choose *File → Save*. If you work alone, that is all, and the table below shows how far you have come. In a class, hand
in the notebook's file: in Colab, *File → Download → Download .ipynb* makes it; elsewhere, it is the file that you have
open. Your answers are found by the first line of their cells, so you may add, move and split cells, as long as those
lines stay.
"""

# %%
progress()

# %% [markdown]
r"""
`download()` gives you one small file with your points, blanks, predictions and remarks, from all pages on this machine.
To go on from there on another machine, run `from utils.feedback import upload` and then `upload()`.
"""

# %%
download()
