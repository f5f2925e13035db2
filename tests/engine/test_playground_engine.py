"""The playground's engine in headless Chromium, against PyTorch in float64, `utils.regions` and the engine's own words.

All that JavaScript does for one test is done in one call; seeds are fixed, so that a test says the same each time.
"""

from __future__ import annotations

import base64
import itertools
import json
import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest
import scipy.stats
import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from tests.authoring.browser import browsing, needs_chromium
from tests.playground import ADDRESS, serve
from utils.data import checkerboard_labels
from utils.models import WEIGHT_STD, mlp
from utils.regions import Regions, linear_regions
from utils.statistics import median
from utils.training import train_ensemble

pytestmark = pytest.mark.slow
ACTIVATIONS = {"relu": torch.relu, "tanh": torch.tanh, "sigmoid": torch.sigmoid, "linear": lambda z: z}
# Gives a test's script what the engine exports, and what Python says; arrays of numbers come back to the bit.
CALL = """async ([names, script, said]) => {
    const engine = Object.assign({}, ...await Promise.all(names.map((name) => import("/" + name))));
    const bits = (array) => {
        const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
        return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    };
    const kept = (key, value) => !ArrayBuffer.isView(value) ? value
        : {type: value.constructor.name, bits: bits(value)};
    return JSON.stringify(await eval(script)(engine, JSON.parse(said)), kept);
}"""
TYPES = {"Float64Array": np.float64, "Int32Array": np.int32, "Uint8Array": np.uint8}


def as_array(found: dict) -> dict | np.ndarray:
    return np.frombuffer(base64.b64decode(found["bits"]), TYPES[found["type"]]) if "bits" in found else found


