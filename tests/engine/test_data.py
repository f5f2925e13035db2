"""Data sets, against formulas, scikit-learn and simple classifiers; parts that share nothing."""

import gzip
import hashlib
import inspect
import io
import math
import os
import socket
import tarfile
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import sklearn.datasets
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from torch import nn

from utils import data, downloads, reviews
from utils.data import split
from utils.models import mlp

PLANE = [data.blobs, data.circles, data.spirals, data.checkerboard, data.swirl]
REGRESSION = [partial(data.curve, target=torch.sin, bounds=(-5, 5))]


def name_of(make):
    return getattr(make, "func", make).__name__


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


# --- what all of them promise -----------------------------------------------------------------------------


@pytest.mark.parametrize("make", [*PLANE, *REGRESSION, reviews.reviews], ids=name_of)
def test_shapes_types_seed_and_global_generator(make):
    before = torch.get_rng_state()
    X, y = make(101, generator=seeded(1))
    assert torch.equal(before, torch.get_rng_state())
    assert len(X) == len(y) == 101
    if make in REGRESSION:
        assert (X.dtype, y.dtype, y.shape) == (torch.float32, torch.float32, (101, 1))
    else:
        assert (y.dtype, y.shape) == (torch.int64, (101,))
        assert X.dtype == (torch.int64 if make is reviews.reviews else torch.float32)
        assert set(y.tolist()) == {0, 1}
        assert abs(y.double().mean().item() - 0.5) < 0.16
    again, other = make(101, generator=seeded(1)), make(101, generator=seeded(2))
    assert torch.equal(X, again[0]) and torch.equal(y, again[1])
    assert not torch.equal(X, other[0])
    assert make(1, generator=seeded())[0].shape == (1, X.shape[1])


@pytest.mark.parametrize("make", [*PLANE, *REGRESSION], ids=name_of)
def test_parts_share_no_point_and_no_noise(make):
    (X, _), (X_test, _) = split(make, 200, 150, generator=seeded())
    assert torch.cdist(X.double(), X_test.double()).min() > 0
    assert torch.cdist(X.double(), -X_test.double()).min() > 0
    assert len({tuple(row) for row in X.tolist()}) == 200


@given(st.lists(st.integers(1, 30), min_size=1, max_size=4), st.data(), st.integers(0, 2**31))
@settings(max_examples=30)
def test_a_part_does_not_depend_on_the_sizes_of_the_others(sizes, choice, seed):
    parts = split(data.circles, *sizes, generator=seeded(seed), noise=0.2)
    assert [len(X) for X, _ in parts] == sizes
    kept = choice.draw(st.integers(0, len(sizes) - 1))
    others = [n if i == kept else n + 1 for i, n in enumerate(sizes)]
    again = split(data.circles, *others, generator=seeded(seed), noise=0.2)
    assert torch.equal(parts[kept][0], again[kept][0])


def test_successive_splits_differ():
    generator = seeded()
    first, second = (split(data.blobs, 5, generator=generator)[0][0] for _ in range(2))
    assert not torch.equal(first, second)


# --- classes in the plane ---------------------------------------------------------------------------------


def polar(X):
    return torch.atan2(X[:, 1], X[:, 0]).double(), X.double().norm(dim=1)


def test_blobs_are_two_clouds_that_a_line_separates():
    X, y = data.blobs(20_000, generator=seeded())
    for label, center in ((0, -1.0), (1, 1.0)):
        torch.testing.assert_close(X[y == label].mean(0), torch.full((2,), center), atol=0.03, rtol=0)
        torch.testing.assert_close(X[y == label].std(0), torch.full((2,), 0.6), atol=0.02, rtol=0)
    right = 0.5 * (1 + math.erf(1 / 0.6))  # Φ(√2/0.6): the line's distance in standard deviations
    assert LogisticRegression().fit(X, y).score(X, y) == pytest.approx(right, abs=0.005)


def test_circles_have_the_stated_radii_and_no_linear_separation():
    X, y = data.circles(20_000, generator=seeded(), radii=(1, 3), noise=0.2)
    angle, radius = polar(X)
    for label, expected in ((0, 1.0), (1, 3.0)):
        assert radius[y == label].mean().item() == pytest.approx(expected, abs=0.02)
        assert radius[y == label].std().item() == pytest.approx(0.2, abs=0.01)
        assert angle[y == label].mean().abs() < 0.1 and angle[y == label].std() > 1.7
    assert LogisticRegression().fit(X, y).score(X, y) < 0.56


