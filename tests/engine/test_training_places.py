"""Where training has to work: forked processes, places that cannot be written to, machines without a bar."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from torch import nn

from tests.engine.training_oracle import data, network, networks, same_bits
from utils import training
from utils.engine import compiled_mlp
from utils.training import Trainer, train, train_ensemble


def in_a_fresh_process(code: str) -> str:
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_importing_utils_loads_neither_torch_nor_numba():
    assert in_a_fresh_process("import sys, utils; print({'torch', 'numba'} & set(sys.modules))") == "set()"


@pytest.mark.slow
def test_importing_training_does_not_load_numba():
    assert in_a_fresh_process("import sys, utils.training; print('numba' in sys.modules)") == "False"


FORK = """
import os, torch
from torch import nn
from utils.training import train_ensemble
def models():
    torch.manual_seed(0)
    return [nn.Sequential(nn.Linear(2, 15), nn.Tanh(), nn.Linear(15, 2)) for _ in range(4)]
X, y = torch.randn(1000, 2), torch.randint(0, 2, (1000,))
torch.randn(500, 500) @ torch.randn(500, 500)  # starts OpenMP's threads, which do not survive a fork
train_ensemble(first := models(), X, y, epochs=50, lr=0.01, progress=False)
reader, writer = os.pipe()
if os.fork() == 0:
    train_ensemble(second := models(), X, y, epochs=50, lr=0.01, progress=False)
    pairs = [pair for two in zip(first, second) for pair in zip(*(model.parameters() for model in two))]
    same = all(torch.equal(*pair) for pair in pairs)
    os.write(writer, b"same" if same else b"other")
    os._exit(0)
os.close(writer)
print(os.read(reader, 5).decode())
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_child_of_a_process_that_used_openmp_trains_to_the_same_bits():
    assert in_a_fresh_process(FORK) == "same"


def test_compiling_works_where_nothing_can_be_kept_on_disk():
    namespace: dict = {}
    exec("def twice(x):\n    return 2 * x", namespace)  # Numba has no place for the code of a function without a file
    assert compiled_mlp.compiled_and_cached(namespace["twice"])(4) == 8


@pytest.mark.slow
def test_the_bar_shows_the_steps_of_all_models(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("PYTEST_VERSION")  # or nobody would be there to see it
    models = networks(2, [2, 10, 2])
    X, y = data(2000, 2, 2, labels=True)
    train(networks(1, [2, 10, 2])[0], X, y, epochs=1, lr=0.01, progress=False)  # what has to be compiled is, by now

    shown = []

    def clock() -> float:
        """Return a time at which slices grow twofold until the bar is there, or some minutes have shown none."""
        shown.append(capsys.readouterr().err)
        return 10 if "steps/s" in "".join(shown) or len(shown) > 50 else min(len(shown), 2)

    monkeypatch.setattr(training, "time", SimpleNamespace(perf_counter=clock))
    Trainer(models, X, y, epochs=1_000_000, lr=0.01).run(seconds=3, progress=True)
    assert "/2.00M" in "".join(shown)


def test_recording_every_step_takes_eight_bytes_a_step():
    model, (X, y) = network([4, 16, 4], nn.ReLU).float(), data(16, 4, 4, labels=True)
    history = train(model, X, y, epochs=100_000, lr=1e-3, progress=False)
    assert len(history.loss) == history.steps == 100_000
    assert history.loss.nbytes + history.accuracy.nbytes == 800_000


def test_global_random_numbers_are_left_alone():
    before = torch.get_rng_state()
    X, y = data(30, 2, 3, labels=True)
    train(network([2, 4, 3], nn.Tanh), X, y, epochs=3, lr=0.1, batch_size=7, progress=False)
    residual = [nn.Sequential(nn.Linear(2, 4), nn.LayerNorm(4), nn.Linear(4, 3)).double() for _ in range(2)]
    before = torch.get_rng_state()
    train_ensemble(residual, X, y, epochs=3, lr=0.1, batch_size=7, progress=False)
    assert torch.equal(before, torch.get_rng_state())


def test_without_a_generator_batches_are_the_same_every_time():
    X, y = data(30, 2, 3, labels=True)
    first, second = network([2, 4, 3], nn.Tanh), network([2, 4, 3], nn.Tanh)
    for model in (first, second):
        train(model, X, y, epochs=3, lr=0.1, batch_size=7, progress=False)
    assert same_bits(first, second)