@pytest.fixture(scope="module")
def engine() -> Iterator[Callable]:
    """What runs `(engine, said) => …` on a page that has nothing but the engine's modules."""
    needs_chromium()
    names = ["random.js", "network.js", "training.js", "regions.js", "data.js"]
    with browsing() as browser:
        page = browser.new_page()
        serve(page)
        page.goto(ADDRESS)

        def run(script: str, said: object = None) -> object:
            return json.loads(page.evaluate(CALL, [names, script, json.dumps(said)]), object_hook=as_array)

        yield run


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """Have PyTorch take one core: its products are small here."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def layers_of(sizes: list[int], weights: np.ndarray) -> list[tuple[Tensor, Tensor]]:
    """Return each layer's matrix and biases, from the engine's weights in a row."""
    numbers, layers = torch.tensor(weights), []
    for n_in, n_out in itertools.pairwise(sizes):
        matrix, bias, numbers = numbers.split([n_in * n_out, n_out, len(numbers) - n_in * n_out - n_out])
        layers.append((matrix.reshape(n_out, n_in), bias))
    assert len(numbers) == 0
    return layers


def in_a_row(layers: list[tuple[Tensor, Tensor]]) -> np.ndarray:
    return torch.cat([values.detach().ravel() for layer in layers for values in layer]).numpy()


def outputs_of(layers: list[tuple[Tensor, Tensor]], X: Tensor, activation: str, skips: bool) -> Tensor:
    """Return [n]: a layer whose input is hidden and as wide as its output is added to it where there are skips."""
    h = X
    for layer, (W, b) in enumerate(layers[:-1]):
        new = ACTIVATIONS[activation](h @ W.T + b)
        h = h + new if skips and layer > 0 and W.shape[0] == W.shape[1] else new
    W, b = layers[-1]
    return (h @ W.T + b)[:, 0]


# --- a network and its gradient ---------------------------------------------------------------------------


def drawn_network(rng: np.random.Generator, deepest: int = 8, widest: int = 64) -> dict:
    """Return settings of a network; half of them have equal widths, so that skips have something to skip."""
    depth = int(rng.integers(deepest + 1))
    widths = np.floor(np.exp(rng.uniform(0, math.log(widest + 1), depth))).astype(int).tolist()
    return {
        "sizes": [2, *(widths[:1] * depth if rng.random() < 0.5 else widths), 1],
        "activation": str(rng.choice(list(ACTIVATIONS))),
        "skips": bool(rng.integers(2)),
        "biases": bool(rng.integers(4)),
        "init": str(rng.choice(["default", "he", "lecun", "xavier", "orthogonal", "identity"])),
        "seed": int(rng.integers(2**31)),
    }


# Batches of other sizes come before and after the one that is looked at: nothing of theirs may be left in it.
OUTPUTS_AND_GRADIENTS = """({Network, Random}, cases) => cases.map((settings) => {
    const network = new Network(settings), random = new Random(settings.seed + 1);
    const normal = (length) => Float64Array.from({length}, () => random.normal());
    const {weights, layers, biases, parameters} = network;
    if (biases) for (const {n_out, b} of layers) weights.set(normal(n_out).map((one) => one / 2), b);
    let seen;
    for (const n of settings.batches) {
        const X = normal(2 * n), d = normal(n), outputs = network.forward(X, n).slice(0, n);
        seen = {X, d, weights, parameters, outputs, gradient: network.backward(X, n, d).slice()};
    }
    return seen;
})"""


def test_outputs_and_gradients_are_pytorchs(engine):
    rng = np.random.default_rng(0)
    cases = [{**drawn_network(rng), "batches": rng.integers(1, 40, 3).tolist()} for _ in range(200)]
    for case, found in zip(cases, engine(OUTPUTS_AND_GRADIENTS, cases), strict=True):
        layers = layers_of(case["sizes"], found["weights"])
        trained = [values.requires_grad_() for W, b in layers for values in (W, *[b] * case["biases"])]
        X, d = torch.tensor(found["X"]).reshape(-1, 2), torch.tensor(found["d"])
        outputs = outputs_of(layers, X, case["activation"], case["skips"])
        gradients = iter(torch.autograd.grad(outputs @ d, trained))
        full = [(next(gradients), next(gradients) if case["biases"] else torch.zeros_like(b)) for _, b in layers]
        assert found["parameters"] == sum(values.numel() for values in trained)
        np.testing.assert_allclose(found["outputs"], outputs.detach().numpy(), rtol=0, atol=1e-9, err_msg=f"{case}")
        np.testing.assert_allclose(found["gradient"], in_a_row(full), rtol=0, atol=1e-9, err_msg=f"{case}")


def test_loss_and_errors_are_pytorchs(engine):
    outputs = [0.0, -0.0, 1e-12, -1e-12, 40.0, -40.0, 800.0, -800.0, *np.random.default_rng(0).normal(size=50)]
    y = [label for label in (0, 1) for _ in outputs]
    found = engine(
        "({judge}, [outputs, y]) => judge(Float64Array.from(outputs), Float64Array.from(y))", [outputs * 2, y]
    )
    z, labels = torch.tensor(outputs * 2, dtype=torch.float64), torch.tensor(y, dtype=torch.float64)
    assert found["loss"] == pytest.approx(float(binary_cross_entropy_with_logits(z, labels)), rel=1e-12)
    assert found["wrong"] == float(torch.where(labels == 1, z <= 0, z >= 0).double().mean())


def test_what_is_no_number_is_wrong(engine):
    found = engine("({judge}) => judge(Float64Array.of(NaN, NaN, Infinity, -Infinity), [0, 1, 1, 1])")
    assert found == {"loss": None, "wrong": 0.75}


# --- weights that are drawn -------------------------------------------------------------------------------

WIDTHS = [2, 100, 100, 30, 1]
DRAW = """({Network}, [sizes, cases]) => cases.map(([settings, seeds]) =>
    seeds.map((seed) => new Network({sizes, seed, ...settings}).weights))"""


def drawn(engine, settings: dict, seeds: int = 3) -> list[list[tuple[Tensor, Tensor]]]:
    (found,) = engine(DRAW, [WIDTHS, [[settings, list(range(seeds))]]])
    return [layers_of(WIDTHS, weights) for weights in found]


@pytest.mark.parametrize("gain", [1, 0.5])
@pytest.mark.parametrize("init", ["he", "lecun", "xavier"])
def test_weights_are_normal_with_the_variance_of_their_name(engine, init, gain):
    layers = drawn(engine, {"init": init, "gain": gain}, 4)
    for same in zip(*layers, strict=True):
        W = torch.stack([W for W, _ in same])
        std = gain * WEIGHT_STD[init](W.shape[2], W.shape[1])
        assert scipy.stats.kstest(W.ravel() / std, "norm").pvalue > 1e-3
        assert not any(b.any() for _, b in same)


def test_biases_are_zero_or_normal_and_leave_the_weights(engine):
    zero, some, none = (
        drawn(engine, {"init": "he", **how}, 10) for how in ({}, {"bias_std": 0.3}, {"bias_std": 0.3, "biases": False})
    )
    biases = torch.cat([b for layers in some for _, b in layers])
    assert scipy.stats.kstest(biases / 0.3, "norm").pvalue > 1e-3
    for one in (zero, none):
        for layers, others in zip(one, some, strict=True):
            assert not any(b.any() for _, b in layers)
            assert all((W == V).all() for (W, _), (V, _) in zip(layers, others, strict=True))


@pytest.mark.parametrize("biases", [True, False])
def test_default_weights_are_uniform_as_pytorchs(engine, biases):
    layers = drawn(engine, {"init": "default", "gain": 3, "biases": biases}, 40)
    for same in zip(*layers, strict=True):
        W, b = (torch.stack(values) for values in zip(*same, strict=True))
        bound = 1 / math.sqrt(W.shape[2])
        assert scipy.stats.kstest(W.ravel() / (3 * bound), "uniform", (-1, 2)).pvalue > 1e-3
        assert scipy.stats.kstest(b.ravel() / bound, "uniform", (-1, 2)).pvalue > 1e-3 if biases else not b.any()


def test_orthogonal_weights_are_so_and_look_everywhere(engine):
    for one in drawn(engine, {"init": "orthogonal", "gain": 2}):
        for W, b in one:
            product = W @ W.T if W.shape[0] < W.shape[1] else W.T @ W
            torch.testing.assert_close(product, 4 * torch.eye(len(product), dtype=torch.float64), rtol=0, atol=1e-12)
            assert not b.any()
    (square,) = engine(DRAW, [[2, 2, 1], [[{"init": "orthogonal"}, list(range(400))]]])
    columns = np.array([weights[[0, 2]] for weights in square])
    assert scipy.stats.kstest(np.arctan2(*columns.T) / (2 * math.pi), "uniform", (-0.5, 1)).pvalue > 1e-3
    assert 150 < sum(np.linalg.det(weights[:4].reshape(2, 2)) > 0 for weights in square) < 250


def test_identity_is_near_one_where_a_layer_is_square(engine):
    layers = drawn(engine, {"init": "identity"}, 4)
    for layer, same in enumerate(zip(*layers, strict=True)):
        W = torch.stack([W for W, _ in same])
        if layer == 1:
            W = (W - torch.eye(100)) * math.sqrt(len(WIDTHS) - 2)
        assert scipy.stats.kstest(W.ravel() / math.sqrt(2 / W.shape[2]), "norm").pvalue > 1e-3


def test_a_seed_draws_the_same_again_and_another_one_something_else(engine):
    settings = [{"init": init} for init in ("default", "he", "orthogonal")]
    for first, second, again in engine(DRAW, [WIDTHS, [[one, [1, 2, 1]] for one in settings]]):
        assert (first == again).all()
        drawn = (first != 0) & (second != 0)
        assert abs(np.corrcoef(first[drawn], second[drawn])[0, 1]) < 0.05


def test_random_numbers_have_their_distributions(engine):
    found = engine("""({Random}) => {
        const random = new Random(7), length = 20000;
        const uniform = Float64Array.from({length}, () => random.uniform());
        const normal = Float64Array.from({length}, () => random.normal());
        const first = Float64Array.from({length}, (_, seed) => new Random(seed).uniform());
        return {uniform, normal, first, below: Int32Array.from({length}, () => random.below(7))};
    }""")
    for name, law in (("uniform", "uniform"), ("first", "uniform"), ("normal", "norm")):
        numbers = found[name]
        assert scipy.stats.kstest(numbers, law).pvalue > 1e-3
        assert abs(np.corrcoef(numbers[1:], numbers[:-1])[0, 1]) < 3.3 / math.sqrt(len(numbers))
    assert scipy.stats.chisquare(np.bincount(found["below"], minlength=7)).pvalue > 1e-3


# --- training ---------------------------------------------------------------------------------------------

TRAINED = """({Network, Trainer, points}, cases) => cases.map((settings) => {
    const network = new Network(settings), data = points(settings), {batches} = settings;
    const before = network.weights.slice(), trainer = new Trainer(network, data, settings), seen = [];
    for (let step = 0; step < settings.steps; step++) {
        trainer.step();
        seen.push([trainer.X.slice(), trainer.y.slice()]);
    }
    return {before, after: network.weights, data, seen, steps: trainer.steps};
})"""


def training(**changed) -> dict:
    return {
        "sizes": [2, 8, 8, 8, 1],
        "init": "default",
        "seed": 3,
        "data": "board",
        "n": 100,
        "batch": 32,
        "steps": 100,
        **changed,
    }


TRAININGS = [
    training(optimiser=optimiser, rate=rate, decay=decay, activation=activation, skips=skips, biases=biases)
    for optimiser, rate in (("adam", 0.01), ("sgd", 0.1))
    for activation, decay, skips, biases in (
        ("relu", 0, False, True),
        ("relu", 0.3, True, False),
        ("tanh", 0.3, False, True),
        ("sigmoid", 0, True, True),
    )
] + [training(optimiser="adam", rate=0.01, decay=0, batch=None, sizes=[2, 44, 1])]


def test_a_hundred_steps_are_pytorchs(engine):
    for case, found in zip(TRAININGS, engine(TRAINED, TRAININGS), strict=True):
        layers, biases = layers_of(case["sizes"], found["before"]), case.get("biases", True)
        trained = [values.requires_grad_() for W, b in layers for values in (W, *[b] * biases)]
        kind = {"adam": torch.optim.AdamW, "sgd": torch.optim.SGD}[case["optimiser"]]
        optimiser = kind(trained, lr=case["rate"], weight_decay=case["decay"])
        for X, y in found["seen"]:
            outputs = outputs_of(
                layers, torch.tensor(X).reshape(-1, 2), case.get("activation", "relu"), case.get("skips", False)
            )
            optimiser.zero_grad()
            binary_cross_entropy_with_logits(outputs, torch.tensor(y)).backward()
            optimiser.step()
        moved = np.abs(found["after"] - found["before"]).max()
        assert found["steps"] == 100 and moved > 0.01
        np.testing.assert_allclose(found["after"], in_a_row(layers), rtol=0, atol=1e-7, err_msg=f"{case}")


STEERED = """({Network, Trainer, points}, settings) => {
    const data = points({...settings, seed: 6}), network = new Network({...settings, seed: 5});
    const before = network.weights.slice(), trainer = new Trainer(network, data, {...settings, ...settings.turns[0]});
    const seen = [];
    for (const turn of settings.turns) {
        trainer.steer(turn);
        for (let step = 0; step < 40; step++) {
            trainer.step();
            seen.push([trainer.X.slice(), trainer.y.slice()]);
        }
    }
    return {before, after: network.weights, seen};
}"""


@pytest.mark.parametrize("optimiser", ["adam", "sgd"])
def test_a_steered_training_is_pytorchs_whose_groups_are_changed_between_two_steps(engine, optimiser):
    turns = [
        {"rate": 0.01, "decay": 0, "batch": 32},
        {"rate": 0.05, "decay": 0, "batch": 32},
        {"rate": 0.002, "decay": 0.3, "batch": 8},
        {"rate": 0.03, "decay": 0.1, "batch": 100},
        {"rate": 0.03, "decay": 0.1, "batch": 1000},
    ]
    sizes = [2, 8, 8, 1]
    found = engine(STEERED, {"sizes": sizes, "data": "circle", "n": 100, "optimiser": optimiser, "turns": turns})
    layers = layers_of(sizes, found["before"])
    trained = [values.requires_grad_() for W, b in layers for values in (W, b)]
    pytorchs = {"adam": torch.optim.AdamW, "sgd": torch.optim.SGD}[optimiser](trained, lr=1, weight_decay=0)
    for step, (X, y) in enumerate(found["seen"]):
        turn = turns[step // 40]
        pytorchs.param_groups[0].update(lr=turn["rate"], weight_decay=turn["decay"])
        assert len(y) == min(turn["batch"], 100)
        pytorchs.zero_grad()
        outputs = outputs_of(layers, torch.tensor(X).reshape(-1, 2), "relu", False)
        binary_cross_entropy_with_logits(outputs, torch.tensor(y)).backward()
        pytorchs.step()
    assert np.abs(found["after"] - found["before"]).max() > 0.01
    np.testing.assert_allclose(found["after"], in_a_row(layers), rtol=0, atol=1e-7)


def test_each_pass_takes_each_point_at_most_once_in_an_order_of_its_own(engine):
    (found, whole) = engine(TRAINED, [training(n=100, batch=32, steps=30), training(n=20, batch=32, steps=2)])
    X, y = found["data"]["X"].reshape(-1, 2), found["data"]["y"]
    number = {(*x, label): at for at, (x, label) in enumerate(zip(X.tolist(), y, strict=True))}
    taken = [
        number[(*x, label)]
        for batch, labels in found["seen"]
        for x, label in zip(batch.reshape(-1, 2).tolist(), labels, strict=True)
    ]
    passes = np.reshape(taken, (10, 96))
    assert all(len(set(one)) == 96 for one in passes.tolist())
    assert abs(np.corrcoef(passes)[np.triu_indices(10, 1)]).max() < 0.5 and len(set(taken)) == 100
    for batch, labels in whole["seen"]:
        assert sorted(batch) == sorted(whole["data"]["X"]) and sorted(labels) == sorted(whole["data"]["y"])


def test_every_order_is_as_likely(engine):
    orders = engine("""({Network, Trainer}) => Array.from({length: 2400}, (_, seed) => {
        const network = new Network({sizes: [2, 1]}), data = {X: new Float64Array(8), y: Float64Array.of(0, 1, 0, 1)};
        for (let p = 0; p < 4; p++) data.X[2 * p] = p;
        const trainer = new Trainer(network, data, {batch: 1, seed});
        return [0, 1, 2, 3].map(() => (trainer.step(), trainer.X[0]));
    })""")
    counts = [orders.count(list(order)) for order in itertools.permutations(range(4))]
    assert sum(counts) == 2400 and scipy.stats.chisquare(counts).pvalue > 1e-3


TWENTY = """({Network, Trainer, points, judge}, cases) => cases.map((settings) =>
    Array.from({length: 20}, (_, at) => {
        const seed = 8 * at, held = points({...settings, n: 2000, seed: seed + 1});
        const network = new Network({...settings, seed: seed + 2});
        const trainer = new Trainer(network, points({...settings, seed: seed + 3}), {...settings, seed: seed + 4});
        while (trainer.steps < settings.steps) trainer.step();
        return judge(network.forward(held.X, 2000).slice(0, 2000), held.y).wrong;
    }))"""


def two_spirals(n: int, turns: float, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Return X [n, 2] and y [n, 1], drawn by NumPy as the playground has them."""
    y, along = np.arange(n) % 2, np.sqrt(rng.uniform(size=n))
    z = (0.08 + 0.87 * along) * np.exp(2j * np.pi * (turns * along + y / 2))
    return torch.tensor(np.column_stack([z.real, z.imag])), torch.tensor(y[:, None], dtype=torch.float64)