def test_spirals_without_noise_lie_on_their_curve():
    X, y = data.spirals(3000, generator=seeded(), turns=1.5, noise=0)
    angle, radius = polar(X)
    expected = 2 * math.pi * (1.5 * radius / 2 + y / 2)
    difference = torch.remainder(angle - expected + math.pi, 2 * math.pi) - math.pi
    assert (difference.abs() * radius).max() < 1e-5
    assert radius.max() <= 2 and radius.min() < 0.01 and set(y.tolist()) == {0, 1}


def test_spiral_arms_have_noise_of_their_own():
    """In the source one arm is the exact negative of the other."""
    for shown in (0.08, 0):
        X, y = data.spirals(400, generator=seeded(), noise=shown)
        assert torch.cdist(X[y == 0].double(), -X[y == 1].double()).min() > 1e-7
    noisy, clean = (data.spirals(400, generator=seeded(), noise=noise)[0] for noise in (0.08, 0))
    noise = ((noisy - clean) * clean).sum(1) / clean.norm(dim=1)
    assert noise.std().item() == pytest.approx(0.08, rel=0.15)
    assert abs(torch.corrcoef(torch.stack([noise[y == 0], noise[y == 1]]))[0, 1].item()) < 0.25


def test_spirals_generalise_by_neighbours_but_not_by_a_line():
    (X, y), (X_test, y_test) = split(data.spirals, 1000, 1000, generator=seeded())
    assert KNeighborsClassifier(5).fit(X, y).score(X_test, y_test) > 0.9
    assert LogisticRegression().fit(X, y).score(X_test, y_test) < 0.75


@given(st.integers(1, 9), st.floats(-3, 3), st.floats(0.1, 5), st.integers(0, 2**31))
@settings(max_examples=30)
def test_checkerboard_labels_by_counting_grid_lines(frequency, low, width, seed):
    bounds = (low, low + width)
    X, y = data.checkerboard(100, generator=seeded(seed), frequency=frequency, bounds=bounds)
    lines = np.linspace(*bounds, 2 * frequency + 1)[1:-1]
    distance = np.abs(X.double().numpy()[:, :, None] - lines).min((1, 2)) if len(lines) else np.ones(100)
    crossed = (X.double().numpy()[:, :, None] > lines).sum((1, 2)) % 2
    safe = distance > 1e-6 * width
    assert (crossed[safe] == y.numpy()[safe]).all()
    assert (X >= low - 1e-6).all() and (X <= low + width + 1e-6).all()


def test_checkerboard_of_the_unit_square_and_its_corners():
    X = torch.tensor([[0.0, 0.0], [0.26, 0.0], [0.26, 0.26], [1.0, 1.0], [1.0, 0.0]])
    assert data.checkerboard_labels(X, 2, (0, 1)).tolist() == [0, 1, 0, 0, 1]
    assert data.checkerboard_labels(2 * X - 1).tolist() == [0, 1, 0, 0, 1]


def test_swirl_labels_by_complex_numbers():
    """sin(angle − 4πr) > 0 where the point, turned back by 4πr, lies in the upper half plane."""
    X, y = data.swirl(5000, generator=seeded())
    z = torch.complex(X[:, 0].double(), X[:, 1].double())
    turned = (z * torch.exp(-4j * math.pi * z.abs())).imag
    assert ((turned > 0).long() == y)[turned.abs() > 1e-9].all()
    assert X.min() >= -1 and X.max() < 1 and X.min() < -0.99 and X.max() > 0.99
    assert torch.equal(data.swirl_labels(X), y)


# --- functions --------------------------------------------------------------------------------------------


def tent(x):
    return torch.where(x < 0.5, 2 * x, 2 - 2 * x)


