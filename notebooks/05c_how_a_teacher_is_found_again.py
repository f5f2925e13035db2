# %% [markdown]
r"""
# 05c How a teacher is found again

**In the lesson, Levenberg–Marquardt found a teacher's very weights, and Adam did not. How does it do that, and which
teachers does it miss?** You will write its step, see why most starts fail, and find out why easy teachers are harder to
recover than hard ones. An excursion from lesson 05, in 22 minutes. Nothing later needs it.
"""

# %%
# set-up: loading PyTorch takes some seconds, more the first time
import numpy as np
import torch
from torch.func import jacfwd

from utils.claims import claimed, recorded
from utils.exercises import yours
from utils.feedback import download, feedback
from utils.figures import use_style
from utils.least_squares import levenberg_marquardt
from utils.lesson_05 import page
from utils.models import mlp
from utils.predictions import predict, reveal

use_style()
torch.set_num_threads(1)  # networks this small lose time where two cores share the work
SEED = 4

# %% [markdown]
r"""
## 1 A tangent instead of a gradient (8 min)

The teacher is the one from the lesson: five inputs, four hidden layers of five tanh units, one output, no biases,
σ = 2. Put all 105 weights of a student into one vector $w$. Its **residuals** $r$ say by how much each of the student's
answers misses the teacher's. Now change the weights a little, by a step $s$ that is subtracted from them. The residuals
become nearly
$$r - J s,$$
where the **Jacobian** $J$ has one row per example and one column per weight. It says how much each answer changes with
each weight. This is the tangent, and it is linear in $s$, so least squares can find the $s$ that makes $|r - Js|^2$ as
small as possible.

But a tangent can be trusted only nearby. So we make long steps pay a penalty, and minimise
$|r - Js|^2 + \lambda |s|^2$. At the minimum the derivative with respect to $s$ is 0, which means
$$(J^\top J + \lambda I)\, s = J^\top r.$$
The number λ is the *damping*. If it is large, $s$ is close to $J^\top r / \lambda$, a small step down the gradient. If
it is 0, the tangent is trusted all the way. A step that lowers the error is kept, and the damping falls. Any other step
is taken back, and the damping rises. **Write the line that returns the step**, with `np.linalg.solve(A, b)`, which
solves $A s = b$, and `np.eye(n)`, the $n \times n$ identity.
"""

# %% tags=["idea"]
# BEGIN BLANK
def step(J, r, damping):
    """Return s [weights] for J [examples, weights] and r [examples]."""
    return np.linalg.solve(J.T @ J + damping * np.eye(J.shape[1]), J.T @ r)
# END BLANK

# %% tags=["idea"]
step = yours("05c.step")
shape = [5, 5, 5, 5, 5, 1]
generator = torch.Generator().manual_seed(SEED)
teacher = mlp(shape, "tanh", bias=False, init=("normal", 2.0),
              generator=generator).double()
X, X_new = (torch.randn(1000, 5, generator=generator, dtype=torch.float64)
            for _ in range(2))
exact = torch.cat([W.detach().flatten() for W in teacher.parameters()])


def answers(w, x):
    for W in w[:100].reshape(4, 5, 5):
        x = torch.tanh(x @ W.T)
    return x @ w[100:]

# %% [markdown]
r"""
Here is the whole optimiser. It prints each trial's relative error. Start close to the teacher, with every weight off by
about a fiftieth:
"""

# %% tags=["idea"]
def fit(w, y, steps=8, damping=1e-3):
    r = answers(w, X) - y
    for _ in range(steps):
        J = jacfwd(answers)(w, X).numpy()
        trial = w - torch.from_numpy(step(J, r.numpy(), damping))
        missed = answers(trial, X) - y
        better = missed.square().sum() < r.square().sum()
        w, r, damping = (trial, missed, damping / 10) if better else (w, r, damping * 10)
        print(f"{(r.square().mean() / y.var()).item():.0e}", end="  ")
    return w


near = exact * (1 + 0.02 * torch.randn(105, generator=generator, dtype=torch.float64))
found = fit(near, answers(exact, X))

# %% [markdown]
r"""
Read the exponents: towards the end they grow faster and faster, until the last digits of float64 are reached. The
reason is that a tangent is off by the *square* of the distance. At half the distance, the tangent is four times as
good. So close to a perfect fit, each step doubles the number of right digits. Adam has no such end game: after a
million steps, its median error over our teachers was {{claim 05.adam}}.

**And if the teacher's answers are noisy?** Add noise to the answers that the student learns from. How far from the
noiseless teacher does the student end up?
"""

# %% tags=["idea"]
y_new = answers(exact, X_new)
for noise in (0, 1e-6, 1e-3, 0.1):  # standard deviations of the noise
    drawn = torch.randn(1000, generator=generator, dtype=torch.float64)
    y = answers(exact, X) + noise * drawn
    print(f"noise {noise:g}:", end="  ")
    missed = answers(fit(near, y, steps=10), X_new) - y_new
    print(f"\n   held out, from the noiseless answers: "
          f"{(missed.square().mean() / y_new.var()).item():.0e}")