def errors_of_the_courses_engine(case: dict) -> list[float]:
    """Return the held-out errors of twenty networks, each with points of its own."""
    rng = np.random.default_rng(0)
    X, y = map(torch.stack, zip(*[two_spirals(case["n"], case["turns"], rng) for _ in range(20)], strict=True))
    generator = torch.Generator().manual_seed(0)
    models = [mlp(case["sizes"], init=case["init"], generator=generator).double() for _ in range(20)]
    train_ensemble(
        models,
        X,
        y,
        epochs=case["steps"] * case["batch"] // case["n"],
        batch_size=case["batch"],
        optimizer="adamw",
        lr=case["rate"],
        weight_decay=case["decay"],
        generator=generator,
        loss=lambda outputs, labels: binary_cross_entropy_with_logits(outputs, labels),
        progress=False,
    )
    held = [two_spirals(2000, case["turns"], rng) for _ in models]
    return [float(((model(X) > 0) != (y > 0)).double().mean()) for model, (X, y) in zip(models, held, strict=True)]


@pytest.mark.parametrize("decay", [0, 1.5])
@pytest.mark.parametrize("sizes, rate", [([2, 44, 1], 0.01), ([2, 8, 8, 8, 1], 0.003)])
def test_twenty_trainings_end_where_the_courses_engine_does(engine, sizes, rate, decay):
    case = {
        "sizes": sizes,
        "data": "spirals",
        "turns": 1,
        "init": "he",
        "n": 1024,
        "batch": 32,
        "steps": 256,
        "optimiser": "adam",
        "rate": rate,
        "decay": decay,
    }
    others = [{**case, "decay": decay * by} if decay else {**case, "rate": rate * by} for by in (2, 0.5)]
    course, (same, *others) = errors_of_the_courses_engine(case), engine(TWENTY, [case, *others])
    assert scipy.stats.mannwhitneyu(course, same).pvalue > 1e-3
    ours, its = median(course, method="order"), median(same, method="order")
    assert ours.low <= its.high and its.low <= ours.high
    # ... where half or twice the rate or the decay would not end.
    assert all(scipy.stats.mannwhitneyu(course, other).pvalue < 1e-3 for other in others), "too weak a test"