@pytest.mark.parametrize("k", [1, 2, 3, 6])
def test_sawtooth_is_the_tent_map_composed(k):
    x = torch.linspace(0, 1, 1001, dtype=torch.float64)
    composed = x
    for _ in range(k):
        composed = tent(composed)
    torch.testing.assert_close(data.sawtooth(x, k), composed, atol=1e-12, rtol=0)
    middles = (torch.arange(2**k, dtype=torch.float64) + 0.5) / 2**k
    slopes = (data.sawtooth(middles + 1e-4, k) - data.sawtooth(middles - 1e-4, k)) / 2e-4
    torch.testing.assert_close(slopes, 2.0**k * (-1.0) ** torch.arange(2**k).double(), atol=1e-6, rtol=0)
    torch.testing.assert_close(data.sawtooth(x + 1, k), data.sawtooth(x, k), atol=1e-12, rtol=0)


def test_curve_of_a_function_with_noise():
    clean = data.curve(4000, generator=seeded(), target=torch.cos, bounds=(0, 1))
    noisy = data.curve(4000, generator=seeded(), target=torch.cos, bounds=(0, 1), noise=0.3)
    assert torch.equal(clean[0], noisy[0])
    assert torch.equal(clean[1], torch.cos(clean[0]))
    assert (noisy[1] - clean[1]).std().item() == pytest.approx(0.3, rel=0.05)