# %% [markdown]
r"""
The errors on the noisy answers stop falling at the noise. The student itself comes closer to the teacher than that,
because 1,000 examples average the noise over 105 weights. But the digits no longer double: exact recovery is a matter
of exact answers.

## 2 From random weights (5 min)

A real student does not start beside the teacher. Let forty students start from random weights, and give them at most
400 steps each:
"""

# %% tags=["idea"]
# ten seconds or so, after compiling
y = answers(exact, X)[:, None]
generator = torch.Generator().manual_seed(SEED)  # try others
students = [mlp(shape, "tanh", bias=False, init="normal", generator=generator).double()
            for _ in range(40)]
histories = levenberg_marquardt(students, X[:500], y[:500], max_steps=400)
ends = np.sort([history.final_loss / y.var().item() for history in histories])
print("the five best: ", "  ".join(f"{end:.0e}" for end in ends[:5]))
print(f"the median:     {np.median(ends):.0e}")
print(f"below 1e-20:    {np.sum(ends < 1e-20)} of 40")

# %% [markdown]
r"""
Most starts get stuck far above zero, and few find the teacher. That is why the lesson's search starts a hundred times.
It does not let all starts finish: after 30 and after 75 steps it keeps the best three tenths of those still running,
and after 200 steps the better half of the rest.

## 3 Which teachers are found? (4 min)

Our experiment takes {{= students.TEACHERS}} teachers, each drawn once and then multiplied by {{= len(students.SIGMAS)}}
values of σ. The student has the teacher's own shape, and fits {{= students.SAME_ROWS}} points. It gets
{{= students.SAME_RESTARTS}} restarts of at most {{= students.SAME_STEPS}} steps, and the worst are given up early.

For comparison, a student with one hidden layer of {{= students.UNITS}} units fits {{= format(students.POINTS, ",")}}
points, in {{= students.RESTARTS}} restarts of {{= students.STEPS}} steps. That takes at least half as long.

**At which σ does a student of the teacher's shape recover some teachers exactly, to a relative error below
$10^{-20}$?**
"""

# %%
predict("05c.shape")

# %%
sigmas = recorded("05_sigmas")
reveal("05c.shape", figure=page.shapes_by_sigma(sigmas), **page.shape_answer(sigmas),
       hard=claimed("05.hard-found"))

# %% [markdown]
r"""
## 4 What is wrong with easy teachers? (5 min)

For small $z$, $\tanh z = z - z^3/3 + \dots$ With small weights every unit sees a small $z$, so a teacher with a small σ
is nearly a product of matrices. At σ = {{= format(students.SIGMAS[0], "g")}}, a linear map leaves a share of
{{claim 05.linear-small}} of such a teacher, and at σ = {{= format(students.SIGMA, "g")}} it leaves {{claim 05.linear}}.
That makes an easy teacher easy to imitate. But many different matrices have the same product, so the answers say little
about single weights.

You can see that by starting right beside the teachers. We added noise of 2% to their weights, and searched from there.
At σ = 1, {{= searches.FEW}} steps brought back a share of {{claim 05.beside-hard}} of the teachers. At σ = 0.4, they
brought back {{claim 05.beside-easy}}, although the search began beside the solution.

So something there is flat. Move a teacher's weights a little: in some directions its answers change a lot, in others
hardly at all. The ratio of the largest change to the smallest is the **condition number** of the Jacobian. From σ = 2
to σ = 0.4 it grew by {{claim 05.condition}} powers of ten, for teachers that differ only in the factor σ. Measure it
for yours:
"""

# %% tags=["idea"]
for sigma in (0.2, 0.5, 1.0, 1.5):  # times the teacher's own weights, of σ = 2
    J = jacfwd(answers)(sigma / 2 * exact, X).numpy()
    values = np.linalg.svd(J, compute_uv=False)
    print(f"σ = {sigma}: condition number {values[0] / values[-1]:.0e}")

# %% [markdown]
r"""
Very different weights make nearly the same, nearly linear function, and only tiny differences lead on to the teacher's
own weights.

Tiny is not nothing, so what is found depends on the budget. With {{= format(searches.MANY, ",")}} steps from random
weights, the search recovered a share of {{claim 05.more-steps}} of the teachers at σ = 1, while {{= searches.FEW}}
steps recovered hardly any.

*→ Further: exercise 05.8 asks how linear a teacher is.*
"""

# %%
feedback("05c.found")

# %% [markdown]
r"""
**What you can now say.** Levenberg–Marquardt solves the tangent's least-squares problem in every step, so close to a
perfect fit the right digits double. From random weights most starts fail, so it needs many. A student of the teacher's
own shape learned every easy teacher, but only to a small error, and there it stayed for very many steps or for good. It
recovered half or more of the hard teachers, to the last digits, and hardly any of the hardest.

**What you do not know.** How the share of starts that succeed falls with a teacher's width and depth: we have measured
teachers of five units in each of four layers. And whether anything finds teachers that are too large for $J^\top J$.

{{claims}}
"""

# %%
download()