# --- regions ----------------------------------------------------------------------------------------------

# Networks are drawn, or have the weights that come; some are trained. What the network itself makes of the regions'
# middles comes back, too.
REGIONS = """({Network, Trainer, Random, points, linearRegions, countRegions}, cases) => cases.map((settings) => {
    const network = new Network(settings), {weights, layers, depth} = network, {half} = settings;
    if (settings.weights) weights.set(settings.weights);
    const random = new Random(settings.seed);
    if (settings.spread) for (const {n_out, b} of layers) {
        for (let i = 0; i < n_out; i++) weights[b + i] = settings.spread * random.normal();
    }
    if (settings.steps) {
        const trainer = new Trainer(network, points({...settings, n: 300}), settings);
        while (trainer.steps < settings.steps) trainer.step();
    }
    const found = linearRegions(network, {half}), n = found.length, units = network.sizes.slice(1, -1);
    const total = units.reduce((sum, one) => sum + one, 0), middles = new Float64Array(2 * n);
    const areas = new Float64Array(n), maps = new Float64Array(3 * n), patterns = new Uint8Array(total * n);
    const mean = (all) => all.reduce((sum, one) => sum + one, 0) / all.length;
    found.forEach(({x, y, map, pattern}, r) => {
        x.forEach((one, v) => {
            const w = (v + 1) % x.length;
            areas[r] += ((one - x[0]) * (y[w] - y[0]) - (x[w] - x[0]) * (y[v] - y[0])) / 2;
        });
        middles.set([mean(x), mean(y)], 2 * r);
        maps.set(map, 3 * r);
        patterns.set(pattern.flatMap((layer) => Array.from(layer, Number)), total * r);
    });
    return {weights, areas, maps, patterns, middles, outputs: n ? network.forward(middles, n).slice(0, n) : middles,
            counted: countRegions(network, {half}), some: linearRegions(network, {half, most: 5}).length};
})"""