def best_play(ends: list[float]) -> float:
    """What the ends are worth to who does not move first, by the rules: each in turn chooses a half."""
    if len(ends) == 1:
        return ends[0]
    return -max(best_play(ends[: len(ends) // 2]), best_play(ends[len(ends) // 2 :]))


def test_the_game_is_played_well():
    X, y = data.game(20, generator=seeded(4))
    assert y.flatten().tolist() == pytest.approx([best_play(ends) for ends in X.tolist()])


def test_diagonal_flip_is_all_images_and_their_transposes():
    X, y = data.diagonal_flip()
    assert len({tuple(row) for row in X.int().tolist()}) == 16 and X.dtype == torch.float32
    for image, flipped in zip(X.int().tolist(), y.int().tolist(), strict=True):
        a, b, c, d = image
        assert flipped == [a, c, b, d]
    # the best that width 2, 3, 4 can do, from the outputs' singular values (half the mean squared error)
    squares = torch.linalg.svdvals((y - y.mean(0)).double()) ** 2
    assert [(squares[width:].sum() / (2 * 64)).item() for width in (2, 3, 4)] == pytest.approx(
        [0.0625, 0.03125, 0], abs=1e-12
    )


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_teacher_data_are_normal_inputs_and_the_teachers_outputs(dtype):
    teacher = mlp([5, 4, 2], "tanh", bias=False, init=("normal", 2), generator=seeded()).to(dtype)
    X, y = data.teacher_data(3000, generator=seeded(1), teacher=teacher)
    assert X.dtype == y.dtype == dtype and not y.requires_grad and X.shape == (3000, 5)
    assert torch.equal(teacher(X), y)
    torch.testing.assert_close(torch.cov(X.T), torch.eye(5, dtype=dtype), atol=0.1, rtol=0)


def test_roughness_of_known_functions():
    X = torch.randn(20_000, 3, generator=seeded()).double()
    assert data.measure_roughness(lambda X: X @ torch.ones(3, 1).double(), X) == pytest.approx(1, rel=0.03)
    assert data.measure_roughness(lambda X: 9 * X[:, :1] ** 2 + 5, X) == pytest.approx(2, rel=0.05)
    assert data.measure_roughness(lambda X: torch.sin(7 * X[:, :1]), X) == pytest.approx(49, rel=0.03)


@pytest.mark.slow
@given(st.integers(1, 12), st.floats(1.01, 300), st.integers(20, 60), st.integers(0, 2**31))
@settings(max_examples=30)
def test_nearly_any_roughness_above_one_can_be_had(n_in, roughness, n_waves, seed):
    try:
        field = data.random_field(n_in, roughness=roughness, generator=seeded(seed), n_waves=n_waves)
    except ValueError as error:  # waves that happen to have no slope at the origin
        assert roughness < 3 and "draw again" in str(error)
        return
    assert field.roughness() == pytest.approx(roughness, rel=0.01)


@pytest.mark.parametrize("n_in, roughness", [(4, 3.0), (8, 9.6), (4, 1.05), (1, 20.0)])
def test_a_random_field_is_as_rough_as_asked(n_in, roughness):
    field = data.random_field(n_in, roughness=roughness, generator=seeded(), n_waves=200)
    assert field.roughness() == pytest.approx(roughness, rel=0.01)
    X = torch.randn(20_000, n_in, generator=seeded(1)).double()
    assert data.measure_roughness(field, X) == pytest.approx(roughness, rel=0.05)
    assert field(X).shape == (20_000, 1)
    waves = zip(field.directions.T.double(), field.phases, strict=True)
    by_hand = math.sqrt(2 / 200) * sum(math.cos(X[0] @ w + b) for w, b in waves)
    assert field(X[:1]).item() == pytest.approx(by_hand, abs=1e-6)


@pytest.mark.parametrize("name", data.TABLES)
def test_tables_are_scikit_learns_standardised_by_the_training_part(name):
    X, y = getattr(sklearn.datasets, f"load_{name}")(return_X_y=True)
    parts = data.load_table(name, (0.6, 0.2, 0.2), generator=seeded(3))
    assert sum(len(part) for part, _ in parts) == len(X)
    X_train, y_train = parts[0]
    assert X_train.dtype == torch.float32
    if name == "digits":
        assert abs(X_train.mean()) < 1e-5 and X_train.std().item() == pytest.approx(1, abs=1e-3)
        scale, shift = X_train.max().item() - X_train.min().item(), X_train.min().item()
        back = [16 * (part - shift) / scale for part, _ in parts]
    else:
        assert X_train.mean(0).abs().max() < 1e-5
        torch.testing.assert_close(X_train.std(0, correction=0), torch.ones(X.shape[1]), atol=1e-4, rtol=0)
        assert parts[1][0].mean(0).abs().max() > 1e-3  # not standardised by its own
        return
    rows = sorted(map(tuple, torch.cat(back).round().int().tolist()))
    assert rows == sorted(map(tuple, X.astype(int).tolist()))


@pytest.mark.parametrize("name", ["digits", "breast_cancer", "wine"])
def test_each_part_has_each_class_in_proportion(name):
    y = torch.as_tensor(getattr(sklearn.datasets, f"load_{name}")(return_X_y=True)[1])
    parts = data.load_table(name, (0.5, 0.3), generator=seeded())
    for fraction, (_, labels) in zip((0.5, 0.3), parts, strict=True):
        counts = labels.bincount().double()
        assert (counts - fraction * y.bincount()).abs().max() <= 2
        assert labels.dtype == torch.int64


def test_diabetes_targets_are_standardised_by_the_training_part():
    (_, y), (_, y_test) = data.load_table("diabetes", generator=seeded())
    assert y.shape == (309, 1) and y.dtype == torch.float32
    assert abs(y.mean()) < 1e-5 and y.std(correction=0).item() == pytest.approx(1, abs=1e-5)
    raw = torch.as_tensor(sklearn.datasets.load_diabetes(return_X_y=True)[1])
    everything = torch.cat([y, y_test])[:, 0].double().sort().values
    assert torch.corrcoef(torch.stack([everything, raw.sort().values]))[0, 1] > 1 - 1e-9


@given(st.integers(5, 60), st.integers(1, 4), st.integers(0, 2**31))
@settings(max_examples=30)
def test_divide_loses_and_repeats_nothing(n, n_classes, seed):
    X = torch.arange(n)[:, None].float()
    y = torch.randint(n_classes, (n,), generator=seeded(seed))
    parts = data.divide(X, y, (0.5, 0.5), generator=seeded(seed))
    together = torch.cat([part for part, _ in parts])[:, 0].long()
    assert together.sort().values.tolist() == list(range(n))
    assert torch.equal(torch.cat([labels for _, labels in parts]), y[together])
    for label in range(n_classes):
        counts = [(labels == label).sum().item() for _, labels in parts]
        assert abs(counts[0] - counts[1]) <= 2 + n_classes


def test_a_constant_column_becomes_zero():
    X = data._standardiser(torch.tensor([[1.0, 5], [3, 5]]))(torch.tensor([[2.0, 5], [4, 6]]))
    assert X.tolist() == [[0, 0], [2, 1]]


# --- reviews ----------------------------------------------------------------------------------------------


def meanings(text):
    """What the two clauses of a review say, read by rules of its own: each negation turns a clause over."""
    clauses = text.replace("although", "").replace(" but ", " , ").replace(" and ", " , ").split(" , ")
    return [clause_meaning(clause) for clause in clauses]


def clause_meaning(clause):
    negations = sum(clause.count(word) for word in ("not say", "nobody", "doubt"))
    after = clause.split("the ")[-1].split()
    negations += any(word in after for word in ("not", "never", "hardly"))
    good = after[-1] in "good brilliant moving clever funny fresh lovely gripping".split()
    return (good + negations) % 2


def test_reviews_say_what_their_class_is():
    X, y = reviews.reviews(500, generator=seeded())
    texts = [reviews.decode(row) for row in X]
    for text, label in zip(texts, y.tolist(), strict=True):
        first, last = meanings(text)
        assert last == label and (first == last) == (" and " in text)
    for connective in (" and ", " but ", "although "):
        assert 100 < sum(connective in text for text in texts) < 240
    assert all(torch.equal(reviews.encode(text), row) for text, row in zip(texts, X, strict=True))
    assert X.max() < len(reviews.WORDS) and (X[:, -1] != 0).all() and X.shape[1] == reviews.MAX_LENGTH


def test_counting_words_does_not_tell_a_reviews_class():
    (X, y), (X_test, y_test) = split(reviews.reviews, 3000, 1000, generator=seeded())
    counts = [torch.nn.functional.one_hot(part, len(reviews.WORDS)).sum(1)[:, 1:] for part in (X, X_test)]
    assert LogisticRegression(max_iter=300).fit(counts[0], y).score(counts[1], y_test) < 0.56
    seen = {tuple(row) for row in X.tolist()}
    assert sum(tuple(row) in seen for row in X_test.tolist()) < 10


def test_every_review_fits():
    longest = max(len(f.split()) for f in reviews.FRAMES) + max(len(s.split()) for s in reviews.SUBJECTS) + 5
    assert 2 * longest + 2 <= reviews.MAX_LENGTH
    with pytest.raises(ValueError, match="'terrible'"):
        reviews.encode("the film was terrible")
    with pytest.raises(ValueError, match="4 words: wanted at most 3"):
        reviews.encode("the film was good", 3)


# --- downloads --------------------------------------------------------------------------------------------


@pytest.fixture
def offline(tmp_path, monkeypatch):
    """An empty data folder, and no connection to anywhere."""
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "home"))
    tried = []

    def refuse(*address, **_):
        tried.append(address)
        raise OSError("no network")

    monkeypatch.setattr(socket, "create_connection", refuse)
    return tried


@pytest.mark.parametrize("named", [True, False])
def test_files_lie_where_scikit_learn_keeps_its_own(tmp_path, monkeypatch, named):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SCIKIT_LEARN_DATA", "~/named")
    if not named:
        monkeypatch.delenv("SCIKIT_LEARN_DATA")
    folder = downloads._data_home()
    assert not folder.exists() and folder == Path(sklearn.datasets.get_data_home())


SHAPES = {"mnist": 784, "cifar10": 3072, "imdb": downloads.N_TOKENS, "california_housing": 10}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(downloads.DOWNLOADS))
@pytest.mark.parametrize("download", [False, True])
def test_offline_a_stand_in_comes_with_a_warning(offline, name, download):
    with pytest.warns(UserWarning, match=f"{name} .* stand in for it") as caught:
        parts = downloads.load_download(name, 200, 90, generator=seeded(), download=download)
    assert len(caught) == 1
    assert ("download=True" in str(caught[0].message)) == (not download)
    assert bool(offline) == download
    assert download or not Path(os.environ["SCIKIT_LEARN_DATA"]).exists()  # nothing is written unasked
    assert [len(X) for X, _ in parts] == [200, 90]
    (X, y), (X_test, _) = parts
    assert X.shape[1] == SHAPES[name] and len(y) == 200
    assert y.dtype == (torch.float32 if name == "california_housing" else torch.int64)
    assert not {tuple(row) for row in X.tolist()} & {tuple(row) for row in X_test.tolist()}
    if name == "imdb":
        assert X.max() <= len(reviews.WORDS) and not (X == 1).any()  # no word is unknown
    else:
        assert abs(X.mean()) < 1e-4 and X.std().item() == pytest.approx(1, abs=0.05)
    assert socket.getdefaulttimeout() is None


