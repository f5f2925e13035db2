"""Levenberg-Marquardt against torch.func.jacrev, SciPy's MINPACK, lstsq, and teachers."""

import copy
import itertools
import math
import threading
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.optimize
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.func import functional_call, jacrev

from utils import least_squares
from utils.data import split, teacher_data
from utils.engine import compiled_least_squares as compiled
from utils.engine import compiled_run
from utils.engine.compiled_run import as_mlp_layers, packed
from utils.least_squares import LeastSquaresHistory, fit_with_restarts, levenberg_marquardt
from utils.models import ACTIVATIONS, mlp
from utils.training import History

TEACHER_SIZES = [5, 5, 5, 5, 5, 1]


def seeded(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def network(sizes, activation="tanh", *, bias=True, seed=0, init=("normal", 1.0)):
    options = {"bias_std": 0.3} if bias else {}
    return mlp(sizes, activation, bias=bias, init=init, generator=seeded(seed), **options).double()


def problem(rows=40, n_in=2, n_out=1, seed=0, noise=0.1):
    """A smooth function of the inputs with noise: a fit has a floor above zero."""
    generator = seeded(seed)
    X = torch.randn(rows, n_in, generator=generator, dtype=torch.float64)
    y = torch.sin(X.sum(1, keepdim=True) + torch.arange(n_out))
    return X, y + noise * torch.randn(rows, n_out, generator=generator, dtype=torch.float64)


def flat(model) -> np.ndarray:
    return np.concatenate([p.detach().numpy().ravel() for p in model.parameters()])


def packed_order(model) -> np.ndarray:
    """Where the compiled vector's numbers (a row's bias behind the row) are in model.parameters()."""
    numbered = copy.deepcopy(model)
    first = 0
    for parameter in numbered.parameters():
        parameter.data = torch.arange(first, first + parameter.numel()).double().reshape(parameter.shape)
        first += parameter.numel()
    return packed(as_mlp_layers(numbered)).astype(int)


def jacobian(model, X) -> np.ndarray:
    """d output / d parameter by torch: [rows, outputs, parameters]."""
    parameters = dict(model.named_parameters())
    parts = jacrev(lambda values: functional_call(model, values, (X,)))(parameters)
    return torch.cat([part.detach().flatten(2) for part in parts.values()], 2).numpy()


def mse(model, X, y) -> float:
    with torch.no_grad():
        return ((model(X) - y) ** 2).mean().item()


def residuals(model, X, y):
    """(function, jacobian) of the flat parameters, for SciPy."""
    model = copy.deepcopy(model)

    def put(vector):
        nn.utils.vector_to_parameters(torch.from_numpy(np.asarray(vector)), model.parameters())

    def values(vector):
        put(vector)
        with torch.no_grad():
            return (model(X) - y).numpy().ravel()

    def slopes(vector):
        put(vector)
        return jacobian(model, X).reshape(-1, len(vector))

    return values, slopes


# --- the derivatives --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("activation", sorted(ACTIVATIONS))
@pytest.mark.parametrize("sizes", [[3, 5, 4, 2], [2, 1]])
def test_gram_matrix_is_that_of_autograds_jacobian(activation, bias, sizes):
    model = network(sizes, activation, bias=bias, init=("normal", 1.7))
    X, y = problem(300, sizes[0], sizes[-1])  # 300 rows: two tiles
    search = least_squares._Search([model], X, y, rows=None, validation=None, generator=None, threads=1)
    work = search.workspaces[0]
    compiled._linearise(search.network, search.parameters[0], *search.data, work)
    loss = compiled.mean_square(search.network, search.parameters[0], *search.data, work)
    J = jacobian(model, X).reshape(-1, search.parameters.shape[1])[:, packed_order(model)]
    r = (model(X) - y).detach().numpy().ravel()
    count = J.shape[1]
    lower = np.tril_indices(count)
    np.testing.assert_allclose(work.gram[:count, :count][lower], (J.T @ J)[lower], rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(work.gram[count, :count], J.T @ r, rtol=1e-11, atol=1e-11)
    assert loss == pytest.approx((r**2).mean(), rel=1e-13)
    assert work.gram[count, count] == pytest.approx(r @ r, rel=1e-13)


@pytest.mark.parametrize("activation", sorted(ACTIVATIONS))
def test_activations_far_out_and_near_zero_are_torchs(activation):
    z = np.concatenate([[0.0], *[sign * np.logspace(-12, 2.5, 300) for sign in (-1, 1)]])
    module = ACTIVATIONS[activation]()
    layer = as_mlp_layers(nn.Sequential(nn.Linear(1, 1), module))[0]
    values, slopes = z.copy(), np.empty_like(z)
    compiled._activate(values, slopes, len(z), layer.activation, float(layer.shape))
    x = torch.from_numpy(z).requires_grad_()
    expected = module(x)
    expected.sum().backward()
    np.testing.assert_allclose(values, expected.detach().numpy(), rtol=4e-15, atol=1e-14)
    smooth = z != 0
    np.testing.assert_allclose(slopes[smooth], x.grad.numpy()[smooth], rtol=4e-15, atol=1e-14)


def test_cholesky_solves_and_refuses_what_is_not_positive_definite():
    rng = np.random.default_rng(0)
    for count in (1, 2, 7, 30):
        A = rng.normal(size=(count, count + 3))
        gram, L, b = A @ A.T, np.zeros((count, count)), rng.normal(size=count)
        assert compiled._cholesky(gram, 0.5, L)
        x = b.copy()
        compiled._substitute(L, x)
        np.testing.assert_allclose((gram + 0.5 * np.eye(count)) @ x, b, rtol=1e-9, atol=1e-9)
        assert not compiled._cholesky(gram - (1 + 2 * np.trace(gram)) * np.eye(count), 0.5, L)
        assert not compiled._cholesky(gram * np.nan, 0.5, L)


# --- the steps --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("n_out", [1, 3])
def test_linear_least_squares_in_two_steps(bias, n_out):
    X, y = problem(50, 4, n_out)
    model = network([4, n_out], bias=bias)
    (history,) = levenberg_marquardt([model], X, y, max_steps=2, damping=1e-14)
    A = torch.cat([X, torch.ones(50, 1)], 1) if bias else X
    best = torch.linalg.lstsq(A.double(), y).solution
    np.testing.assert_allclose(model[0].weight.detach().numpy(), best[:4].T.numpy(), rtol=1e-10)
    if bias:
        np.testing.assert_allclose(model[0].bias.detach().numpy(), best[4].numpy(), rtol=1e-10)
    assert history.final_loss == pytest.approx(mse(model, X, y), rel=1e-13)


@settings(max_examples=25)
@given(
    seed=st.integers(0, 10**6),
    activation=st.sampled_from(sorted(ACTIVATIONS)),
    damping=st.sampled_from([0.0, 1e-6, 1e-3, 1.0]),
    bias=st.booleans(),
)
def test_loss_never_rises_and_is_the_models(seed, activation, damping, bias):
    X, y = problem(60, 2, 1, seed=seed)
    model = network([2, 6, 4, 1], activation, bias=bias, seed=seed)
    before = mse(model, X, y)
    (history,) = levenberg_marquardt([model], X, y, max_steps=30, damping=damping)
    losses = np.append(history.loss, history.final_loss)
    assert losses[0] == pytest.approx(before, rel=1e-12)
    assert (np.diff(losses) <= 0).all()
    assert history.final_loss == pytest.approx(mse(model, X, y), rel=1e-10, abs=1e-28)
    assert len(history.loss) == history.steps


@pytest.mark.parametrize("activation", ["tanh", "sigmoid", "gelu"])
@pytest.mark.parametrize("n_out", [1, 2])
def test_minpack_finds_nothing_better_than_what_converged(activation, n_out):
    model = network([1, 2, n_out], activation, seed=3, bias=False)
    X, y = teacher_data(80, generator=(generator := seeded(0)), teacher=model)
    y = y + 0.05 * torch.randn(y.shape, generator=generator, dtype=y.dtype)
    (history,) = levenberg_marquardt([model], X, y.detach(), max_steps=3000)
    y = y.detach()
    values, slopes = residuals(model, X, y)
    found = scipy.optimize.least_squares(values, flat(model), slopes, method="lm", xtol=1e-15, ftol=1e-15, max_nfev=50)
    assert history.final_loss == pytest.approx(2 * found.cost / y.numel(), rel=1e-6)
    assert history.final_loss < history.loss[0]


def test_first_step_solves_the_damped_normal_equations():
    X, y = problem(50, 2, 2)
    model = network([2, 4, 2], seed=3)
    start, J = flat(model), jacobian(model, X).reshape(100, -1)
    r = (model(X) - y).detach().numpy().ravel()
    (history,) = levenberg_marquardt([model], X, y, max_steps=1, damping=0.1)
    A = J.T @ J
    step = np.linalg.solve(A + 0.1 * A.diagonal().max() * np.eye(len(A)), -J.T @ r)
    assert history.final_loss < history.loss[0]
    np.testing.assert_allclose(flat(model) - start, step, rtol=1e-9, atol=1e-12)


def nielsen(model, X, y, steps, damping):
    """The losses and parameters of algorithm 3.16 of Madsen, Nielsen & Tingleff, line by line in NumPy."""
    values, slopes = residuals(model, X, y)
    x, losses, growth = flat(model).copy(), [], 2.0
    r, J = values(x), slopes(x)
    mu = damping * (J.T @ J).diagonal().max()
    for _ in range(steps):
        losses.append((r**2).mean())
        h = np.linalg.solve(J.T @ J + mu * np.eye(len(x)), -J.T @ r)
        gain = (r @ r - np.sum(values(x + h) ** 2)) / (h @ (mu * h - J.T @ r))
        if gain > 0:
            x = x + h
            r, J = values(x), slopes(x)
            mu, growth = mu * max(1 / 3, 1 - (2 * gain - 1) ** 3), 2.0
        else:
            mu, growth = mu * growth, 2 * growth
    return np.array(losses), x


def test_steps_are_those_of_nielsens_algorithm():
    X, y = problem(60, 2, 1, seed=5)
    rejections = 0
    for seed in range(6):
        model = network([2, 5, 1], seed=seed, init=("normal", 2.0))
        losses, x = nielsen(model, X, y, 15, 1e-6)
        (history,) = levenberg_marquardt([model], X, y, max_steps=15, damping=1e-6)
        np.testing.assert_allclose(history.loss, losses, rtol=1e-6)
        np.testing.assert_allclose(flat(model), x, rtol=1e-4, atol=1e-5)
        rejections += (np.diff(losses) == 0).sum()
    assert rejections > 5  # so that the rule for rejected steps was seen


@settings(max_examples=10)
@given(seed=st.integers(0, 10**6))
def test_order_of_rows_matters_to_rounding_only(seed):
    X, y = problem(300, 2, 1, seed=seed)
    order = torch.randperm(300, generator=seeded(seed))
    models = [network([2, 4, 1], seed=seed) for _ in range(2)]
    (a,) = levenberg_marquardt(models[:1], X, y, max_steps=8)
    (b,) = levenberg_marquardt(models[1:], X[order], y[order], max_steps=8)
    np.testing.assert_allclose(a.loss, b.loss, rtol=1e-8)


# --- many restarts ----------------------------------------------------------------------------------------


def several(count=7):
    return [network([2, 5, 5, 1], seed=seed) for seed in range(count)]


def assert_same_bits(models, others):
    for model, other in zip(models, others, strict=True):
        np.testing.assert_array_equal(flat(model), flat(other))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_alone_or_together_on_any_number_of_threads_the_same_bits(threads):
    X, y = problem(300)
    together, alone = several(), several()
    histories = levenberg_marquardt(together, X, y, max_steps=60, threads=threads)
    for model, history in zip(alone, histories, strict=True):
        (own,) = levenberg_marquardt([model], X, y, max_steps=60, threads=1)
        np.testing.assert_array_equal(own.loss, history.loss)
    assert_same_bits(together, alone)


def moved(arrays: tuple, rng: np.random.Generator):
    """Return the named tuple with its arrays in one piece of memory, in any order, more or less close together."""
    memory, first = np.zeros(sum(array.size + 40 for array in arrays)), 0
    places = [np.empty(0)] * len(arrays)
    for number in rng.permutation(len(arrays)):
        array, first = arrays[number], first + int(rng.integers(40))
        places[number] = memory[first : first + array.size].reshape(array.shape)
        places[number][:], first = array, first + array.size
    return type(arrays)(*places)


@pytest.mark.parametrize("sizes", [[2, 3, 1], [2, 5, 1], [3, 4, 4, 1]])
def test_the_bits_do_not_depend_on_where_memory_lies(sizes):
    """A loop that both adds up and writes would have two orders: LLVM chooses by the distance of its arrays."""
    X, y = problem(100, sizes[0])
    found = set()
    for seed in range(30):
        model = network(sizes, bias=False)
        search = least_squares._Search([model], X, y, rows=None, validation=None, generator=None, threads=1)
        if seed:
            search.workspaces = [moved(search.workspaces[0], np.random.default_rng(seed))]
        (history,) = search.run(25, 0.0, 1e-3, {}, False, math.inf)
        found.add((flat(model).tobytes(), history.loss.tobytes()))
    assert len(found) == 1


def test_validation_and_the_places_where_everyone_waits_do_not_change_the_bits():
    X, y = problem(100)
    plain, watched = several(), several()
    levenberg_marquardt(plain, X, y, max_steps=40)
    levenberg_marquardt(watched, X, y, max_steps=40, validation=problem(50, seed=1), prune={7: 1.0, 13: 1.0})
    assert_same_bits(plain, watched)


def test_a_restart_that_diverges_is_left_alone_and_touches_nobody():
    X, y = problem(100)
    models, others = several(), several()
    with torch.no_grad():
        models[2][0].weight[0, 0] = math.nan
        models[4][-1].weight *= 1e200
    bad = [flat(models[2]), flat(models[4])]
    histories = levenberg_marquardt(models, X, y, max_steps=30, threads=2)
    levenberg_marquardt(others, X, y, max_steps=30)
    assert [history.diverged for history in histories] == [number in (2, 4) for number in range(7)]
    assert histories[2].stopped == "diverged" and histories[2].steps == 0 and len(histories[2].loss) == 0
    np.testing.assert_array_equal(flat(models[2]), bad[0])
    np.testing.assert_array_equal(flat(models[4]), bad[1])
    kept = [0, 1, 3, 5, 6]
    assert_same_bits([models[i] for i in kept], [others[i] for i in kept])


def test_prune_keeps_the_best_and_touches_nobody():
    X, y = problem(100)
    full, pruned = several(8), several(8)
    all_the_way = levenberg_marquardt(full, X, y, max_steps=60, validation=(X, y))
    histories = levenberg_marquardt(pruned, X, y, max_steps=60, prune={10: 0.5, 30: 0.5})
    order_10 = np.argsort([history.loss[10] for history in all_the_way])
    order_30 = sorted(order_10[:4], key=lambda number: all_the_way[number].loss[30])
    assert {n for n in range(8) if histories[n].steps == 10} == set(order_10[4:])
    assert {n for n in range(8) if histories[n].steps == 30} == set(order_30[2:])
    assert all((histories[n].stopped == "pruned") == (histories[n].steps in (10, 30)) for n in range(8))
    assert_same_bits([full[n] for n in order_30[:2]], [pruned[n] for n in order_30[:2]])
    for model, history, longer in zip(pruned, histories, all_the_way, strict=True):
        assert history.final_loss == pytest.approx(mse(model, X, y), rel=1e-12)
        np.testing.assert_array_equal(history.loss, longer.loss[: history.steps])


def test_prune_keeps_at_least_one_and_a_kept_fraction_of_one_keeps_all():
    X, y = problem(100)
    steps = [h.steps for h in levenberg_marquardt(several(3), X, y, max_steps=12, prune={5: 0.01})]
    assert sorted(steps) == [5, 5, 12]
    steps = [h.steps for h in levenberg_marquardt(several(3), X, y, max_steps=12, prune={5: 1.0})]
    assert steps == [12, 12, 12]


def test_target_stops_each_and_halt_stops_all():
    teacher = network([2, 3, 1], seed=9)
    X, y = teacher_data(200, generator=seeded(0), teacher=teacher)
    y = y.detach()
    near = [copy.deepcopy(teacher), *several_small()]
    with torch.no_grad():
        near[0][0].weight += 0.01
    histories = levenberg_marquardt(near, X, y, max_steps=100, target=1e-20)
    assert histories[0].stopped == "target" and histories[0].final_loss <= 1e-20 < histories[0].loss[-1]
    near = [copy.deepcopy(teacher), *several_small()]
    histories = levenberg_marquardt(near, X, y, max_steps=100, target=1e-20, halt=True)
    assert histories[0].stopped == "target" and histories[0].steps == 0
    assert all(history.stopped == "halted" and history.steps == 0 for history in histories[1:])


def several_small():
    return [network([2, 3, 1], seed=seed) for seed in range(2)]


def test_no_time_no_steps():
    X, y = problem(100)
    models = several(2)
    before = [flat(model) for model in models]
    histories = levenberg_marquardt(models, X, y, max_steps=60, seconds=0)
    assert [(h.stopped, h.steps) for h in histories] == [("seconds", 0)] * 2
    for model, weights in zip(models, before, strict=True):
        np.testing.assert_array_equal(flat(model), weights)


def test_rows_fits_a_subset_drawn_by_the_generator():
    X, y = problem(300)
    kept = torch.randperm(300, generator=seeded(4))[:60].sort().values
    some, chosen, others = several(2), several(2), several(2)
    levenberg_marquardt(some, X, y, max_steps=20, rows=60, generator=seeded(4))
    levenberg_marquardt(chosen, X[kept], y[kept], max_steps=20)
    levenberg_marquardt(others, X, y, max_steps=20, rows=60, generator=seeded(5))
    assert_same_bits(some, chosen)
    assert (flat(some[0]) != flat(others[0])).any()


def test_histories_are_histories():
    X, y = problem(100)
    held_out = problem(50, seed=1)
    models = several(2)
    before = [mse(model, *held_out) for model in models]
    histories = levenberg_marquardt(models, X, y, max_steps=10, validation=held_out)
    for model, first, history in zip(models, before, histories, strict=True):
        assert isinstance(history, History) and isinstance(history, LeastSquaresHistory)
        assert history.accuracy is None and history.validation_accuracy is None
        assert list(history.validation_steps) == list(range(11))
        assert history.validation_loss[0] == pytest.approx(first, rel=1e-12)
        assert history.validation_loss[-1] == pytest.approx(mse(model, *held_out), rel=1e-12)
        assert history.seconds > 0 and history.stopped == "max_steps" and not history.diverged
    (history,) = levenberg_marquardt(several(1), X, y, max_steps=1000, validation=held_out)
    assert len(history.validation_loss) <= 202 and history.validation_steps[-1] == history.steps
    (history,) = levenberg_marquardt(several(1), X, y, max_steps=3)
    assert history.validation_steps is None and history.validation_loss is None


def test_helpers_end_and_nothing_is_left_after_an_interrupt(monkeypatch):
    X, y = problem(100)
    models, calls, threads = several(20), [], threading.active_count()
    began, stopping = threading.Event(), threading.Event()
    search = least_squares._Search(models, X, y, rows=None, validation=None, generator=None, threads=2)
    advance = compiled.advance

    def interrupted(*arguments):
        calls.append(arguments)
        if threading.current_thread() is threading.main_thread():
            assert began.wait(60)
            raise KeyboardInterrupt
        began.set()
        assert stopping.wait(60)  # the interrupt comes while the helper works
        advance(*arguments)

    monkeypatch.setattr(compiled, "advance", interrupted)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(compiled_run, "threading", SimpleNamespace(**vars(threading) | {"Event": lambda: stopping}))
        search.run(60, 0.0, 1e-3, {}, False, math.inf)
    assert len(calls) == 2 and threading.active_count() == threads
    for model, parameters in zip(models, search.parameters, strict=True):
        np.testing.assert_array_equal(np.sort(flat(model)), np.sort(parameters))


# --- hard input -------------------------------------------------------------------------------------------


def test_rank_deficient_problems_reach_the_best_loss():
    X, y = problem(50, 2)
    X = torch.cat([X, X[:, :1]], 1)  # a copied column: the sum of two weights is all that is determined
    model = network([3, 1])
    (history,) = levenberg_marquardt([model], X, y, max_steps=50)
    A = torch.cat([X, torch.ones(50, 1)], 1)
    best = ((A @ torch.linalg.lstsq(A, y, driver="gelsd").solution - y) ** 2).mean().item()
    assert history.final_loss == pytest.approx(best, rel=1e-12) and np.isfinite(flat(model)).all()


@pytest.mark.parametrize("damping", [0.0, 1e-3])
def test_without_any_gradient_it_stops(damping):
    X, y = problem(50, 2)
    model = network([2, 4, 1], "relu")
    with torch.no_grad():
        model[0].bias -= 1e3  # every unit dead
        model[2].bias[:] = y.mean()
    (history,) = levenberg_marquardt([model], X, y, max_steps=500, damping=damping)
    assert history.stopped == "converged" and history.final_loss == pytest.approx(y.var(unbiased=False).item())


def test_relu_networks_improve():
    X, y = problem(200, 2)
    models = [network([2, 8, 1], "relu", seed=seed) for seed in range(4)]
    before = [mse(model, X, y) for model in models]
    histories = levenberg_marquardt(models, X, y, max_steps=100)
    assert all(history.final_loss < 0.3 * first for history, first in zip(histories, before, strict=True))


GOOD = {"max_steps": 5}
BAD_CALLS = {
    "X with NaN": (lambda m, X, y: (m, X * math.nan, y, GOOD), ValueError, r"X\[0, 0\] is nan"),
    "y infinite": (lambda m, X, y: (m, X, y / 0, GOOD), ValueError, "y.*finite"),
    "X of other width": (lambda m, X, y: (m, X[:, :1], y, GOOD), ValueError, r"X has shape .*wanted \[rows, 2\]"),
    "y flat": (lambda m, X, y: (m, X, y[:, 0], GOOD), ValueError, r"y has shape .*wanted \[rows, 1\]"),
    "rows that differ": (lambda m, X, y: (m, X, y[1:], GOOD), ValueError, "X has 100 rows, y 99"),
    "no rows": (lambda m, X, y: (m, X[:0], y[:0], GOOD), ValueError, "X has shape"),
    "too few rows": (lambda m, X, y: (m, X[:50], y[:50], GOOD), ValueError, "50 equations for 51 .* at least 51 rows"),
    "too few chosen": (lambda m, X, y: (m, X, y, GOOD | {"rows": 50}), ValueError, "50 equations for 51"),
    "rows above": (lambda m, X, y: (m, X, y, GOOD | {"rows": 101}), ValueError, "rows is 101"),
    "X a list": (lambda m, X, y: (m, X.tolist(), y, GOOD), TypeError, "X is a list"),
    "float32 model": (lambda m, X, y: ([m[0].float()], X, y, GOOD), TypeError, "float32.*wanted torch.float64"),
    "one model": (lambda m, X, y: (m[0], X, y, GOOD), TypeError, "models is one Sequential"),
    "no models": (lambda m, X, y: ([], X, y, GOOD), ValueError, "models is empty"),
    "mixed": (lambda m, X, y: ([m[0], network([2, 4, 1])], X, y, GOOD), ValueError, r"models\[1\].*one architecture"),
    "twice": (lambda m, X, y: ([m[0], m[0]], X, y, GOOD), ValueError, "shares parameters"),
    "other layers": (
        lambda m, X, y: ([nn.Sequential(nn.Linear(2, 3), nn.LayerNorm(3), nn.Linear(3, 1)).double()], X, y, GOOD),
        TypeError,
        r"models\[0\].*plain multilayer perceptron",
    ),
    "frozen": (lambda m, X, y: ([m[0].requires_grad_(False)], X, y, GOOD), ValueError, "require a gradient"),
    "max_steps": (lambda m, X, y: (m, X, y, {"max_steps": 0}), ValueError, "max_steps is 0"),
    "target": (lambda m, X, y: (m, X, y, GOOD | {"target": -1.0}), ValueError, "target is -1"),
    "damping": (lambda m, X, y: (m, X, y, GOOD | {"damping": math.nan}), ValueError, "damping is nan"),
    "prune a list": (lambda m, X, y: (m, X, y, GOOD | {"prune": [3]}), TypeError, "prune is"),
    "prune too much": (lambda m, X, y: (m, X, y, GOOD | {"prune": {3: 1.5}}), ValueError, r"prune\[3\] is 1.5"),
    "prune at 0": (lambda m, X, y: (m, X, y, GOOD | {"prune": {0: 0.5}}), ValueError, "step in prune is 0"),
    "threads": (lambda m, X, y: (m, X, y, GOOD | {"threads": 0}), ValueError, "threads is 0"),
    "seconds": (lambda m, X, y: (m, X, y, GOOD | {"seconds": -1}), ValueError, "seconds is -1"),
    "validation": (lambda m, X, y: (m, X, y, GOOD | {"validation": X}), TypeError, "validation is a Tensor"),
    "validation's shape": (
        lambda m, X, y: (m, X, y, GOOD | {"validation": (X, y[:, 0])}),
        ValueError,
        "validation y has shape",
    ),
    "generator": (lambda m, X, y: (m, X, y, GOOD | {"rows": 60, "generator": 3}), TypeError, "generator is 3"),
}


@pytest.mark.parametrize("name", BAD_CALLS)
def test_bad_input_is_named_before_anything_is_fitted(name):
    make, error, text = BAD_CALLS[name]
    good = [network([2, 5, 5, 1])]
    models, X, y, options = make(good, *problem(100))
    before = flat(good[0])
    with pytest.raises(error, match=f"(?s){text}"):
        levenberg_marquardt(models, X, y, **options)
    np.testing.assert_array_equal(flat(good[0]), before)


# --- recovery of teachers ---------------------------------------------------------------------------------


def lesson_teacher(seed):
    """(X, y), held-out (X, y) and the generator of a teacher of lesson 05."""
    generator = seeded(seed)
    teacher = mlp(TEACHER_SIZES, "tanh", bias=False, init=("normal", 2.0), generator=generator).double()
    parts = split(teacher_data, 4000, 1000, generator=generator, teacher=teacher)
    return [(X, y.detach()) for X, y in parts], generator


def student(generator):
    return mlp(TEACHER_SIZES, "tanh", bias=False, init="normal", generator=generator)


def recover(seed, seconds, **options):
    ((X, y), (X_test, y_test)), generator = lesson_teacher(seed)
    fit = fit_with_restarts(
        student, X, y, target=1e-24 * y.var().item(), seconds=seconds, generator=generator, **options
    )
    return fit, mse(fit.model, X_test, y_test) / y_test.var().item()


def test_a_small_teacher_is_recovered_exactly_and_the_same_way_on_any_number_of_threads():
    teacher = network([2, 3, 1], bias=False, seed=1)
    X, y = teacher_data(200, generator=seeded(0), teacher=teacher)
    X_test, y_test = teacher_data(200, generator=seeded(1), teacher=teacher)
    fits = [
        fit_with_restarts(
            lambda g: mlp([2, 3, 1], "tanh", bias=False, init="normal", generator=g),
            X,
            y.detach(),
            target=1e-26,
            seconds=600,
            generator=seeded(2),
            restarts=20,
            rows=100,
            threads=threads,
        )
        for threads in (1, 2)
    ]
    assert fits[0].reached and mse(fits[0].model, X_test, y_test) / y_test.var().item() < 1e-20
    assert fits[0].restarts == fits[1].restarts and fits[0].steps == fits[1].steps
    assert_same_bits([fits[0].model], [fits[1].model])
    assert fits[0].loss == pytest.approx(mse(fits[0].model, X, y), rel=1e-6)


@pytest.mark.slow
def test_a_search_ends_in_time_with_the_best_it_saw(monkeypatch):
    """By a clock of its own, which goes on by a second with each look at it."""
    monkeypatch.setattr(least_squares, "time", SimpleNamespace(perf_counter=itertools.count().__next__))
    ((X, y), _), generator = lesson_teacher(1)
    fit = fit_with_restarts(student, X, y, target=0.0, seconds=5, generator=generator, restarts=20)
    assert not fit.reached and 5 <= fit.seconds < 20 and fit.restarts == 20
    assert fit.loss == pytest.approx(mse(fit.model, X, y), rel=1e-6) and fit.loss < 0.3 * y.var().item()


@pytest.mark.parametrize(
    ("changes", "error", "text"),
    [
        ({"build": 3}, TypeError, "build is 3"),
        ({"target": -1.0}, ValueError, "target is -1"),
        ({"seconds": 0}, ValueError, "seconds is 0"),
        ({"restarts": 0}, ValueError, "restarts is 0"),
        ({"generator": None}, TypeError, "generator is None"),
        ({"rows": 10}, ValueError, "10 equations"),
    ],
)
def test_bad_searches_are_named(changes, error, text):
    ((X, y), _), generator = lesson_teacher(1)
    options = {"build": student, "target": 0.0, "seconds": 1.0, "generator": generator} | changes
    with pytest.raises(error, match=text):
        fit_with_restarts(options.pop("build"), X, y, **options)


@pytest.mark.slow
def test_a_teacher_of_lesson_05_is_recovered_below_1e_20():
    fit, relative = recover(1, seconds=600)
    assert fit.reached and relative <= 1e-20


@pytest.mark.full
@pytest.mark.slow
def test_nineteen_of_twenty_teachers_are_recovered_within_a_minute_each():
    results = [recover(seed, seconds=60) for seed in range(100, 120)]
    assert sum(relative <= 1e-20 for _, relative in results) >= 19