def as_sequential(sizes: list[int], weights: np.ndarray, skips: bool) -> tuple[nn.Sequential, np.ndarray]:
    """Return a plain network with the same function and regions, and which of its hidden units are the network's own.

    What a skip hands on is a sum of ReLUs, never negative: units that copy it lose nothing, and never crease.
    """
    layers, modules, own = layers_of(sizes, weights), [], []
    copies = 0  # units in front that copy what a skip hands on; their sum with the others is the layer's value
    for layer, (W, b) in enumerate(layers):
        n_out, n_in = W.shape
        eye = torch.eye(n_in, dtype=torch.float64)
        joined = torch.cat([eye, eye], 1) if copies else eye  # from all units before to the layer's value
        skip = skips and 0 < layer < len(layers) - 1 and n_in == n_out
        W, b = W @ joined, b
        if skip:
            W, b = torch.cat([joined, W]), torch.cat([torch.zeros(n_in, dtype=torch.float64), b])
        copies = n_in if skip else 0
        linear = nn.Linear(W.shape[1], W.shape[0], dtype=torch.float64)
        linear.weight.data, linear.bias.data = W, b
        modules += [linear, nn.ReLU()]
        own += [np.arange(len(b)) >= copies]
    return nn.Sequential(*modules[:-1]), np.concatenate(own[:-1] or [np.zeros(0, bool)])