def write_idx(path, array):
    header = bytes([0, 0, 8, array.ndim]) + b"".join(int(n).to_bytes(4, "big") for n in array.shape)
    path.write_bytes(gzip.compress(header + array.tobytes()))


def served(path):
    return downloads.DownloadSource(path.as_uri(), hashlib.md5(path.read_bytes()).hexdigest())


def test_mnist_is_downloaded_read_and_kept(offline, tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    arrays = [
        rng.integers(0, 256, (30, 28, 28), np.uint8),
        np.arange(30, dtype=np.uint8) % 10,
        rng.integers(0, 256, (20, 28, 28), np.uint8),
        np.arange(20, dtype=np.uint8) % 10,
    ]
    sources = []
    for source, array in zip(downloads.MNIST, arrays, strict=True):
        write_idx(tmp_path / source.name, array)
        sources.append(served(tmp_path / source.name))
    monkeypatch.setattr(downloads, "MNIST", tuple(sources))
    (X, y), (X_test, y_test) = downloads.load_download("mnist", 99, 99, generator=seeded(), download=True)
    assert X.shape == (30, 784) and X_test.shape == (20, 784)
    raw = arrays[0].reshape(30, 784) / 255
    expected = (raw - raw.mean()) / raw.std(ddof=1)
    order = np.argsort(expected[:, 0] * 1e3 + expected[:, 1])
    ours = np.argsort((X[:, 0].double() * 1e3 + X[:, 1].double()).numpy())
    np.testing.assert_allclose(X.numpy()[ours], expected[order], atol=1e-4)
    assert y[ours].tolist() == arrays[1][order].tolist()
    for source in sources:
        (tmp_path / source.name).unlink()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = downloads.load_download("mnist", 99, 99, generator=seeded())
    assert torch.equal(again[0][0], X) and torch.equal(again[1][1], y_test)


def test_a_changed_file_is_refused(offline, tmp_path):
    (tmp_path / "file.gz").write_bytes(b"something else")
    source = downloads.DownloadSource((tmp_path / "file.gz").as_uri(), "0" * 32)
    with pytest.raises(OSError, match="MD5"):
        downloads.fetch(source, True, tmp_path / "kept")
    assert list((tmp_path / "kept").iterdir()) == []


def tar_of(path, files):
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))