def in_order(patterns: np.ndarray, areas: np.ndarray, maps: np.ndarray) -> tuple[np.ndarray, ...]:
    order = np.lexsort((areas, *patterns.T))
    return patterns[order], areas[order], maps[order]


def check_regions(case: dict, found: dict) -> int:
    """Compare one network's regions with `utils.regions`, and with the network itself; return how many it has."""
    half, sizes = case["half"], case["sizes"]
    model, own = as_sequential(sizes, found["weights"], case["skips"])
    oracle: Regions = linear_regions(model, ((-half, half), (-half, half)))
    n, said = len(oracle), f"{case}"
    assert len(found["areas"]) == found["counted"] == n and found["some"] == min(n, 5), said
    maps = found["maps"].reshape(n, 3)
    oracle_maps = np.column_stack([oracle.A[:, 0], oracle.c[:, 0]])
    scale = max(1, np.abs(oracle_maps).max())
    patterns, areas, sorted_maps = in_order(found["patterns"].reshape(n, -1), found["areas"], maps)
    its_patterns, its_areas, its_maps = in_order(oracle.patterns()[:, own], oracle.sizes(), oracle_maps)
    np.testing.assert_array_equal(patterns, its_patterns, err_msg=said)
    np.testing.assert_allclose(areas, its_areas, rtol=0, atol=1e-10 * half**2, err_msg=said)
    np.testing.assert_allclose(sorted_maps, its_maps, rtol=0, atol=1e-10 * scale, err_msg=said)
    assert areas.sum() == pytest.approx(4 * half**2, rel=1e-9) and areas.min() > 0, said
    at = np.column_stack([found["middles"].reshape(n, 2), np.ones(n)])
    np.testing.assert_allclose((maps * at).sum(1), found["outputs"], rtol=0, atol=1e-10 * scale, err_msg=said)
    return n