def test_cifar10_archive(tmp_path):
    rng = np.random.default_rng(0)
    tables = {name: rng.integers(0, 10, (2, 3073), np.uint8) for name in ("data_batch_2", "data_batch_1")}
    tables["test_batch"] = rng.integers(0, 10, (3, 3073), np.uint8)
    files = {f"cifar-10-batches-bin/{name}.bin": table.tobytes() for name, table in tables.items()}
    tar_of(tmp_path / "c.tar.gz", {**files, "cifar-10-batches-bin/readme.html": b"text"})
    (X, y), (X_test, y_test) = downloads.read_cifar10(tmp_path / "c.tar.gz")
    train = np.concatenate([tables["data_batch_1"], tables["data_batch_2"]])
    assert y.tolist() == train[:, 0].tolist()
    assert y_test.tolist() == tables["test_batch"][:, 0].tolist()
    np.testing.assert_allclose(X.numpy(), train[:, 1:] / 255, rtol=1e-6)
    assert X_test.shape == (3, 3072)


def test_imdb_archive(tmp_path):
    tar_of(
        tmp_path / "i.tar.gz",
        {
            "aclImdb/train/pos/0_9.txt": b"Good, good<br />GOOD film.",
            "aclImdb/train/neg/0_1.txt": b"Not good!",
            "aclImdb/train/unsup/0_0.txt": b"ignored ignored ignored ignored ignored",
            "aclImdb/test/pos/0_7.txt": b"good " * downloads.N_TOKENS + b"good thing",
            "aclImdb/README": b"ignored",
        },
    )
    (X, y), (X_test, y_test) = downloads.read_imdb(tmp_path / "i.tar.gz")
    assert y.tolist() == [1, 0] and y_test.tolist() == [1]
    assert X[0, -6:].tolist()[0] == X[0, -4] == X[0, -3] == X[1, -2] == 2  # "good" is the most frequent word
    assert (X[0] > 0).sum() == 6 and (X[1] > 0).sum() == 3
    assert X_test[0, -2:].tolist() == [2, 1]  # "thing" is unknown
    assert X.max() < downloads.N_WORDS