def drawn_regions(rng: np.random.Generator, **settings) -> dict:
    """Return a random network with few enough regions to compare them all."""
    depth = int(rng.integers(0, 6))
    widths = rng.integers(1, [65, 65, 17, 11, 9, 8][depth], depth).tolist()
    case = drawn_network(rng)
    case |= {"sizes": [2, *(widths[:1] * depth if rng.random() < 0.5 else widths), 1], "activation": "relu"}
    return {**case, "half": float(rng.choice([1, 1, 0.5, 2])), "spread": 0.3 * case["biases"], **settings}


def test_regions_of_random_networks(engine):
    rng = np.random.default_rng(1)
    cases = [drawn_regions(rng) for _ in range(220)]
    counts = [check_regions(case, found) for case, found in zip(cases, engine(REGIONS, cases), strict=True)]
    assert (
        max(counts) > 1000
        and sum(case["skips"] and len(set(case["sizes"][1:-1])) == 1 < len(case["sizes"]) - 2 for case in cases) > 30
    )


def test_regions_of_trained_networks(engine):
    rng = np.random.default_rng(2)
    cases = [
        drawn_regions(
            rng,
            data=str(rng.choice(["board", "spirals", "circle"])),
            steps=150,
            optimiser="adam",
            rate=float(rng.choice([0.003, 0.03])),
            decay=float(rng.choice([0, 3])),
        )
        for _ in range(80)
    ]
    for case, found in zip(cases, engine(REGIONS, cases), strict=True):
        check_regions(case, found)


def coarse(rng: np.random.Generator, sizes: list[int]) -> list[np.ndarray]:
    """Weights of few values: creases coincide, meet, run along the square's edges, and vanish."""
    return [rng.integers(-2, 3, (n_out, n_in + 1)) / 2 for n_in, n_out in itertools.pairwise(sizes)]


def ordinary(rng: np.random.Generator, sizes: list[int]) -> list[np.ndarray]:
    return [rng.normal(size=(n_out, n_in + 1)) for n_in, n_out in itertools.pairwise(sizes)]


def with_dead_units(rng: np.random.Generator, sizes: list[int]) -> list[np.ndarray]:
    """Units that are off, or on, everywhere; units without weights; in one of three networks a whole layer of them."""
    layers = ordinary(rng, sizes)
    for layer in layers[:-1]:
        some = rng.random(len(layer)) < 0.4
        layer[some, -1] = rng.choice([-100, 100], some.sum())
        layer[rng.random(len(layer)) < 0.2, :-1] = 0
        layer[rng.random(len(layer)) < 0.1] = 0
    if rng.random() < 1 / 3:
        layers[rng.integers(len(layers))][:] = 0
    return layers


def with_equal_creases(rng: np.random.Generator, sizes: list[int]) -> list[np.ndarray]:
    """Units that crease where another one does, on its side or on the other; some of them up to rounding."""
    layers = ordinary(rng, sizes)
    for layer in layers[:-1]:
        for i in range(1, len(layer)):
            if rng.random() < 0.6:
                layer[i] = layer[rng.integers(i)] * rng.choice([1, -1, 2, 0.3, -1 / 3])
                layer[i, -1] += rng.choice([0, 0, 1e-15, 1e-6])
    return layers


def through_one_place(rng: np.random.Generator, sizes: list[int]) -> list[np.ndarray]:
    """First creases that meet in one place, in the square, in a corner or on an edge, or run along an edge."""
    layers = ordinary(rng, sizes)
    place = [rng.uniform(-1, 1, 2), rng.choice([-1, 1], 2), np.array([1, rng.uniform(-1, 1)])][rng.integers(3)]
    for unit in layers[0]:
        if rng.random() < 0.2:
            unit[:2] = unit[0] * np.eye(2)[rng.integers(2)]
            unit[2] = abs(unit[:2]).sum() * rng.choice([-1, 1])
        else:
            unit[2] = -unit[:2] @ place
    return layers