@pytest.mark.full
@pytest.mark.parametrize("name", sorted(downloads.DOWNLOADS))
def test_the_real_data_when_they_have_been_downloaded(name):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        (X, y), _ = downloads.load_download(name, 1000, 100, generator=seeded())
    if caught:
        pytest.skip(str(caught[0].message))
    assert len(X) == 1000 and (y.is_floating_point() or len(y.unique()) in (2, 10))


# --- bad input --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [*PLANE, *REGRESSION, reviews.reviews], ids=name_of)
def test_every_set_wants_a_generator_and_a_number(make):
    assert inspect.signature(make).parameters["generator"].default is inspect.Parameter.empty
    with pytest.raises(TypeError, match="generator is 0"):
        make(5, generator=0)
    with pytest.raises(TypeError, match="generator is None"):
        make(5, generator=None)
    with pytest.raises(ValueError, match="n is 0: wanted a whole number, at least 1"):
        make(0, generator=seeded())
    with pytest.raises(TypeError, match="n is 2.5"):
        make(2.5, generator=seeded())


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda g: split(data.blobs, generator=g), ValueError, ["sizes", "empty"]),
        (lambda g: split("blobs", 5, generator=g), TypeError, ["make", "'blobs'"]),
        (lambda g: split(data.blobs, 5, -1, generator=g), ValueError, ["sizes[1]", "-1"]),
        (lambda g: split(data.blobs, 5, generator=7), TypeError, ["generator", "7"]),
        (lambda g: data.circles(5, generator=g, noise=-0.1), ValueError, ["noise", "-0.1", "at least 0"]),
        (lambda g: data.circles(5, generator=g, noise=math.nan), ValueError, ["noise", "nan"]),
        (lambda g: data.circles(5, generator=g, radii=(2, 1)), ValueError, ["radii", "(2, 1)", "low < high"]),
        (lambda g: data.circles(5, generator=g, radii=1), TypeError, ["radii", "1", "pair"]),
        (lambda g: data.spirals(5, generator=g, turns=0), ValueError, ["turns", "0", "greater than 0"]),
        (lambda g: data.checkerboard(5, generator=g, frequency=1.5), TypeError, ["frequency", "1.5"]),
        (lambda g: data.checkerboard(5, generator=g, bounds=(1, 1)), ValueError, ["bounds", "(1, 1)"]),
        (lambda g: data.swirl_labels(torch.ones(3)), ValueError, ["X", "(3,)", "[n, 2]"]),
        (lambda g: data.curve(5, generator=g, target="sin", bounds=(0, 1)), TypeError, ["target", "'sin'"]),
        (lambda g: data.teacher_data(5, generator=g, teacher=3), TypeError, ["teacher", "3"]),
        (lambda g: data.teacher_data(5, generator=g, teacher=nn.ReLU()), TypeError, ["teacher", "ReLU"]),
        (
            lambda g: data.random_field(3, roughness=1, generator=g),
            ValueError,
            ["roughness", "greater than 1"],
        ),
        (lambda g: data.measure_roughness(torch.sin, [1]), TypeError, ["X", "list"]),
        (lambda g: data.load_table("iris", generator=g), ValueError, ["name", "'iris'", "'wine'"]),
        (
            lambda g: data.load_table("wine", (0.7, 0.4), generator=g),
            ValueError,
            ["fractions", "0.4", "most 1"],
        ),
        (lambda g: data.load_table("wine", (0.7, 0), generator=g), ValueError, ["fractions[1]", "greater"]),
        (lambda g: data.load_table("wine", (0.7, 1e-3), generator=g), ValueError, ["fractions", "178"]),
        (lambda g: data.load_table("wine", (), generator=g), ValueError, ["fractions"]),
        (
            lambda g: data.divide(torch.ones(3, 1), torch.ones(2), (1,), generator=g),
            ValueError,
            ["3", "y has 2"],
        ),
        (lambda g: downloads.load_download("svhn", 5, 5, generator=g), ValueError, ["'svhn'", "'mnist'"]),
        (lambda g: downloads.load_download("mnist", 0, 5, generator=g), ValueError, ["n_train", "0"]),
    ],
)
def test_bad_input_names_the_argument(call, error, words):
    with pytest.raises(error) as caught:
        call(seeded())
    assert all(word in str(caught.value) for word in words), str(caught.value)