def cancelling(rng: np.random.Generator, sizes: list[int]) -> list[np.ndarray]:
    """Units that are zero everywhere, but for rounding: what comes to them in pairs cancels."""
    layers = ordinary(rng, sizes)
    for layer, after in itertools.pairwise(layers):
        some = rng.random(len(after)) < 0.5
        after[some, len(layer) // 2 * 2 :] = 0
        for i in range(1, len(layer), 2):
            by = rng.uniform(0.1, 3)
            layer[i] = by * layer[i - 1]
            after[some, i] = -after[some, i - 1] / by
    return layers


@pytest.mark.parametrize("kind", [coarse, with_dead_units, with_equal_creases, through_one_place, cancelling])
def test_regions_where_creases_meet_coincide_or_vanish(engine, kind):
    rng, cases = np.random.default_rng(3), []
    for at in range(60):
        depth, width = 1 + at % 4, int(rng.integers(1, 9))
        sizes = [2, *[width] * depth, 1]
        weights = [values for layer in kind(rng, sizes) for values in (layer[:, :-1].ravel(), layer[:, -1])]
        cases.append(
            {
                "sizes": sizes,
                "skips": at % 8 > 5,
                "half": [1, 0.5][at % 7 == 6],
                "weights": np.concatenate(weights).tolist(),
            }
        )
    for case, found in zip(cases, engine(REGIONS, cases), strict=True):
        check_regions(case, found)


# --- points -----------------------------------------------------------------------------------------------

KINDS = [
    {"data": "line"},
    {"data": "circle"},
    {"data": "rings"},
    *({"data": "spirals", "turns": t} for t in (1, 2.5)),
    *({"data": "board", "folds": k} for k in (1, 2, 3, 4)),
    {"data": "drawn", "drawn": [[-0.5, 0.25, 0], [0.75, 0.5, 1], [0, -1, 1]]},
]
POINTS = "({points}, cases) => cases.map(points)"


def on_its_place(found: dict, data: str, turns: float = 0, folds: int = 0, drawn: list | None = None) -> np.ndarray:
    """Check that classes are right; return rows of numbers that are uniform on [0, 1] if points lie as they should."""
    X, y = found["X"].reshape(-1, 2), found["y"]
    radius, angle = np.linalg.norm(X, axis=1), np.arctan2(X[:, 1], X[:, 0]) / (2 * np.pi)
    if data == "drawn":
        places = np.array(drawn)
        nearest = np.abs(X[:, None] - places[:, :2]).sum(2).argmin(1)
        assert (y == places[nearest, 2]).all() and scipy.stats.chisquare(np.bincount(nearest)).pvalue > 1e-3
        return scipy.stats.norm.cdf((X - places[nearest, :2]) / 0.03).T
    if data in ("rings", "spirals"):
        assert (y == np.arange(len(y)) % 2).all()
    if data == "rings":
        np.testing.assert_allclose(radius, np.where(y, 0.8, 0.3), rtol=1e-12)
        return np.array([angle % 1])
    if data == "spirals":
        along = (radius - 0.08) / 0.87
        away = (angle - turns * along - y / 2) % 1
        np.testing.assert_allclose(np.minimum(away, 1 - away), 0, atol=1e-12)
        return np.array([along**2])
    right = {
        "line": lambda: X[:, 0] > -X[:, 1],
        "circle": lambda: np.pi * radius**2 > 2,
        "board": lambda: checkerboard_labels(torch.tensor(X), 2 ** (folds - 1)).numpy(),
    }[data]()
    assert (y == right).all() and abs(y.mean() - 0.5) < 0.03
    return (X.T + 1) / 2


def test_points_are_where_their_class_is(engine):
    for kind, found in zip(KINDS, engine(POINTS, [{"n": 4000, "seed": 5, **kind} for kind in KINDS]), strict=True):
        for numbers in on_its_place(found, **kind):
            assert scipy.stats.kstest(numbers, "uniform").pvalue > 1e-3, f"{kind}"


def test_noise_moves_points_and_leaves_their_classes(engine):
    still, moved = (engine(POINTS, [{"n": 4000, "noise": noise, **kind} for kind in KINDS]) for noise in (0, 0.2))
    for kind, a, b in zip(KINDS, still, moved, strict=True):
        assert (a["y"] == b["y"]).all()
        away = ((b["X"] - a["X"]) / 0.2).reshape(-1, 2)
        assert scipy.stats.kstest(away.ravel(), "norm").pvalue > 1e-3, f"{kind}"
        assert abs(np.corrcoef(*away.T)[0, 1]) < 0.06


def test_points_of_a_seed_are_the_same_again_and_of_another_one_are_not(engine):
    for kind in KINDS:
        first, again, other = engine(POINTS, [{"n": 500, "seed": seed, **kind} for seed in (1, 1, 2)])
        assert (first["X"] == again["X"]).all() and (first["y"] == again["y"]).all()
        assert not np.isin(first["X"], other["X"]).any()
